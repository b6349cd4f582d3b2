import { recordAudit } from '../audit/record';
import { requireOwnerOrOperator, requireRole } from '../platform/access';
import { commit, organizationMustExist, tryCommit } from '../platform/commit';
import { actingAs, type Context } from '../platform/context';
import { AppError } from '../platform/errors';
import { wireNames } from '../platform/fields';
import { newId } from '../platform/ids';
import { txtNameOf, txtValueOf } from './domain-check';
import { type ShopSettings, shopsFields } from './fields';
import {
  addHosts,
  hostMustBeFree,
  hostTaken,
  normalizeHosts,
  noShop,
  whyHostsRefused,
  withdrawElsewhere,
} from './hosts';
import { SHOPS_MAX } from './limits';
import { DELIVERY_SERVICE_NAME_DEFAULT } from './rules';
import { insertShop, selectHosts, selectShops, updateShopActive, updateShopRow } from './store-shops';
import { newTestHost } from './test-organization';

export type NewShop = Partial<ShopSettings> &
  Pick<ShopSettings, 'name'> & {
    orgId: string;
    hosts: string[];
    /** Its organization is a test organization: the shop also gets a host below the base host, active at once. */
    isOfTest?: boolean;
  };

/**
 * Opens a shop with its hosts, all or nothing. Hosts from an owner are pending until the operator confirms them, hosts
 * from the operator are active.
 * @throws AppError `validation_failed` (a host that cannot be a shop's host), `host_taken`, `organization_not_found`,
 *   `shop_limit_reached`, `pending_host_limit_reached`
 */
export async function createShop(ctx: Context, input: NewShop): Promise<{ shopId: string }> {
  requireOwnerOrOperator(ctx, input.orgId);
  const hosts = normalizeHosts(ctx, input.hosts, (index) => `/hosts/${index}`);
  const { orgId } = input;
  const isOwner = ctx.actor.kind === 'staff';
  const shopId = newId();
  const now = ctx.now();
  const shop = {
    id: shopId,
    orgId,
    name: input.name,
    isActive: true,
    deliveryServiceName: input.deliveryServiceName ?? DELIVERY_SERVICE_NAME_DEFAULT,
    street: input.street,
    postalCode: input.postalCode,
    city: input.city,
    phone: input.phone,
    openingHours: input.openingHours,
    createdAt: now,
    updatedAt: now,
  };
  const at = { orgId, shopId };
  const ownHosts = input.isOfTest ? [newTestHost(ctx)] : [];
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

/** Where a shop is reached: scheme and port of the base address, with the shop's host. */
export function addressOf(ctx: Context, host: string): string {
  const { protocol, port } = new URL(ctx.config.baseUrl);
  return `${protocol}//${host}${port && `:${port}`}`;
}

function shopLimit(): AppError {
  const detail = `An organization opens at most ${SHOPS_MAX} shops by itself. Ask the operator for more.`;
  return new AppError('shop_limit_reached', detail);
}

export type Shop = Awaited<ReturnType<typeof listShops>>[number];

/** The owner's shops with their hosts; the first active host of each shop is used in links. */
export async function listShops(ctx: Context) {
  const { orgId } = requireRole(ctx, ['owner']);
  return readShops(ctx, orgId);
}

/** @throws AppError `shop_not_found` */
export async function getShop(ctx: Context, shopId: string): Promise<Shop> {
  const { orgId } = requireRole(ctx, ['owner']);
  const [shop] = await readShops(ctx, orgId, shopId);
  if (!shop) throw noShop();
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

/** A host that waits is told with the TXT record that proves whose it is; an active one needs none. */
async function withProof<H extends { host: string; pendingId: string | null }>(ctx: Context, orgId: string, host: H) {
  const { pendingId: id, host: name, ...rest } = host;
  const txt = id === null ? null : { name: txtNameOf(name), value: await txtValueOf(ctx, { id, orgId, host: name }) };
  return { ...rest, host: name, txt };
}

/**
 * Changes what a shop says of itself: its name, that of its delivery service, its address, phone number and opening hours.
 * @param input.seenAt `updatedAt` of what the form showed, so that nobody overwrites a later change unseen
 * @throws AppError `shop_not_found`, `changed_meanwhile`
 */
export async function updateShop(
  ctx: Context,
  input: { shopId: string; changes: Partial<ShopSettings>; seenAt: number },
): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const { shopId, changes, seenAt } = input;
  const fields = wireNames(shopsFields, Object.keys(changes));
  const batch = {
    shop: updateShopRow({ orgId, shopId, changes, now: ctx.now() }, seenAt),
    audit: recordAudit(ctx, { orgId, action: 'shop.updated', entityId: shopId, fields }),
  };
  const refused = async () => {
    await getShop(ctx, shopId);
    return new AppError('changed_meanwhile', 'Somebody else changed it in the meantime. Reload it first.');
  };
  await commit(ctx, batch, { refused });
}

/**
 * Sets whether a shop accepts order requests or refuses them (`shop_inactive`). Safe to repeat. @throws AppError
 * `shop_not_found`
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
