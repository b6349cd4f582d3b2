import { requireSystem } from '../../../platform/access';
import type { Context } from '../../../platform/context';
import { decrypt, encrypt } from '../../../platform/crypto';
import { deleteExpiredPageData, putPageData, selectPageData, takePageData } from './store-pages';

export interface NewPageData {
  /** Must not be guessable: it is part of the next page's address. */
  id: string;
  memberId: string;
  /** Any JSON value. */
  data: unknown;
  /** Epoch ms. */
  expiresAt: number;
}

/**
 * Stores data for the page to which a response redirects. It is encrypted, readable only for that person, and expires.
 */
export async function leavePageData(ctx: Context, { id, memberId, data, expiresAt }: NewPageData): Promise<void> {
  const sealed = await encrypt(ctx.config.encryptionKeys, JSON.stringify(data), contextOf(id, memberId));
  await ctx.db.run({
    expired: deleteExpiredPageData(ctx.now()),
    row: putPageData({ id, memberId, sealed, expiresAt }),
  });
}

/**
 * The data stored for the current person, as often as it is asked for until it expires; undefined when there is none.
 */
export function readPageData(ctx: Context, id: string): Promise<unknown> {
  return open(ctx, id, selectPageData);
}

/** Like `readPageData`, but deletes the data. If the response is lost, the data is lost too. */
export function takePageDataOnce(ctx: Context, id: string): Promise<unknown> {
  return open(ctx, id, takePageData);
}

/** Deletes expired data. */
export async function sweepPageData(ctx: Context): Promise<void> {
  requireSystem(ctx);
  await ctx.db.run({ expired: deleteExpiredPageData(ctx.now()) });
}

async function open(ctx: Context, id: string, find: typeof selectPageData | typeof takePageData): Promise<unknown> {
  if (ctx.actor.kind !== 'staff') throw new Error('only people look at pages');
  const { memberId } = ctx.actor;
  const [row] = await ctx.db.rows(find({ id, memberId, now: ctx.now() }));
  if (!row) return undefined;
  return JSON.parse(await decrypt(ctx.config.encryptionKeys, row.sealed, contextOf(id, memberId)));
}

/** The context to which the ciphertext is bound, so that it cannot be moved to another row. */
function contextOf(id: string, memberId: string): string {
  return `page data ${id} of ${memberId}`;
}
