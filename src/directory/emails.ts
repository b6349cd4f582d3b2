import type { Context } from '../platform/context';
import { mac, macs } from '../platform/mac';
import { selectEntries } from './store';

/** The key of an address in the directory: without the pepper it tells nothing about the address. */
export function emailKey(ctx: Context, email: string): Promise<string> {
  return mac(ctx, 'directory e-mail', email.toLowerCase());
}

/** The keys that an entry of an address may have, that of `emailKey` first. */
export function emailKeys(ctx: Context, email: string): Promise<[string, ...string[]]> {
  return macs(ctx, 'directory e-mail', email.toLowerCase());
}

/**
 * The databases in which an address may have memberships, in ascending order. With one database no round trip.
 * @returns also databases where every membership is revoked or was never accepted: what counts is there
 */
export async function shardsOf(ctx: Context, email: string): Promise<number[]> {
  if (ctx.databases.count === 1) return [0];
  const db = ctx.databases.at(0);
  const { entries } = await db.run({ entries: selectEntries('email', ...(await emailKeys(ctx, email))) });
  return [...new Set(entries.map(({ shard }) => shard))].sort((a, b) => a - b);
}
