import { requireSystem } from '../../platform/access';
import type { Context } from '../../platform/context';
import { decrypt, encrypt } from '../../platform/crypto';
import { deleteExpiredPageData, putPageData, selectPageData, takePageData } from './store-pages';

export interface NewPageData {
  /** Not to be guessed: it stands in the next page's address. */
  id: string;
  memberId: string;
  /** Any JSON value. */
  data: unknown;
  /** Epoch ms. */
  expiresAt: number;
}

/**
 * Leaves something for the page that an answer sends the browser to. It lies in the database encrypted, opens for that
 * person alone, and ends by itself.
 */
export async function leavePageData(ctx: Context, { id, memberId, data, expiresAt }: NewPageData): Promise<void> {
  const sealed = await encrypt(ctx.config.encryptionKeys, JSON.stringify(data), contextOf(id, memberId));
  await ctx.db.run({
    expired: deleteExpiredPageData(ctx.db, ctx.now()),
    row: putPageData(ctx.db, { id, memberId, sealed, expiresAt }),
  });
}

/** What was left for the person who acts, as often as it is asked for until it ends; undefined when there is nothing. */
export async function readPageData(ctx: Context, id: string): Promise<unknown> {
  const key = keyOf(ctx, id);
  const { rows } = await ctx.db.run({ rows: selectPageData(ctx.db, key) });
  return open(ctx, key, rows[0]);
}

/** The same, but once: whoever asks next gets nothing. A lost answer loses it. */
export async function takePageDataOnce(ctx: Context, id: string): Promise<unknown> {
  const key = keyOf(ctx, id);
  const { rows } = await ctx.db.run({ rows: takePageData(ctx.db, key) });
  return open(ctx, key, rows[0]);
}

/** Deletes what ended. */
export async function sweepPageData(ctx: Context): Promise<void> {
  requireSystem(ctx);
  await ctx.db.run({ expired: deleteExpiredPageData(ctx.db, ctx.now()) });
}

function keyOf(ctx: Context, id: string) {
  if (ctx.actor.kind !== 'staff') throw new Error('only people look at pages');
  return { id, memberId: ctx.actor.memberId, now: ctx.now() };
}

async function open(
  ctx: Context,
  { id, memberId }: { id: string; memberId: string },
  row: { sealed: string } | undefined,
): Promise<unknown> {
  if (!row) return undefined;
  return JSON.parse(await decrypt(ctx.config.encryptionKeys, row.sealed, contextOf(id, memberId)));
}

/** What the ciphertext belongs to. */
function contextOf(id: string, memberId: string): string {
  return `page data ${id} of ${memberId}`;
}
