import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import type { Database } from '../platform/data/db';
import { mac, macs } from '../platform/mac';
import { selectEmailEntriesUnder, selectEntries, updateEmailKeys } from './store';

/** The key of an address in the directory: a MAC, which reveals nothing about the address without the root secret. */
export function emailKey(ctx: Context, email: string): Promise<string> {
  return mac(ctx, 'directory e-mail', email.toLowerCase());
}

/** The keys of an address under all root secrets; the first one equals `emailKey`. */
export function emailKeys(ctx: Context, email: string): Promise<[string, ...string[]]> {
  return macs(ctx, 'directory e-mail', email.toLowerCase());
}

/**
 * The databases in which an address may have memberships, in ascending order. Makes no round trip if there is only one
 * database.
 * @returns also databases where every membership of the address is revoked or was never accepted. The caller must check
 *   this on each database
 */
export async function shardsOf(ctx: Context, email: string): Promise<number[]> {
  if (ctx.databases.count === 1) return [0];
  const entries = await ctx.databases.at(0).rows(selectEntries('email', ...(await emailKeys(ctx, email))));
  return [...new Set(entries.map(({ shard }) => shard))].sort((a, b) => a - b);
}

/** The most entries that are rewritten in one batch. */
const PAGE = 200;
const PAGES_MAX = 10;

/** Reads the e-mail addresses of members and invited people of organizations, from the organizations' own database. */
type AddressesOf = (db: Database, orgIds: readonly string[]) => Promise<readonly Address[]>;

interface Address {
  orgId: string;
  email: string;
}

/**
 * Computes keys of e-mail entries in the directory anew under the current root secret. It handles the entries that lead
 * to the context's database and whose key was made under the old root secret `rootId`.
 */
export async function rewriteEmailEntries(ctx: Context, rootId: string, addressesOf: AddressesOf): Promise<void> {
  requireSystem(ctx);
  const directory = ctx.databases.at(0);
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = await directory.rows(selectEmailEntriesUnder(rootId, { shard: ctx.db.shard, limit: PAGE }));
    const orgIds = page.map(({ orgId }) => orgId);
    const current = page.length > 0 ? await currentKeys(ctx, await addressesOf(ctx.db, orgIds)) : new Map();
    // An entry that matches no address is left to the sweep.
    const changes = page.flatMap(({ orgId, key }) => {
      const to = current.get(`${orgId} ${key}`);
      return to ? [{ orgId, from: key, to }] : [];
    });
    if (changes.length === 0) return;
    await directory.run({ anew: updateEmailKeys(changes) });
  }
}

/**
 * Maps each older key of an address to the current key, which was made under the current root secret. The keys of the
 * map are `<organization's id> <older key of the address>`.
 */
async function currentKeys(ctx: Context, addresses: readonly Address[]): Promise<ReadonlyMap<string, string>> {
  const pairs = await Promise.all(
    addresses.map(async ({ orgId, email }) => {
      const [current, ...others] = await emailKeys(ctx, email);
      return others.map((key): [string, string] => [`${orgId} ${key}`, current]);
    }),
  );
  return new Map(pairs.flat());
}
