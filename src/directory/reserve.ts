import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import { insertInstallation } from '../platform/data/databases';
import { ConstraintError, type Database, repeatUnless } from '../platform/data/db';
import type { Statement } from '../platform/data/statements';
import { newId } from '../platform/ids';
import { HOUR_MS } from '../platform/time';
import * as store from './store';
import type { DirectoryKind } from './tables';

/** A directory key that maps to an organization. */
export interface Entry {
  kind: DirectoryKind;
  key: string;
  orgId: string;
}

/**
 * Returns those of the entries that are in use. An entry is in use if its record, for example the host, exists in the
 * organization's database.
 */
type StandsBehind = <E extends Entry>(db: Database, entries: readonly E[]) => Promise<readonly E[]>;

/**
 * The age in ms from which an entry without a record may be deleted. The record may only be written before the entry
 * has half of this age. A batch that runs later is rolled back. An entry is therefore never deleted while its record is
 * being written.
 */
const IN_FLIGHT_MS = 60_000;
const ONE_HOME = 'directory.kind, directory.key';

/**
 * Writes an entry into the directory, before the organization's own database gets the record that belongs to the entry,
 * such as a host. No record is ever without an entry. If the process ends in between, the entry has no record, which is
 * harmless. Safe to repeat.
 * @returns statements for the batch that writes the record, to put after the organization's own statements. On the
 *   database of the directory, these statements write the entry. On another database, they roll the batch back if the
 *   batch runs so late that another organization may have taken the entry
 * @throws ConstraintError, here or in the batch, when the entry belongs to another organization
 */
export async function reserve(ctx: Context, entry: Entry): Promise<Statement[]> {
  const { shard } = ctx.db;
  const row = { ...entry, shard, createdAt: ctx.now() };
  if (ctx.databases.count === 1) return [store.upsertEntry(row)];
  const number = (at: number) =>
    entry.kind === 'organization' ? [insertInstallation({ id: newId(), shard: at, now: row.createdAt })] : [];
  // If the organization has just been moved, its batch goes to another database, which does not have the directory.
  if (shard === 0) return [...number(shard), store.upsertEntry(row), repeatUnless(store.isDirectoryOf(entry.orgId))];
  const directory = ctx.databases.at(0);
  await directory.run({ number: number(0), write: store.upsertEntry(row) });
  return [repeatUnless(store.isEarlierThan(row.createdAt + IN_FLIGHT_MS / 2)), ...number(shard)];
}

/**
 * Like `reserve`, for a host. Another organization may have the host already, or may have reserved it.
 * @returns null when another organization has the host
 */
export async function reserveHost(
  ctx: Context,
  { host, orgId }: { host: string; orgId: string },
  standsBehind: StandsBehind,
): Promise<Statement[] | null> {
  if (await leadsElsewhere(ctx, { host, orgId }, standsBehind)) return null;
  try {
    return await reserve(ctx, { kind: 'host', key: host, orgId });
  } catch (error) {
    // Another request reserved the host first.
    if (error instanceof ConstraintError && error.constraint === ONE_HOME) return null;
    throw error;
  }
}

/**
 * Whether a host belongs to another organization. If the host's entry is older than `IN_FLIGHT_MS` and the host is not
 * in use, the function deletes the entry and returns false. With one database, the function returns false without a
 * round trip: the batch itself detects a conflict.
 */
export async function leadsElsewhere(
  ctx: Context,
  { host, orgId }: { host: string; orgId: string },
  standsBehind: StandsBehind,
): Promise<boolean> {
  if (ctx.databases.count === 1) return false;
  const directory = ctx.db.shard === 0 ? ctx.db : ctx.databases.at(0);
  const [row] = await directory.rows(store.selectEntries('host', host));
  if (!row || row.orgId === orgId) return false;
  if (row.createdAt > ctx.now() - IN_FLIGHT_MS) return true;
  const kept = await standsBehind(ctx.databases.at(row.shard), [row]);
  if (kept.length > 0) return true;
  await directory.run({ gone: store.deleteAsRead([row]) });
  return false;
}

/**
 * Whether the directory has a host. With one database the result is false, without a round trip: the table `shop_hosts`
 * then refuses a host that is taken.
 */
export async function isHostTaken(ctx: Context, host: string): Promise<boolean> {
  return ctx.databases.count > 1 && (await ctx.databases.at(0).rows(store.selectEntries('host', host))).length > 0;
}

/**
 * Like `isHostTaken`, for callers whose batch contains `isHostListed`. The result is false if the batch runs on the
 * database of the directory, because `isHostListed` decides then.
 */
export async function isHostTakenElsewhere(ctx: Context, host: string): Promise<boolean> {
  return ctx.db.shard !== 0 && (await isHostTaken(ctx, host));
}

/**
 * Makes the statements that remove an entry of the directory.
 * @returns statements for the batch that deletes the entry's record. None if the directory is in another database: the
 * entry then stays until the sweep deletes it or another organization takes it over
 */
export function release(ctx: Context, entry: Entry): Statement[] {
  return ctx.db.shard === 0 ? [store.deleteEntry(entry)] : [];
}

const PAGE = 200;

/**
 * Deletes entries of one kind that lead to the context's database, are older than an hour and have no record there. The
 * record of such an entry was never written, or it was deleted in a database that does not hold the directory. With one
 * database, nothing is deleted.
 */
export async function sweepEntries(ctx: Context, kind: DirectoryKind, standsBehind: StandsBehind): Promise<void> {
  requireSystem(ctx);
  if (ctx.databases.count === 1) return;
  const directory = ctx.databases.at(0);
  const at = { kind, shard: ctx.db.shard };
  const before = ctx.now() - HOUR_MS;
  let after = { orgId: '', key: '' };
  for (let isLast = false; !isLast; ) {
    const page = await directory.rows(store.selectEntriesOf(at, { before, after, limit: PAGE }));
    const kept = new Set(await standsBehind(ctx.db, page));
    const lost = page.filter((entry) => !kept.has(entry));
    if (lost.length > 0) await directory.run({ gone: store.deleteAsRead(lost) });
    after = page.at(-1) ?? after;
    isLast = page.length < PAGE;
  }
}
