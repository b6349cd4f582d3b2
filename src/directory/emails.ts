import { requireOperator, requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import type { Database } from '../platform/data/db';
import { mac, macs, oldPepperIds } from '../platform/mac';
import { HOUR_MS } from '../platform/time';
import { countEmailEntriesUnder, deleteAsRead, selectEmailEntriesUnder, selectEntries, updateEmailKeys } from './store';

/** The key of an address in the directory: without the pepper it tells nothing about the address. */
export function emailKey(ctx: Context, email: string): Promise<string> {
  return mac(ctx, 'directory e-mail', email.toLowerCase());
}

/** The keys of an address under all peppers; the first one equals `emailKey`. */
export function emailKeys(ctx: Context, email: string): Promise<[string, ...string[]]> {
  return macs(ctx, 'directory e-mail', email.toLowerCase());
}

/**
 * The databases in which an address may have memberships, in ascending order. With one database it makes no round trip.
 * @returns also databases where every membership is revoked or was never accepted: the caller checks there
 */
export async function shardsOf(ctx: Context, email: string): Promise<number[]> {
  if (ctx.databases.count === 1) return [0];
  const db = ctx.databases.at(0);
  const { entries } = await db.run({ entries: selectEntries('email', ...(await emailKeys(ctx, email))) });
  return [...new Set(entries.map(({ shard }) => shard))].sort((a, b) => a - b);
}

/** The most entries of one pepper that one run reads. */
const PAGE = 200;

/** The addresses of the members and the invited of organizations, in their own database. */
type AddressesOf = (db: Database, orgIds: readonly string[]) => Promise<readonly Address[]>;

interface Address {
  orgId: string;
  email: string;
}

/**
 * Rewrites e-mail entries stored under old peppers with the key of the first pepper, for the database of the context.
 * Deletes entries older than an hour that match no address. With one pepper it makes no round trip.
 */
export async function rewriteEmailEntries(ctx: Context, addressesOf: AddressesOf): Promise<void> {
  requireSystem(ctx);
  const directory = ctx.databases.at(0);
  for (const pepperId of oldPepperIds(ctx)) {
    const at = { shard: ctx.db.shard, limit: PAGE };
    const { page } = await directory.run({ page: selectEmailEntriesUnder(pepperId, at) });
    if (page.length === 0) continue;
    const addresses = await addressesOf(
      ctx.db,
      page.map(({ orgId }) => orgId),
    );
    const current = await currentKeys(ctx, addresses);
    const found = page.map((entry) => ({ entry, to: current.get(`${entry.orgId} ${entry.key}`) }));
    const changes = found.flatMap(({ entry, to }) => (to ? [{ orgId: entry.orgId, from: entry.key, to }] : []));
    const lost = found.filter(({ entry, to }) => !to && entry.createdAt < ctx.now() - HOUR_MS);
    await directory.run({
      anew: changes.length > 0 ? updateEmailKeys(changes) : undefined,
      lost: lost.length > 0 ? deleteAsRead(lost.map(({ entry }) => entry)) : undefined,
    });
  }
}

/** The key under the first pepper, by organization and key under any. */
async function currentKeys(ctx: Context, addresses: readonly Address[]): Promise<ReadonlyMap<string, string>> {
  const pairs = await Promise.all(
    addresses.map(async ({ orgId, email }) => {
      const [current, ...others] = await emailKeys(ctx, email);
      return others.map((key): [string, string] => [`${orgId} ${key}`, current]);
    }),
  );
  return new Map(pairs.flat());
}

/** The number of e-mail entries under a pepper, for all databases. */
export async function countEmailEntries(ctx: Context, pepperId: string): Promise<number> {
  requireOperator(ctx);
  const directory = ctx.databases.at(0);
  const { counted } = await directory.run({ counted: countEmailEntriesUnder(pepperId) });
  return counted[0]?.left ?? 0;
}
