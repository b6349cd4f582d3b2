import { Hono } from 'hono';
import { createApiKey, forgetKeys, revokeApiKey } from '../auth/keys/service';
import { inviteMember } from '../auth/staff/service';
import { importCatalog } from '../catalog/service';
import { tellHolders, testAssortment } from '../inventory/service';
import { AppError } from '../platform/errors';
import { assertNotEncoded } from '../platform/http/body';
import { type HttpEnv, jsonBody, valid } from '../platform/http/http';
import type { OperatorScope } from '../platform/secret-values';
import {
  addShopHost,
  createOrganization,
  createShop,
  isTestOrganization,
  listMovedHosts,
  listPendingHosts,
  openTestOrganization,
  updateOrganization,
} from '../tenants/service';
import { createSubscription } from '../webhooks/service';
import { authenticateOperator, settleInOrganization } from './authenticate';
import { erasureRoutes } from './erasures';
import { operatorMemberRoutes } from './members';
import { moveRoutes } from './moves';
import { restoreRoutes } from './restores';
import {
  apiKeySchema,
  hostQuerySchema,
  hostSchema,
  memberSchema,
  organizationPatchSchema,
  organizationSchema,
  shopSchema,
  subscriptionSchema,
} from './schemas';
import { switchRoutes } from './switches';

const BODY_BYTES_MAX = 256 * 1024;
/** For answers with a secret. */
const NO_STORE = { 'Cache-Control': 'no-store' };

/** Onboarding by the operator of the deployment. Uses the same use cases as owners do. */
export const operatorRoutes = new Hono<HttpEnv>()
  .use(authenticateOperator(scopesFor))
  // Before what looks for the organization's database: while it is moved it has none.
  .route('/', moveRoutes)
  .use('/organizations/:orgId/*', settleInOrganization)
  .route('/', operatorMemberRoutes)
  .route('/', erasureRoutes)
  .route('/', restoreRoutes)
  .route('/', switchRoutes)
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
    const { hosts, nextCursor } = await listPendingHosts(c.var.ctx, {
      after: cursor,
      limit,
      // `pending`: all that are not active yet.
      status: status === 'pending' ? undefined : status,
    });
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

/** A restore erases again what was erased, and stops and starts what the switches name. Any of the scopes is enough. */
function scopesFor({ method, path }: { method: string; path: string }): readonly OperatorScope[] {
  if (/\/v1\/(erasures|restores)\//.test(path)) return ['restore'];
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
