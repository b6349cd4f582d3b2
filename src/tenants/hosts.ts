import { recordAudit } from '../audit/record';
import { requireOperator, requireOwnerOrOperator, requireRole } from '../platform/access';
import type { Context } from '../platform/context';
import { ConstraintError, isGuardFailure, mustChangeOne, type Statement } from '../platform/db';
import { AppError, type FieldError, invalidInput, notFound } from '../platform/errors';
import { HOST_FAULT_MESSAGES, normaliseHost } from './rules';
import {
  claimHost,
  deleteHost,
  type HostOfShop,
  insertPendingHost,
  selectHost,
  selectPendingHosts,
} from './store-hosts';
import { selectHosts, selectShopOfOrganization } from './store-shops';

/** What owners may add to a shop by themselves; the operator is not held to it. */
export const HOSTS_MAX = 10;
const PENDING_LISTED_MAX = 200;

/**
 * Adds a host to a shop. An owner's waits for the operator. The operator's is active, whoever asked for it before, so it
 * is also how the operator lets a waiting one in; once active it stays where it is.
 * @returns whether anything changed: the operator may say the same twice
 * @throws AppError `validation_failed`, `shop_not_found`, `host_taken`, `host_limit_reached`
 */
export async function addShopHost(
  ctx: Context,
  input: { orgId: string; shopId: string; host: string },
): Promise<{ host: string; isChanged: boolean }> {
  requireOwnerOrOperator(ctx, input.orgId);
  const { orgId, shopId } = input;
  const [host = ''] = normaliseHosts(ctx, [input.host], () => '/host');
  const isOwner = ctx.actor.kind === 'staff';
  const action = isOwner ? 'shop_host.added' : 'shop_host.activated';
  try {
    await ctx.db.run({
      hosts: addHosts(ctx, { orgId, shopId }, [host]),
      audit: recordAudit(ctx, { orgId, action, entityId: shopId }),
    });
  } catch (error) {
    if (!isGuardFailure(error)) throw hostRefusal(error);
    const { shop, found } = await ctx.db.run({
      shop: selectShopOfOrganization(ctx.db, orgId, shopId),
      found: selectHost(ctx.db, host),
    });
    if (shop.length === 0) throw noShop();
    if (isOwner) {
      const detail = `A shop has at most ${HOSTS_MAX} hosts that owners add. Remove one first.`;
      throw new AppError('conflict', 'host_limit_reached', detail);
    }
    if (found[0]?.shopId !== shopId) throw hostTaken();
    return { host, isChanged: false };
  }
  return { host, isChanged: true };
}

/** The statements that give a shop hosts, each guarded, in their order: the first active one is the address in links. */
export function addHosts(ctx: Context, at: Omit<HostOfShop, 'host'>, hosts: readonly string[]): Statement[] {
  const isOwner = ctx.actor.kind === 'staff';
  return hosts.flatMap((host, index) => {
    const createdAt = ctx.now() + index;
    const statement = isOwner
      ? insertPendingHost(ctx.db, { ...at, host }, HOSTS_MAX, createdAt)
      : claimHost(ctx.db, { ...at, host }, createdAt);
    return [statement, mustChangeOne(ctx.db)];
  });
}

/**
 * Takes a host from a shop: nothing answers there any more, and only the operator can bring it back. The last active one
 * of an active shop stays.
 * @param input.status what the person was told that it is
 * @throws AppError 404, `changed_meanwhile`, `last_host`
 */
export async function removeShopHost(
  ctx: Context,
  input: { shopId: string; host: string; status: 'active' | 'pending' },
): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const { shopId, host, status } = input;
  try {
    await ctx.db.run({
      host: deleteHost(ctx.db, { orgId, shopId, host }, status),
      guard: mustChangeOne(ctx.db),
      audit: recordAudit(ctx, { orgId, action: 'shop_host.removed', entityId: shopId }),
    });
  } catch (error) {
    if (!isGuardFailure(error)) throw error;
    const { hosts } = await ctx.db.run({ hosts: selectHosts(ctx.db, orgId, shopId) });
    const found = hosts.find((each) => each.host === host);
    if (!found) throw notFound();
    if (found.status !== status) {
      throw new AppError('conflict', 'changed_meanwhile', 'The host became active. Look at it again.');
    }
    throw new AppError('conflict', 'last_host', 'An active shop keeps one active host. Deactivate the shop first.');
  }
}

/** What waits for the operator, the longest wait first. */
export async function listPendingHosts(ctx: Context) {
  requireOperator(ctx);
  const { hosts } = await ctx.db.run({ hosts: selectPendingHosts(ctx.db, PENDING_LISTED_MAX) });
  return hosts;
}

/** @throws AppError `validation_failed` naming every host that cannot name a shop */
export function normaliseHosts(ctx: Context, hosts: readonly string[], pointerAt: (index: number) => string): string[] {
  const errors: FieldError[] = [];
  const normalised = hosts.map((input, index) => {
    const result = normaliseHost(input, ctx.config);
    if ('host' in result) return result.host;
    errors.push({ pointer: pointerAt(index), code: result.fault, message: HOST_FAULT_MESSAGES[result.fault] });
    return '';
  });
  if (errors.length > 0) throw invalidInput(errors);
  return [...new Set(normalised)];
}

/** What a batch that gives a shop hosts failed with, in the caller's terms; anything else as it is. */
export function hostRefusal(error: unknown): unknown {
  const isTaken = error instanceof ConstraintError && error.constraint === 'shop_hosts.host';
  return isTaken || isGuardFailure(error) ? hostTaken() : error;
}

function hostTaken(): AppError {
  return new AppError('conflict', 'host_taken', 'This host already names a shop.');
}

function noShop(): AppError {
  return notFound('shop_not_found', 'There is no such shop.');
}
