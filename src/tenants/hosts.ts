import { noting } from '../audit/journal';
import { recordAudit } from '../audit/record';
import { type Entry, leadsElsewhere, release, reserveHost } from '../directory/reserve';
import { requireOperator, requireOwnerOrOperator, requireRole } from '../platform/access';
import { type BatchEntry, commit, tryCommit } from '../platform/commit';
import { type Context, onEachDatabase, onOtherDatabases } from '../platform/context';
import type { Database } from '../platform/data/db';
import { pageOf } from '../platform/data/page';
import { AppError, type FieldError, invalidInput, notFound } from '../platform/errors/errors';
import { describeError } from '../platform/log';
import { HOSTS_MAX, MOVED_HOSTS_MAX, PENDING_HOSTS_MAX } from './limits';
import { HOST_FAULT_MESSAGES, normalizeHost } from './rules';
import { isServed, selectHosts, selectOrganizationIds, selectShopOfOrganization } from './store';
import {
  claimHost,
  deleteHost,
  deletePendingHost,
  deletePendingOf,
  type HostOfShop,
  insertPendingHost,
  insertReleased,
  refuseActiveHost,
  selectActiveHosts,
  selectHost,
  selectMovedHosts,
  selectPendingCount,
  selectPendingHosts,
} from './store-hosts';
import type { PendingStatus } from './tables';

/**
 * Adds a host to a shop. A host from an owner is pending until the operator confirms it; other organizations may ask
 * for the same name. A host from the operator is active at once, even if other organizations asked for it. So the
 * operator confirms a pending host with this call, too. An active host stays with its shop.
 * @returns the host as it is stored, and whether anything changed: the operator may repeat the call
 * @throws AppError `validation_failed`, `shop_not_found`, `host_taken`, `host_limit_reached`,
 * `pending_host_limit_reached`
 */
export async function addShopHost(
  ctx: Context,
  input: { orgId: string; shopId: string; host: string },
): Promise<{ host: string; isChanged: boolean }> {
  requireOwnerOrOperator(ctx, input.orgId);
  const { orgId, shopId } = input;
  const [host = ''] = normalizeHosts(ctx, [input.host], () => '/host');
  const isOwner = ctx.actor.kind === 'staff';
  const action = isOwner ? 'shop_host.added' : 'shop_host.activated';
  const batch = {
    hosts: await addHosts(ctx, { orgId, shopId }, [host]),
    audit: recordAudit(ctx, { orgId, action, entityId: shopId }),
  };
  const added = await tryCommit(ctx, batch, hostMustBeFree);
  if (added) {
    withdrawElsewhere(ctx, [host]);
    return { host, isChanged: true };
  }
  const { shop, found, waiting } = await ctx.db.run({
    shop: selectShopOfOrganization({ orgId, shopId }),
    found: selectHost(host),
    waiting: selectPendingCount(orgId),
  });
  if (shop.length === 0) throw notFound('shop_not_found');
  if (isOwner) throw whyNotPending(waiting[0]?.pending, 1) ?? hostLimit();
  if (found[0]?.shopId !== shopId) throw hostTaken();
  return { host, isChanged: false };
}

/**
 * Statements that give a shop hosts, in this order: links use the first active host. Put them behind the statements
 * that create the shop.
 * @throws AppError `host_taken`
 */
export async function addHosts(
  ctx: Context,
  at: Omit<HostOfShop, 'host'>,
  hosts: readonly string[],
): Promise<BatchEntry[]> {
  const add = ctx.actor.kind === 'staff' ? addPending : addActive;
  const added = hosts.map((host, index) => add(ctx, { ...at, host }, ctx.now() + index));
  return (await Promise.all(added)).flat();
}

async function addPending(ctx: Context, at: HostOfShop, createdAt: number): Promise<BatchEntry[]> {
  if (await leadsElsewhere(ctx, at, activeHosts)) throw hostTaken();
  return [refuseActiveHost(at, createdAt), insertPendingHost(at, createdAt)];
}

/**
 * Batch entries that make a host active for the shop. @throws AppError `host_taken` if it belongs to another
 * organization
 */
export async function addActive(ctx: Context, at: HostOfShop, createdAt: number): Promise<BatchEntry[]> {
  const reserved = await reserveHost(ctx, at, activeHosts);
  if (!reserved) throw hostTaken();
  return [...reserved, claimHost(at, createdAt), deletePendingOf(at.host)];
}

/**
 * Deletes pending requests for newly active hosts on the other databases. If a database is unreachable, the request
 * stays in the operator's list, and confirming it is refused.
 */
export function withdrawElsewhere(ctx: Context, hosts: readonly string[]): void {
  if (ctx.actor.kind === 'staff' || hosts.length === 0) return;
  for (const { db } of onOtherDatabases(ctx)) {
    const gone = db.run({ pending: hosts.map((host) => deletePendingOf(host)) });
    ctx.defer(gone.catch((error) => ctx.log('error', 'after_commit_failed', describeError(error))));
  }
}

/** The error if the limit of pending hosts was the reason that a new shop was refused; otherwise null. */
export async function whyHostsRefused(ctx: Context, orgId: string, count: number): Promise<AppError | null> {
  const [waiting] = await ctx.db.rows(selectPendingCount(orgId));
  return whyNotPending(waiting?.pending, count);
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
 * Removes a host from a shop: requests to it are no longer answered, and its hostname at Cloudflare is deleted. If it
 * is added again, it needs a new TXT record. The last active host of an active shop cannot be removed.
 * @param input.status the status that the person saw
 * @throws AppError `not_found`, `changed_meanwhile`, `last_host`
 */
export async function removeShopHost(
  ctx: Context,
  input: { shopId: string; host: string; status: 'active' | 'pending' },
): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const { shopId, host, status } = input;
  const batch = removing(ctx, { orgId, shopId, host }, status);
  const refused = async () => {
    const found = (await ctx.db.rows(selectHosts(orgId, shopId))).find((each) => each.host === host);
    if (!found) return notFound();
    if (isServed(found.status) !== (status === 'active')) {
      return new AppError('changed_meanwhile', 'The host became active in the meantime. Reload it first.');
    }
    return new AppError('last_host', 'An active shop needs at least one active host. Deactivate the shop first.');
  };
  const kind = status === 'active' ? 'shop_host' : 'pending_host';
  await noting(ctx, { orgId, kind, id: shopId, at: ctx.now(), host }, () => commit(ctx, batch, { refused }));
}

/** @param before epoch ms; a host that was added after it stays, and the batch is undone */
function removing(ctx: Context, at: HostOfShop, status: 'active' | 'pending', before?: number) {
  const { orgId, shopId, host } = at;
  const remove = status === 'active' ? deleteHost : deletePendingHost;
  return {
    released: ctx.config.shopZone ? insertReleased(at, status, ctx.now()) : undefined,
    host: remove(at, before),
    entry: status === 'active' ? release(ctx, { kind: 'host', key: host, orgId }) : undefined,
    audit: recordAudit(ctx, { orgId, action: 'shop_host.removed', entityId: shopId }),
  };
}

/**
 * Removes a host again, after a restore of the database. The last active host of an active shop stays, and so does a
 * host that was added since.
 * @param removed.at when it was removed, epoch ms
 */
export async function removeHostAgain(
  ctx: Context,
  { at, status, ...host }: HostOfShop & { at: number; status: 'active' | 'pending' },
): Promise<void> {
  requireOperator(ctx);
  await tryCommit(ctx, removing(ctx, host, status, at));
}

/**
 * One page of the hosts of all databases that are not active yet, the longest waiting first.
 * @param input.status only hosts of this status; the DNS of a `verifying` host is right
 * @param input.after `nextCursor` of the previous page, empty for the first
 * @returns `nextCursor` null at the end
 * @throws AppError `backend_unreachable` when one of the databases cannot be reached
 */
export async function listPendingHosts(
  ctx: Context,
  input: { after: string; limit: number; status?: PendingStatus | undefined },
) {
  requireOperator(ctx);
  const read = ({ db }: Context) => db.rows(selectPendingHosts(input.after, input.limit + 1, input.status));
  const found = (await Promise.all(onEachDatabase(ctx).map(read))).flat();
  // While an organization is copied to another database, both have its rows.
  const rows = [...new Map(found.map((row) => [row.id, row])).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const { page: hosts, nextCursor } = pageOf(rows, input.limit, ({ id }) => id);
  return { hosts, nextCursor };
}

/**
 * Active hosts whose DNS points elsewhere, as Cloudflare says, the longest first. They stay with their shops: otherwise
 * the present owner of the name could get pages that look like the shop's.
 */
export async function listMovedHosts(ctx: Context) {
  requireOperator(ctx);
  const read = ({ db }: Context) => db.rows(selectMovedHosts(MOVED_HOSTS_MAX));
  const found = (await Promise.all(onEachDatabase(ctx).map(read))).flat();
  return found.map((row) => ({ ...row, status: 'moved' as const }));
}

/** @throws AppError `validation_failed` naming every host that cannot be a shop's host */
export function normalizeHosts(ctx: Context, hosts: readonly string[], pointerAt: (index: number) => string): string[] {
  const errors: FieldError[] = [];
  const normalized = hosts.map((input, index) => {
    const result = normalizeHost(input, ctx.config);
    if ('host' in result) return result.host;
    errors.push({ pointer: pointerAt(index), code: result.fault, message: HOST_FAULT_MESSAGES[result.fault] });
    return '';
  });
  if (errors.length > 0) throw invalidInput(errors);
  return [...new Set(normalized)];
}

/** The errors of a batch that gives a shop hosts, by the constraint that is violated. */
export const hostMustBeFree = {
  'shop_hosts.host': hostTaken,
  'directory.kind, directory.key': hostTaken,
  'pending_hosts.host, pending_hosts.shop_id': hostTaken,
};

export function hostTaken(): AppError {
  return new AppError('host_taken', 'This host already belongs to a shop.');
}

/** The entries of the directory whose host is active in a shop of their organization. */
export async function activeHosts<E extends Entry>(db: Database, entries: readonly E[]): Promise<readonly E[]> {
  const rows = await db.rows(selectActiveHosts(entries.map(({ key }) => key)));
  const active = new Set(rows.map(({ host, orgId }) => `${orgId} ${host}`));
  return entries.filter(({ key, orgId }) => active.has(`${orgId} ${key}`));
}

/** The directory entries whose organization exists in the database. */
export async function existingOrganizations<E extends Entry>(
  db: Database,
  entries: readonly E[],
): Promise<readonly E[]> {
  const rows = await db.rows(selectOrganizationIds(entries.map(({ orgId }) => orgId)));
  const existing = new Set(rows.map(({ id }) => id));
  return entries.filter(({ orgId }) => existing.has(orgId));
}
