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
 * Adds a host to a shop. A host from an owner is pending until its DNS proves it, or until the operator confirms it.
 * Meanwhile, other organizations may ask for the same host. A host from the operator is active at once, even if other
 * organizations asked for it. The operator therefore confirms a pending host with this call. An active host stays with
 * its shop.
 * @returns the host as it is stored, and whether anything changed. The operator may repeat the call
 * @throws AppError `validation_failed`, `shop_not_found`, `host_taken`, `host_limit_reached`,
 *   `pending_host_limit_reached`
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
 * Returns statements that give a shop hosts. The hosts keep their order, because links use the first active host. The
 * statements must follow those that create the shop.
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
 * Returns batch entries that make a host an active host of the shop.
 * @throws AppError `host_taken` if the host belongs to another organization
 */
export async function addActive(ctx: Context, at: HostOfShop, createdAt: number): Promise<BatchEntry[]> {
  const reserved = await reserveHost(ctx, at, activeHosts);
  if (!reserved) throw hostTaken();
  return [...reserved, claimHost(at, createdAt), deletePendingOf(at.host)];
}

/**
 * Deletes the pending requests on other databases for hosts that have become active. If a database is unreachable, its
 * requests stay in the operator's list; confirming one of them is refused.
 */
export function withdrawElsewhere(ctx: Context, hosts: readonly string[]): void {
  if (ctx.actor.kind === 'staff' || hosts.length === 0) return;
  for (const { db } of onOtherDatabases(ctx)) {
    const gone = db.run({ pending: hosts.map((host) => deletePendingOf(host)) });
    ctx.defer(gone.catch((error) => ctx.log('error', 'after_commit_failed', describeError(error))));
  }
}

/** Returns the error for a refused batch with new hosts, if the limit of pending hosts was the reason; else null. */
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
 * Removes a host from a shop. Requests to the host are no longer answered, and its hostname at Cloudflare is deleted.
 * If the host is added again, it needs a new TXT record. The last active host of an active shop cannot be removed.
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

/**
 * Returns the entries of a batch that removes a host.
 * @param before epoch ms. If the host was added at this time or later, it stays and the batch is undone
 */
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
 * Removes a host again, after a restore of the database. Two kinds of hosts stay: the last active host of an active
 * shop, and a host that was added later.
 * @param removed.at when the host was removed, epoch ms
 */
export async function removeHostAgain(
  ctx: Context,
  { at, status, ...host }: HostOfShop & { at: number; status: 'active' | 'pending' },
): Promise<void> {
  requireOperator(ctx);
  await tryCommit(ctx, removing(ctx, host, status, at));
}

/**
 * Returns one page of the hosts of all databases that are not active yet. The host that waits longest is first.
 * @param input.status only hosts of this status. `verifying` means that the DNS is right
 * @param input.after `nextCursor` of the previous page; empty for the first page
 * @returns `nextCursor` is null at the end
 * @throws AppError `backend_unreachable` if one of the databases cannot be reached
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
 * Returns the active hosts that no longer point here, according to Cloudflare. They stay with their shops. Otherwise,
 * the present owner of the name could add it to another shop and show pages that look like the first shop's.
 */
export async function listMovedHosts(ctx: Context) {
  requireOperator(ctx);
  const read = ({ db }: Context) => db.rows(selectMovedHosts(MOVED_HOSTS_MAX));
  const found = (await Promise.all(onEachDatabase(ctx).map(read))).flat();
  return found.map((row) => ({ ...row, status: 'moved' as const }));
}

/**
 * Returns hosts in the form in which they are stored, without duplicates.
 * @throws AppError `validation_failed`, which names every host that cannot be a shop's host
 */
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

/** The error of a batch that adds hosts to a shop, by the constraint that the batch violates. */
export const hostMustBeFree = {
  'shop_hosts.host': hostTaken,
  'directory.kind, directory.key': hostTaken,
  'pending_hosts.host, pending_hosts.shop_id': hostTaken,
};

export function hostTaken(): AppError {
  return new AppError('host_taken', 'This host already belongs to a shop.');
}

/** Returns those entries of the directory whose host is an active host of a shop of the entry's organization. */
export async function activeHosts<E extends Entry>(db: Database, entries: readonly E[]): Promise<readonly E[]> {
  const rows = await db.rows(selectActiveHosts(entries.map(({ key }) => key)));
  const active = new Set(rows.map(({ host, orgId }) => `${orgId} ${host}`));
  return entries.filter(({ key, orgId }) => active.has(`${orgId} ${key}`));
}

/** Returns those entries of the directory whose organization is in this database. */
export async function existingOrganizations<E extends Entry>(
  db: Database,
  entries: readonly E[],
): Promise<readonly E[]> {
  const rows = await db.rows(selectOrganizationIds(entries.map(({ orgId }) => orgId)));
  const existing = new Set(rows.map(({ id }) => id));
  return entries.filter(({ orgId }) => existing.has(orgId));
}
