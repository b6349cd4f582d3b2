import { recordAudit } from '../audit/record';
import { reserve } from '../directory/reserve';
import { inOrganization } from '../directory/route';
import { requireOperator, requireOwnerOrOperator, requireRole, requireScope } from '../platform/access';
import { type BatchEntry, commit, organizationMustExist, tryCommit } from '../platform/commit';
import { actingAs, type Context } from '../platform/context';
import { randomBase62 } from '../platform/crypto/crypto';
import { AppError, invalidField, notFound } from '../platform/errors/errors';
import { wireNames } from '../platform/fields';
import { foldText } from '../platform/fold';
import { newId } from '../platform/ids';
import { txtNameOf, txtValueOf } from './domain-check';
import { type ShopFeeSettings, type ShopSettings, shopsFields } from './fields';
import { addHosts, hostMustBeFree, hostTaken, normalizeHosts, whyHostsRefused, withdrawElsewhere } from './hosts';
import { NAME_LENGTH_MAX, SHOPS_MAX } from './limits';
import { requireOrganization } from './organizations';
import {
  DELIVERY_SERVICE_NAME_DEFAULT,
  type FeeKey,
  feeKeyOf,
  type ShippingAliases,
  type ShopFees,
  shippingOptionIn,
  shippingOptionsOf,
} from './rules';
import type { ShippingKind } from './shipping';
import {
  claimTestOrganization,
  insertOrganization,
  insertShop,
  selectHosts,
  selectOrganization,
  selectShops,
  selectShopsWithHost,
  updateShopActive,
  updateShopRow,
} from './store';

type NewShop = Partial<ShopSettings> &
  Pick<ShopSettings, 'name'> & {
    orgId: string;
    hosts: string[];
    /**
     * Whether the organization is a test organization. The shop then also gets a host below the base host, which is
     * active at once.
     */
    isOfTest?: boolean;
  };

/**
 * Opens a shop with its hosts: all of them or none. Hosts from an owner are pending until their DNS proves them or the
 * operator confirms them. Hosts from the operator are active.
 * @throws AppError `validation_failed` for a host that cannot be a shop's host; `host_taken`, `organization_not_found`,
 *   `shop_limit_reached`, `pending_host_limit_reached`
 */
export async function createShop(ctx: Context, input: NewShop): Promise<{ shopId: string }> {
  requireOwnerOrOperator(ctx, input.orgId);
  const hosts = normalizeHosts(ctx, input.hosts, (index) => `/hosts/${index}`);
  const { orgId, hosts: _, isOfTest, deliveryServiceName = DELIVERY_SERVICE_NAME_DEFAULT, ...settings } = input;
  const isOwner = ctx.actor.kind === 'staff';
  const [shopId, now] = [newId(), ctx.now()];
  const times = { createdAt: now, updatedAt: now };
  const shop = { ...settings, id: shopId, orgId, isActive: true, deliveryServiceName, ...times };
  const at = { orgId, shopId };
  const ownHosts = isOfTest ? [newTestHost(ctx)] : [];
  const batch = {
    shop: insertShop(shop, isOwner ? SHOPS_MAX : undefined),
    ownHosts: await addHosts(actingAs(ctx, { kind: 'system' }), at, ownHosts),
    hosts: await addHosts(ctx, at, hosts),
    audit: recordAudit(ctx, { orgId, action: 'shop.created', entityId: shopId }),
  };
  await commit(ctx, batch, {
    refused: isOwner ? async () => (await whyHostsRefused(ctx, orgId, hosts.length)) ?? shopLimit() : hostTaken,
    constraints: { ...organizationMustExist, ...hostMustBeFree },
  });
  withdrawElsewhere(ctx, hosts);
  return { shopId };
}

/** Returns the address of a shop's pages: the shop's host, with scheme and port of the base address. */
export function addressOf(ctx: Context, host: string): string {
  const { protocol, port } = new URL(ctx.config.baseUrl);
  return `${protocol}//${host}${port && `:${port}`}`;
}

function shopLimit(): AppError {
  const detail = `An organization opens at most ${SHOPS_MAX} shops by itself. Ask the operator for more.`;
  return new AppError('shop_limit_reached', detail);
}

/** Contract 4.1: lists the organization's shops, including inactive shops. */
export async function listShops(ctx: Context) {
  const { orgId } = requireScope(ctx, 'products.read');
  const shops = await ctx.db.rows(selectShopsWithHost({ orgId }));
  return shops.map((shop) => ({
    ...shop,
    /** Null if no host is active. */
    url: shop.host === null ? null : addressOf(ctx, shop.host),
    shippingOptions: shippingOptionsOf(shop),
  }));
}

export type Shop = Awaited<ReturnType<typeof listOwnShops>>[number];

/** Returns the owner's shops with their hosts. Links use the first active host of a shop. */
export async function listOwnShops(ctx: Context) {
  const { orgId } = requireRole(ctx, ['owner']);
  return readShops(ctx, orgId);
}

/** @throws AppError `shop_not_found` */
export async function getShop(ctx: Context, shopId: string): Promise<Shop> {
  const { orgId } = requireRole(ctx, ['owner']);
  return requireShop(ctx, orgId, shopId);
}

async function requireShop(ctx: Context, orgId: string, shopId: string): Promise<Shop> {
  const [shop] = await readShops(ctx, orgId, shopId);
  if (!shop) throw notFound('shop_not_found');
  return shop;
}

async function readShops(ctx: Context, orgId: string, shopId?: string) {
  const { shops, hosts } = await ctx.db.run({
    shops: selectShops(orgId, shopId),
    hosts: selectHosts(orgId, shopId),
  });
  const told = await Promise.all(hosts.map((host) => withProof(ctx, orgId, host)));
  return shops.map((shop) => ({ ...shop, hosts: told.filter((host) => host.shopId === shop.id) }));
}

/**
 * Adds `txt` to a host: the TXT record that proves who owns it. `txt` is null for an active host, which needs no proof.
 */
async function withProof<H extends { host: string; pendingId: string | null }>(ctx: Context, orgId: string, host: H) {
  const { pendingId: id, host: name, ...rest } = host;
  const txt = id === null ? null : { name: txtNameOf(name), value: await txtValueOf(ctx, { id, orgId, host: name }) };
  return { ...rest, host: name, txt };
}

/**
 * Changes a shop's settings.
 * @param input.seenAt `updatedAt` of the row that the form showed. If somebody has changed the row since, nothing is
 *   overwritten
 * @throws AppError `shop_not_found`, `changed_meanwhile`
 */
export async function updateShop(
  ctx: Context,
  input: { shopId: string; changes: Partial<ShopSettings & ShopFeeSettings>; seenAt: number },
): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  await writeShop(ctx, { orgId, ...input });
}

type ShopWrite = Omit<Parameters<typeof updateShopRow>[0], 'now'> & { seenAt: number };

async function writeShop(ctx: Context, { orgId, shopId, changes, seenAt }: ShopWrite): Promise<void> {
  const fields = wireNames(shopsFields, Object.keys(changes));
  const batch = {
    shop: updateShopRow({ orgId, shopId, changes, now: ctx.now() }, seenAt),
    audit: recordAudit(ctx, { orgId, action: 'shop.updated', entityId: shopId, fields }),
  };
  const refused = async () => {
    await requireShop(ctx, orgId, shopId);
    return new AppError('changed_meanwhile', 'Somebody else changed it in the meantime. Reload it first.');
  };
  await commit(ctx, batch, { refused });
}

type ShopPatch = Partial<Pick<ShopSettings, 'name'> & Pick<ShopFeeSettings, 'feeMaxCents'> & { isActive: boolean }> & {
  /** Fees in cents, by the names of shipping options. Null removes a fee. */
  fees?: Record<string, number | null>;
  /** The option of each alias. The aliases here replace all that the shop had. */
  shippingAliases?: Record<string, string>;
  /** For how many minutes the shop's requests reserve stock: pending ones, and paid ones. */
  reserveMinutes?: { pending?: number; paid?: number };
  /** The kinds of Express and of the delivery service, by the option's name. */
  shippingKinds?: Record<string, ShippingKind>;
};

/**
 * Changes only those settings that the patch contains.
 * @returns the changed shop
 * @throws AppError `shop_not_found`, `changed_meanwhile`; `unknown_shipping_option` for an option that the shop lacks;
 *   `validation_failed` for an alias that is taken
 */
export async function patchShop(ctx: Context, orgId: string, shopId: string, patch: ShopPatch): Promise<Shop> {
  requireOperator(ctx);
  const { fees, shippingAliases, shippingKinds, reserveMinutes = {}, ...rest } = patch;
  const { pending, paid } = reserveMinutes;
  const shop = await requireShop(ctx, orgId, shopId);
  const changes = {
    ...rest,
    ...(fees && { fees: { ...shop.fees, ...feesOf(shop, fees) } }),
    ...(shippingAliases && { shippingAliases: aliasesOf(shop, shippingAliases) }),
    ...(shippingKinds && kindsOf(shop, shippingKinds)),
    ...(pending !== undefined && { reservePendingMinutes: pending }),
    ...(paid !== undefined && { reservePaidMinutes: paid }),
  };
  await writeShop(ctx, { orgId, shopId, changes, seenAt: shop.updatedAt });
  return requireShop(ctx, orgId, shopId);
}

type OwnOptions = { deliveryServiceName: string };

/**
 * Returns the fees of a patch by the keys of their options. A fee that the patch removes is undefined.
 * @throws AppError `unknown_shipping_option`
 */
function feesOf(shop: OwnOptions, fees: Record<string, number | null>): ShopFees {
  return Object.fromEntries(
    Object.entries(fees).map(([name, cents]) => [keyOf(shop, name, '/fees'), cents ?? undefined]),
  );
}

/**
 * Returns the key of the option that a text names, in upper or lower case.
 * @throws AppError `unknown_shipping_option`
 */
function keyOf(shop: OwnOptions, name: string, pointer: string): FeeKey {
  const option = shippingOptionIn(name, { ...shop, shippingAliases: {} });
  if (option) return feeKeyOf(option);
  throw invalidField(pointer, 'unknown_shipping_option', `Allowed: ${shippingOptionsOf(shop).join(', ')}.`);
}

/**
 * Returns the key of the shipping option that each alias stands for.
 * @throws AppError `validation_failed` if an alias is the name of an option, or occurs twice;
 *   `unknown_shipping_option`
 */
function aliasesOf(shop: OwnOptions, aliases: Record<string, string>): ShippingAliases {
  const pointer = '/shipping_aliases';
  const taken = Object.keys(aliases).find((alias) => shippingOptionIn(alias, { ...shop, shippingAliases: {} }));
  if (taken !== undefined) {
    throw invalidField(`${pointer}/${taken}`, 'shipping_option_taken', 'An option has this name already.');
  }
  const names = Object.keys(aliases).map((alias) => foldText(alias.trim()));
  const twice = Object.keys(aliases).find((_, place) => names.indexOf(names[place] ?? '') < place);
  if (twice !== undefined) {
    throw invalidField(`${pointer}/${twice}`, 'shipping_option_taken', 'Another alias differs from it by case alone.');
  }
  return Object.fromEntries(Object.entries(aliases).map(([alias, name]) => [alias, keyOf(shop, name, pointer)]));
}

/**
 * Returns a shop's columns for the kinds of its shipping options.
 * @throws AppError `unknown_shipping_option` for any option other than Express and the delivery service
 */
export function kindsOf(shop: OwnOptions, kinds: Record<string, ShippingKind>): Partial<ShopFeeSettings> {
  const columns = Object.entries(kinds).map(([name, kind]) => {
    const key = keyOf(shop, name, '/shipping_kinds');
    if (key === 'Express') return ['expressKind', kind];
    if (key === 'delivery') return ['deliveryServiceKind', kind];
    const message = `Only Express and ${shop.deliveryServiceName} are of one kind or the other.`;
    throw invalidField('/shipping_kinds', 'unknown_shipping_option', message);
  });
  return Object.fromEntries(columns);
}

/**
 * Sets whether a shop accepts order requests. An inactive shop refuses them (`shop_inactive`). Safe to repeat.
 * @throws AppError `shop_not_found`
 */
export async function setShopActive(ctx: Context, input: { shopId: string; isActive: boolean }): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const { shopId, isActive } = input;
  const action = isActive ? 'shop.activated' : 'shop.deactivated';
  const fields = wireNames(shopsFields, ['isActive']);
  const changed = await tryCommit(ctx, {
    shop: updateShopActive({ orgId, shopId, now: ctx.now() }, isActive),
    audit: recordAudit(ctx, { orgId, action, entityId: shopId, fields }),
  });
  // Nothing was changed: either the shop has this state already, or it does not exist.
  if (!changed) await getShop(ctx, shopId);
}

const HOST_LABEL_LENGTH = 12;
/** The example IBAN of the IBAN registry. A transfer to it pays nobody. */
const EXAMPLE_IBAN = 'DE89370400440532013000';
const MARK = 'TEST';

/** The ids of a new test organization and of its shop. */
export interface TestOrganization {
  orgId: string;
  shopId: string;
}

/**
 * Returns batch entries with the first data of a new test organization. Another slice implements the function and
 * passes it to `openTestOrganization`.
 * @param liveId the organization for which the test organization is made
 */
type SeedTestOrganization = (ctx: Context, to: TestOrganization, liveId: string) => Promise<BatchEntry[]>;

/**
 * Returns the test organization of an organization. The first call makes it on the same database. The test organization
 * begins with the organization's settings, one shop, and the data of `seed`. It has the same checks and limits, but its
 * own keys. Safe to repeat, even at the same moment.
 * @throws AppError `organization_not_found`; `conflict` for a test organization, which has none
 */
export async function openTestOrganization(
  ctx: Context,
  orgId: string,
  seed: SeedTestOrganization,
): Promise<{ orgId: string; isNew: boolean }> {
  requireOwnerOrOperator(ctx, orgId);
  const live = await requireOrganization(ctx, orgId);
  if (live.isTest) throw new AppError('conflict', 'This is a test organization already.');
  if (live.counterpartId !== null) return { orgId: live.counterpartId, isNew: false };
  const made = await make(ctx, live, seed);
  if (made !== null) return { orgId: made, isNew: true };
  // Another call made it first, or the batch was sent twice.
  const { counterpartId } = await requireOrganization(ctx, orgId);
  if (counterpartId === null)
    throw new AppError('conflict', 'The organization was changed meanwhile. Repeat the request.');
  return { orgId: counterpartId, isNew: false };
}

type Live = Awaited<ReturnType<typeof requireOrganization>>;

/**
 * Creates the test organization of a live one, with one shop. `seed` returns the entries that add its first data.
 * @returns the id of the new test organization; null if the organization has got one in the meantime
 */
async function make(ctx: Context, live: Live, seed: SeedTestOrganization): Promise<string | null> {
  const [orgId, shopId, now] = [newId(), newId(), ctx.now()];
  const { lowStockThreshold, requestRetentionDays, orderRetentionDays, prescriptionValidDays, signatureCheck } = live;
  const times = { createdAt: now, updatedAt: now };
  const inside = actingAs(ctx, { kind: 'system' });
  const committed = await tryCommit(ctx, {
    live: claimTestOrganization(live.id, orgId),
    // The directory entry of the host needs this entry.
    directory: await reserve(inside, { kind: 'organization', key: orgId, orgId }),
    organization: insertOrganization({
      ...{ id: orgId, isTest: true, counterpartId: live.id, name: `${MARK} ${live.name}`.slice(0, NAME_LENGTH_MAX) },
      ...{ lowStockThreshold, requestRetentionDays, orderRetentionDays, prescriptionValidDays, signatureCheck },
      ...{ iban: EXAMPLE_IBAN, paymentRecipient: MARK, ...times },
    }),
    shop: insertShop({
      ...{ id: shopId, orgId, name: 'Test-Shop', isActive: true, ...times },
      deliveryServiceName: DELIVERY_SERVICE_NAME_DEFAULT,
    }),
    hosts: await addHosts(inside, { orgId, shopId }, [newTestHost(ctx)]),
    seeded: await seed(inside, { orgId, shopId }, live.id),
    made: recordAudit(inside, { orgId, action: 'organization.created', entityId: orgId }),
    audit: recordAudit(ctx, { orgId: live.id, action: 'organization.test_opened', entityId: live.id }),
  });
  return committed ? orgId : null;
}

/** Returns the id of an organization's test organization. Null if it has none, or is a test organization itself. */
export async function testOrganizationOf(ctx: Context, orgId: string): Promise<string | null> {
  const { isTest, counterpartId } = await requireOrganization(ctx, orgId);
  return isTest ? null : counterpartId;
}

/** Returns a random, unused host for a test shop. The host is below the base host, so it needs no domain of its own. */
function newTestHost(ctx: Context): string {
  return `test-${randomBase62(HOST_LABEL_LENGTH).toLowerCase()}.${ctx.config.baseHost}`;
}

/** Whether an organization is a test organization. False if the context's database does not have the organization. */
export async function isTestOrganization(ctx: Context, orgId: string): Promise<boolean> {
  const [found] = await ctx.db.rows(selectOrganization(orgId));
  return found?.isTest ?? false;
}

/**
 * As `isTestOrganization`, but for an organization on any database. Takes one or two round trips, so it is only for
 * requests that are refused.
 */
export async function isTestAnywhere(globalCtx: Context, orgId: string): Promise<boolean> {
  const ctx = await inOrganization(globalCtx, orgId);
  return ctx !== null && isTestOrganization(ctx, orgId);
}
