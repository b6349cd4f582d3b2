import { Hono } from 'hono';
import * as z from 'zod';
import { createApiKey, revokeApiKey } from '../auth/keys/keys';
import { forgetKeys } from '../auth/keys/use';
import { issueResetByEmail } from '../auth/staff/invitations';
import { inviteMember } from '../auth/staff/members';
import { STOCK_SHOWN } from '../auth/tables';
import { importCatalog } from '../catalog/import';
import { testAssortment } from '../inventory/bulk/products';
import { tellHolders } from '../inventory/products';
import { replayErasures } from '../order-requests/erasure/replay';
import { SOURCE_MAX } from '../orders/limits';
import { ROLES, SCOPES } from '../platform/access';
import type { OperatorScope } from '../platform/crypto/secret-values';
import { AppError, notFound } from '../platform/errors/errors';
import { byWireName, ofWireNames } from '../platform/fields';
import { assertNotEncoded, readBody } from '../platform/http/body';
import { type HttpEnv, jsonBody, valid } from '../platform/http/http';
import { textOf } from '../platform/http/validation';
import { toEur } from '../platform/money';
import { readSwitches, setSwitches, switchesSchema } from '../platform/switches';
import { listTenants, readUsage } from '../reports/tenants';
import { sendList, tellLists } from '../signatures/trust/kept';
import { organizationRules, organizationsFields, shopRules, shopsFields } from '../tenants/fields';
import { addShopHost, listMovedHosts, listPendingHosts } from '../tenants/hosts';
import { ALIASES_MAX, DELIVERY_SERVICE_LENGTH_MAX, FEE_CENTS_MAX, RESERVE_MINUTES_MAX } from '../tenants/limits';
import { createOrganization, updateOrganization } from '../tenants/organizations';
import { feeKeyOf, optionOf, shippingOptionsOf } from '../tenants/rules';
import { SHIPPING_KINDS, shippingRulesSchema } from '../tenants/shipping';
import { createShop, isTestOrganization, openTestOrganization, patchShop, type Shop } from '../tenants/shops';
import { EVENT_TYPES } from '../webhooks/event-types';
import { FILTERED_MAX } from '../webhooks/limits';
import { createSubscription } from '../webhooks/subscriptions/settings';
import { centsOf, momentSchema, notEmpty, priceSchema, wireTimeOrNull } from '../wire/schemas';
import { backupRoutes, exportRoutes, importRoutes } from './exports';
import { HOSTS_PAGE_MAX, NEW_SHOP_HOSTS_MAX, ORGANIZATIONS_PAGE_MAX, TRUST_LIST_BYTES_MAX } from './limits';
import { authenticateOperator, settleInOrganization } from './ready';
import { restoreRoutes, wireKinds } from './restores';

const SWITCHES_BYTES_MAX = 1024;

/** Switches that need no deployment: GET returns all, PUT sets those in its body. */
const switchRoutes = new Hono<HttpEnv>()
  .get('/switches', async (c) => c.json(await readSwitches(c.var.ctx), 200, { 'Cache-Control': 'no-store' }))
  .put('/switches', jsonBody(SWITCHES_BYTES_MAX), valid('json', notEmpty(switchesSchema.partial())), async (c) =>
    c.json(await setSwitches(c.var.ctx, c.req.valid('json')), 200, { 'Cache-Control': 'no-store' }),
  );

const ERASURES_BYTES_MAX = 4 * 1024;

const replaySchema = z.strictObject({
  /** The day of the restored backup. Erasures of earlier days are skipped. */
  since: z.iso.date().optional(),
  /** `next_cursor` of the previous response. */
  cursor: z
    .string()
    .regex(/^journal\/[\w/.-]{1,100}$/, 'Send the next_cursor of an earlier answer.')
    .optional(),
});

/** Repeats, page by page, the erasures that a restore of the database undid. */
const erasureRoutes = new Hono<HttpEnv>().post(
  '/erasures/replay',
  jsonBody(ERASURES_BYTES_MAX),
  valid('json', replaySchema),
  async (c) => {
    const { since: sinceDay, cursor } = c.req.valid('json');
    const page = await replayErasures(c.var.ctx, { sinceDay, cursor });
    const { entries, unreadable, erased, onLegalHold, nextCursor } = page;
    return c.json({
      ...{ entries, unreadable },
      erased: wireKinds(erased),
      held: wireKinds(onLegalHold),
      next_cursor: nextCursor,
    });
  },
);

const trustListQuerySchema = z.strictObject({
  signed_by: z
    .string()
    .regex(/^[\da-fA-F]{64}$/, 'Send the SHA-256 of the certificate in hex.')
    .toLowerCase()
    .optional(),
});

/**
 * Routes for trusted lists, which name the issuers of qualified certificates. PUT takes a list as a file and answers at
 * once. Within seconds, the Worker that checks signatures verifies and stores the list. GET returns the outcome.
 */
const trustListRoutes = new Hono<HttpEnv>()
  .get('/trust-lists', async (c) => c.json({ data: await tellLists(c.var.ctx) }, 200, { 'Cache-Control': 'no-store' }))
  .put('/trust-lists/:territory', valid('query', trustListQuerySchema), async (c) => {
    const { ctx } = c.var;
    const { signed_by: signedBy } = c.req.valid('query');
    const territory = c.req.param('territory');
    if (!/^[A-Z]{2}$/.test(territory)) throw notFound('not_found', 'Send a territory such as DE.');
    const { bytes, release } = await readBody(ctx, c.req.raw, TRUST_LIST_BYTES_MAX);
    await sendList(ctx, { territory, bytes, signedBy }).finally(release);
    return c.json({ territory }, 202);
  });

const MEMBERS_BYTES_MAX = 4 * 1024;

const resetSchema = z
  .strictObject({
    email: z.string().trim().toLowerCase().max(254).pipe(z.email()),
    second_factor: z.boolean().optional(),
  })
  .transform(({ email, second_factor = false }) => ({ email, endsSecondFactor: second_factor }));

/**
 * Issues a reset link for an owner whom no other owner can help. The request names the person by e-mail address, which
 * operators know. The address is in the body, because URLs are logged.
 */
const operatorMemberRoutes = new Hono<HttpEnv>().post(
  '/organizations/:orgId/members/reset',
  jsonBody(MEMBERS_BYTES_MAX),
  valid('json', resetSchema),
  async (c) => {
    const { resetUrl } = await issueResetByEmail(c.var.ctx, { orgId: c.req.param('orgId'), ...c.req.valid('json') });
    c.header('Cache-Control', 'no-store');
    return c.json({ reset_url: resetUrl }, 201);
  },
);

const organization = z.strictObject(byWireName(organizationsFields, organizationRules)).partial();

export const organizationSchema = organization
  .extend({ name: organizationRules.name, shard: z.int().min(0).optional() })
  .transform((body) => ofWireNames(organizationsFields, body));

const organizationPatchSchema = notEmpty(
  organization.extend({
    status: z.enum(['active', 'suspended']).optional(),
    shipping_rules: shippingRulesSchema.optional(),
  }),
).transform(({ status, ...body }) => ({
  settings: ofWireNames(organizationsFields, body),
  isSuspended: status === undefined ? undefined : status === 'suspended',
}));

const shop = byWireName(shopsFields, shopRules);

const shopSchema = z
  .strictObject({
    name: shop.name,
    hosts: z.array(z.string().max(300)).max(NEW_SHOP_HOSTS_MAX),
    delivery_service_name: shop.delivery_service_name.optional(),
    street: shop.street.optional(),
    postal_code: shop.postal_code.optional(),
    city: shop.city.optional(),
    phone: shop.phone.optional(),
    opening_hours: shop.opening_hours.optional(),
  })
  .transform((body) => ofWireNames(shopsFields, body));

const feeSchema = priceSchema.max(toEur(FEE_CENTS_MAX)).transform(centsOf);

const optionName = textOf(DELIVERY_SERVICE_LENGTH_MAX);

const reserveMinutes = z.int().min(0).max(RESERVE_MINUTES_MAX);

const shopPatchSchema = notEmpty(
  z.strictObject({
    name: shop.name.optional(),
    is_active: z.boolean().optional(),
    fees: z.record(optionName, feeSchema.nullable()).optional(),
    fee_max: feeSchema.optional(),
    shipping_aliases: z
      .record(optionName, optionName)
      .refine((aliases) => Object.keys(aliases).length <= ALIASES_MAX, `Send ${ALIASES_MAX} at most.`)
      .optional(),
    shipping_kinds: z.record(optionName, z.enum(SHIPPING_KINDS)).optional(),
    reserve_minutes: notEmpty(
      z.strictObject({ pending: reserveMinutes.optional(), paid: reserveMinutes.optional() }),
    ).optional(),
  }),
).transform(({ shipping_aliases: shippingAliases, shipping_kinds: shippingKinds, ...body }) => {
  const { reserve_minutes: reserveMinutes, ...named } = body;
  return { ...ofWireNames(shopsFields, named), shippingAliases, shippingKinds, reserveMinutes };
});

/** A shop as the operator reads it: its settings, fees in EUR by shipping option. */
function shopOf({ id, name, isActive, deliveryServiceName, fees, feeMaxCents, ...shop }: Shop) {
  const feesEur = shippingOptionsOf({ deliveryServiceName }).map((option) => [option, fees[feeKeyOf(option)]] as const);
  return {
    shop_id: id,
    name,
    is_active: isActive,
    delivery_service_name: deliveryServiceName,
    fees: Object.fromEntries(
      feesEur.flatMap(([option, cents]) => (cents === undefined ? [] : [[option, toEur(cents)]])),
    ),
    fee_max: toEur(feeMaxCents),
    shipping_aliases: Object.fromEntries(
      Object.entries(shop.shippingAliases).map(([alias, key]) => [alias, optionOf(key, { deliveryServiceName })]),
    ),
    shipping_kinds: { Express: shop.expressKind, [deliveryServiceName]: shop.deliveryServiceKind },
    reserve_minutes: { pending: shop.reservePendingMinutes, paid: shop.reservePaidMinutes },
  };
}

const hostSchema = z.strictObject({ host: z.string().max(300) });

/**
 * Returns the schemas of `limit` and `cursor` in the query of a list that has pages.
 * @param form the pattern of `limit`: a number with at most as many digits as `most`
 * @param most the largest limit
 * @param usual the limit if none is sent
 */
function pageOf(form: RegExp, most: number, usual: string) {
  return {
    limit: z
      .string()
      .regex(form, `Send a number from 1 to ${most}.`)
      .default(usual)
      .transform(Number)
      .pipe(z.int().max(most)),
    cursor: z
      .string()
      .regex(/^[\da-f-]{36}$/, 'Send the next_cursor of an earlier answer.')
      .default(''),
  };
}

/** Query of the list of hosts. Active hosts have no list because they need no action. */
const hostQuerySchema = z.strictObject({
  status: z.enum(['pending', 'verifying', 'failed', 'moved']),
  ...pageOf(/^[1-9]\d{0,2}$/, HOSTS_PAGE_MAX, '100'),
});

const apiKeySchema = z
  .strictObject({
    name: organizationRules.name,
    scopes: z.array(z.enum(SCOPES)).min(1),
    prescription_shop_ids: z.array(z.string().max(100)).min(1).max(FILTERED_MAX).optional(),
    expires_at: momentSchema.optional(),
    reserves: z.boolean().optional(),
    reserve_share: z.int().min(1).max(100).nullish(),
    stock_shown: z.enum(STOCK_SHOWN).optional(),
  })
  .transform(({ expires_at: expiresAt, prescription_shop_ids: prescriptionShopIds, ...rest }) => {
    const { reserve_share: reserveShare, stock_shown: stockShown, ...named } = rest;
    return { ...named, prescriptionShopIds, expiresAt, reserveShare, stockShown };
  });

const memberSchema = z.strictObject({
  email: z.string().trim().toLowerCase().max(254).pipe(z.email()),
  role: z.enum(ROLES),
});

const subscriptionSchema = z
  .strictObject({
    url: z.string(),
    event_types: z.array(z.enum(EVENT_TYPES)).min(1),
    shop_ids: z.array(z.string().max(100)).min(1).max(FILTERED_MAX).optional(),
    sources: z.array(z.string().min(1).max(SOURCE_MAX)).min(1).max(FILTERED_MAX).optional(),
  })
  .transform(({ url, event_types, shop_ids, sources }) => ({
    url,
    eventTypes: event_types,
    shopIds: shop_ids,
    sources,
  }));

const BODY_BYTES_MAX = 256 * 1024;
/** Headers of responses with a secret, or with figures of organizations. */
const NO_STORE = { 'Cache-Control': 'no-store' };

const listSchema = z.strictObject({
  ...pageOf(/^[1-9]\d?$/, ORGANIZATIONS_PAGE_MAX, '20'),
});

const usageSchema = z.strictObject({
  month: z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Send a month as 2026-11.'),
});

/** Routes that list the organizations, and the usage of each in a month, for an invoice. */
const tenantRoutes = new Hono<HttpEnv>()
  .get('/organizations', valid('query', listSchema), async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const { tenants, nextCursor } = await listTenants(c.var.ctx, { after: cursor, limit });
    const data = tenants.map(({ orgId, lastOrderAt, ...tenant }) => {
      return { org_id: orgId, ...tenant, last_order_at: wireTimeOrNull(lastOrderAt) };
    });
    return c.json({ data, next_cursor: nextCursor }, 200, NO_STORE);
  })
  .get('/usage', valid('query', usageSchema), async (c) => {
    const used = await readUsage(c.var.ctx, c.req.valid('query').month);
    return c.json({ data: used.map(({ orgId, ...figures }) => ({ org_id: orgId, ...figures })) }, 200, NO_STORE);
  });

/** Routes for the operator of the deployment (docs/operator-api.md). */
export const operatorRoutes = new Hono<HttpEnv>()
  .use(authenticateOperator(scopesFor))
  // These routes come before the look-up of the organization's database: the organization may be on none, or being
  // moved.
  .route('/', importRoutes)
  .route('/', tenantRoutes)
  .route('/', backupRoutes)
  .use('/organizations/:orgId/*', settleInOrganization)
  .route('/', operatorMemberRoutes)
  .route('/', exportRoutes)
  .route('/', erasureRoutes)
  .route('/', restoreRoutes)
  .route('/', switchRoutes)
  .route('/', trustListRoutes)
  .post('/organizations', jsonBody(BODY_BYTES_MAX), valid('json', organizationSchema), async (c) => {
    const { orgId, shard } = await createOrganization(c.var.ctx, c.req.valid('json'));
    return c.json({ org_id: orgId, shard, is_test: false }, 201);
  })
  .patch('/organizations/:orgId', jsonBody(BODY_BYTES_MAX), valid('json', organizationPatchSchema), async (c) => {
    const orgId = c.req.param('orgId');
    const { settings, isSuspended } = c.req.valid('json');
    await updateOrganization(c.var.ctx, orgId, { ...settings, isSuspended });
    if (isSuspended !== undefined) forgetKeys();
    return c.json({ org_id: orgId, is_test: await isTestOrganization(c.var.ctx, orgId) });
  })
  .post('/organizations/:orgId/test', async (c) => {
    const { orgId, isNew } = await openTestOrganization(c.var.ctx, c.req.param('orgId'), testAssortment);
    return c.json({ org_id: orgId, is_test: true }, isNew ? 201 : 200);
  })
  .post('/organizations/:orgId/shops', jsonBody(BODY_BYTES_MAX), valid('json', shopSchema), async (c) => {
    const orgId = c.req.param('orgId');
    const isOfTest = await isTestOrganization(c.var.ctx, orgId);
    const { shopId } = await createShop(c.var.ctx, { orgId, isOfTest, ...c.req.valid('json') });
    return c.json({ shop_id: shopId }, 201);
  })
  .patch('/organizations/:orgId/shops/:shopId', jsonBody(BODY_BYTES_MAX), valid('json', shopPatchSchema), async (c) => {
    const { orgId, shopId } = c.req.param();
    return c.json(shopOf(await patchShop(c.var.ctx, orgId, shopId, c.req.valid('json'))));
  })
  .post('/organizations/:orgId/shops/:shopId/hosts', jsonBody(BODY_BYTES_MAX), valid('json', hostSchema), async (c) => {
    const { host, isChanged } = await addShopHost(c.var.ctx, { ...c.req.param(), host: c.req.valid('json').host });
    return c.json({ shop_id: c.req.param('shopId'), host }, isChanged ? 201 : 200);
  })
  .get('/hosts', valid('query', hostQuerySchema), async (c) => {
    const { status, limit, cursor } = c.req.valid('query');
    if (status === 'moved') {
      const moved = await listMovedHosts(c.var.ctx);
      return c.json({ data: moved.map(hostOf), next_cursor: null });
    }
    // `pending` means all hosts that are not active yet.
    const ofStatus = status === 'pending' ? undefined : status;
    const { hosts, nextCursor } = await listPendingHosts(c.var.ctx, { after: cursor, limit, status: ofStatus });
    return c.json({ data: hosts.map(hostOf), next_cursor: nextCursor });
  })
  .post('/organizations/:orgId/api-keys', jsonBody(BODY_BYTES_MAX), valid('json', apiKeySchema), async (c) => {
    const { keyId, apiKey } = await createApiKey(c.var.ctx, { orgId: c.req.param('orgId'), ...c.req.valid('json') });
    return c.json({ key_id: keyId, api_key: apiKey }, 201, NO_STORE);
  })
  .post(
    '/organizations/:orgId/subscriptions',
    jsonBody(BODY_BYTES_MAX),
    valid('json', subscriptionSchema),
    async (c) => {
      const made = await createSubscription(c.var.ctx, { orgId: c.req.param('orgId'), ...c.req.valid('json') });
      return c.json({ subscription_id: made.subscriptionId, signing_secret: made.signingSecret }, 201, NO_STORE);
    },
  )
  .post('/organizations/:orgId/members', jsonBody(BODY_BYTES_MAX), valid('json', memberSchema), async (c) => {
    const { invitationUrl } = await inviteMember(c.var.ctx, { orgId: c.req.param('orgId'), ...c.req.valid('json') });
    return c.json({ invitation_url: invitationUrl }, 201, NO_STORE);
  })
  .delete('/organizations/:orgId/api-keys/:keyId', async (c) => {
    await revokeApiKey(c.var.ctx, c.req.param());
    return c.json({ key_id: c.req.param('keyId'), revoked: true });
  })
  .post('/catalog', async (c) => {
    const report = await importCatalog(
      c.var.ctx,
      bodyOf(c.req.raw),
      formatOf(c.req.header('Content-Type')),
      tellHolders,
    );
    const { refusedNotListed, ...counts } = report;
    return c.json({ ...counts, ...(refusedNotListed > 0 && { refused_not_listed: refusedNotListed }) });
  });

/**
 * Returns the scopes that a request accepts. The token needs one of them. Exports and imports need `restore`, because a
 * file holds all data. Erasures and switches also accept `restore`, because a restore repeats erasures and uses the
 * switches.
 */
function scopesFor({ method, path }: { method: string; path: string }): readonly OperatorScope[] {
  if (/\/v1\/(backups$|erasures\/|restores\/|organizations\/[^/]+\/((exports|imports)(\/|$)|end$))/.test(path))
    return ['restore'];
  const usual = method === 'GET' ? 'read' : 'write';
  return path.endsWith('/v1/switches') ? [usual, 'restore'] : [usual];
}

const IMPORT_FORMATS: Record<string, 'csv' | 'ndjson'> = { 'text/csv': 'csv', 'application/x-ndjson': 'ndjson' };

function formatOf(contentType: string | undefined): 'csv' | 'ndjson' {
  const format = IMPORT_FORMATS[contentType?.split(';')[0]?.trim().toLowerCase() ?? ''];
  if (format) return format;
  throw new AppError('unsupported_media_type', 'Send text/csv or application/x-ndjson.');
}

function bodyOf(request: Request): ReadableStream<Uint8Array> {
  assertNotEncoded(request);
  return request.body ?? new ReadableStream({ start: (controller) => controller.close() });
}

type Listed =
  | Awaited<ReturnType<typeof listMovedHosts>>[number]
  | Awaited<ReturnType<typeof listPendingHosts>>['hosts'][number];

/** A host in a list. */
function hostOf(row: Listed) {
  const { orgId, organizationName, isTest, shopId, host, status, createdAt } = row;
  return {
    org_id: orgId,
    organization_name: organizationName,
    is_test: isTest,
    shop_id: shopId,
    host,
    status,
    added_at: new Date(createdAt).toISOString(),
    ...('movedAt' in row && row.movedAt !== null && { moved_at: new Date(row.movedAt).toISOString() }),
  };
}
