import { recordAudit } from '../audit/record';
import { requireOwnerOrOperator, requireRole } from '../platform/access';
import type { Context } from '../platform/context';
import { asOrganizationNotFound, assertOneRowChanged, isGuardFailure } from '../platform/db';
import { AppError, notFound } from '../platform/errors';
import { newId } from '../platform/ids';
import { addHosts, hostRefusal, normaliseHosts, whyHostsRefused } from './hosts';
import { SHOPS_MAX } from './limits';
import { insertShop, selectHosts, selectShops, updateShopActive, updateShopRow } from './store-shops';

/** The fourth shipping option (contract 5.3) of a shop whose delivery service was given no name. */
const DELIVERY_SERVICE_NAME_DEFAULT = 'Lieferdienst';

export interface NewShop {
  orgId: string;
  name: string;
  hosts: string[];
  deliveryServiceName?: string;
}

/**
 * Opens a shop with its hosts, all or nothing. An owner's hosts wait for the operator, the operator's are active.
 * @throws AppError `validation_failed` (a host that cannot name a shop), `host_taken`, `organization_not_found`,
 *   `shop_limit_reached`, `pending_host_limit_reached`
 */
export async function createShop(ctx: Context, input: NewShop): Promise<{ shopId: string }> {
  requireOwnerOrOperator(ctx, input.orgId);
  const hosts = normaliseHosts(ctx, input.hosts, (index) => `/hosts/${index}`);
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
    createdAt: now,
    updatedAt: now,
  };
  try {
    await ctx.db.run({
      shop: insertShop(ctx.db, shop, isOwner ? SHOPS_MAX : undefined),
      guard: assertOneRowChanged(ctx.db),
      hosts: addHosts(ctx, { orgId, shopId }, hosts),
      audit: recordAudit(ctx, { orgId, action: 'shop.created', entityId: shopId }),
    });
  } catch (error) {
    if (isOwner && isGuardFailure(error)) {
      const refused = await whyHostsRefused(ctx, orgId, hosts.length);
      if (refused) throw refused;
      const detail = `An organization opens at most ${SHOPS_MAX} shops by itself. Ask the operator for more.`;
      throw new AppError('shop_limit_reached', detail);
    }
    throw hostRefusal(asOrganizationNotFound(error));
  }
  return { shopId };
}

export type Shop = Awaited<ReturnType<typeof listShops>>[number];

/** The owner's shops with their hosts; of each shop the first active host is its address in links. */
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
    shops: selectShops(ctx.db, orgId, shopId),
    hosts: selectHosts(ctx.db, orgId, shopId),
  });
  return shops.map((shop) => ({ ...shop, hosts: hosts.filter((host) => host.shopId === shop.id) }));
}

/**
 * Gives a shop another name, or its delivery service.
 * @param input.seenAt `updatedAt` of what was on the screen: nothing is written over what somebody else saved since
 * @throws AppError `shop_not_found`, `changed_meanwhile`
 */
export async function updateShop(
  ctx: Context,
  input: { shopId: string; changes: { name: string; deliveryServiceName: string }; seenAt: number },
): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const { shopId, changes, seenAt } = input;
  try {
    await ctx.db.run({
      shop: updateShopRow(ctx.db, { orgId, shopId, changes, now: ctx.now() }, seenAt),
      guard: assertOneRowChanged(ctx.db),
      audit: recordAudit(ctx, { orgId, action: 'shop.updated', entityId: shopId, fields: Object.keys(changes) }),
    });
  } catch (error) {
    if (!isGuardFailure(error)) throw error;
    await getShop(ctx, shopId);
    throw new AppError('changed_meanwhile', 'Somebody else changed it. Read it again first.');
  }
}

/** Lets a shop take order requests or refuse them (`shop_inactive`). Safe to repeat. @throws AppError `shop_not_found` */
export async function setShopActive(ctx: Context, input: { shopId: string; isActive: boolean }): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const { shopId, isActive } = input;
  try {
    await ctx.db.run({
      shop: updateShopActive(ctx.db, { orgId, shopId, now: ctx.now() }, isActive),
      guard: assertOneRowChanged(ctx.db),
      audit: recordAudit(ctx, {
        orgId,
        action: isActive ? 'shop.activated' : 'shop.deactivated',
        entityId: shopId,
        fields: ['isActive'],
      }),
    });
  } catch (error) {
    if (!isGuardFailure(error)) throw error;
    await getShop(ctx, shopId);
  }
}

function noShop(): AppError {
  return notFound('shop_not_found', 'There is no such shop.');
}
