import { recordAudit } from '../audit/record';
import { requireOperator, requireOwnerOrOperator, requireRole } from '../platform/access';
import type { Context } from '../platform/context';
import { assertOneRowChanged, ConstraintError, isGuardFailure, type Statement } from '../platform/db';
import { AppError, type FieldError, invalidInput, notFound } from '../platform/errors';
import { HOSTS_MAX, PENDING_HOSTS_MAX } from './limits';
import { HOST_FAULT_MESSAGES, normaliseHost } from './rules';
import {
  claimHost,
  deleteHost,
  deletePendingHost,
  deletePendingOf,
  type HostOfShop,
  insertPendingHost,
  refuseActiveHost,
  selectHost,
  selectPendingCount,
  selectPendingHosts,
} from './store-hosts';
import { selectHosts, selectShopOfOrganization } from './store-shops';

const LIMITS = { ofShop: HOSTS_MAX, pendingOfOrganization: PENDING_HOSTS_MAX };

/**
 * Adds a host to a shop. An owner's waits for the operator, and keeps nobody else from asking for the same. The
 * operator's is active, whoever asked for it before, so it is also how the operator lets a waiting one in; once active it
 * stays where it is.
 * @returns whether anything changed: the operator may say the same twice
 * @throws AppError `validation_failed`, `shop_not_found`, `host_taken`, `host_limit_reached`,
 *   `pending_host_limit_reached`
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
    const { shop, found, waiting } = await ctx.db.run({
      shop: selectShopOfOrganization(ctx.db, orgId, shopId),
      found: selectHost(ctx.db, host),
      waiting: selectPendingCount(ctx.db, orgId),
    });
    if (shop.length === 0) throw noShop();
    if (isOwner) throw whyNotPending(waiting[0]?.pending, 1) ?? hostLimit();
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
    const statements: Statement[] = isOwner
      ? [
          refuseActiveHost(ctx.db, { ...at, host }, createdAt),
          insertPendingHost(ctx.db, { ...at, host }, LIMITS, createdAt),
          assertOneRowChanged(ctx.db),
        ]
      : [claimHost(ctx.db, { ...at, host }, createdAt), assertOneRowChanged(ctx.db), deletePendingOf(ctx.db, host)];
    return statements;
  });
}

/** Why an owner's hosts of a new shop were refused, if it was for them. */
export async function whyHostsRefused(ctx: Context, orgId: string, count: number): Promise<AppError | null> {
  const { waiting } = await ctx.db.run({ waiting: selectPendingCount(ctx.db, orgId) });
  return whyNotPending(waiting[0]?.pending, count);
}

function whyNotPending(pending = 0, added: number): AppError | null {
  if (pending + added <= PENDING_HOSTS_MAX) return null;
  const detail = `At most ${PENDING_HOSTS_MAX} hosts of an organization wait for the operator at a time. Remove one first.`;
  return new AppError('pending_host_limit_reached', detail);
}

function hostLimit(): AppError {
  const detail = `A shop has at most ${HOSTS_MAX} hosts that owners add. Remove one first.`;
  return new AppError('host_limit_reached', detail);
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
  const remove = status === 'active' ? deleteHost : deletePendingHost;
  try {
    await ctx.db.run({
      host: remove(ctx.db, { orgId, shopId, host }),
      guard: assertOneRowChanged(ctx.db),
      audit: recordAudit(ctx, { orgId, action: 'shop_host.removed', entityId: shopId }),
    });
  } catch (error) {
    if (!isGuardFailure(error)) throw error;
    const { hosts } = await ctx.db.run({ hosts: selectHosts(ctx.db, orgId, shopId) });
    const found = hosts.find((each) => each.host === host);
    if (!found) throw notFound();
    if (found.status !== status) {
      throw new AppError('changed_meanwhile', 'The host became active. Look at it again.');
    }
    throw new AppError('last_host', 'An active shop keeps one active host. Deactivate the shop first.');
  }
}

/**
 * One page of what waits for the operator, the longest wait first.
 * @param input.after `nextCursor` of the page before, 0 for the first
 * @returns `nextCursor` null at the end
 */
export async function listPendingHosts(ctx: Context, input: { after: number; limit: number }) {
  requireOperator(ctx);
  const { rows } = await ctx.db.run({ rows: selectPendingHosts(ctx.db, input.after, input.limit + 1) });
  const hosts = rows.slice(0, input.limit);
  return { hosts, nextCursor: rows.length > input.limit ? (hosts.at(-1)?.seq ?? null) : null };
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
  const isTaken = error instanceof ConstraintError && /^(shop|pending)_hosts\.host\b/.test(error.constraint);
  return isTaken || isGuardFailure(error) ? hostTaken() : error;
}

function hostTaken(): AppError {
  return new AppError('host_taken', 'This host already names a shop.');
}

function noShop(): AppError {
  return notFound('shop_not_found', 'There is no such shop.');
}
