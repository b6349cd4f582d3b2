import type { Context } from '../../../platform/context';
import type { Statement } from '../../../platform/data/db';
import { newId } from '../../../platform/ids';
import { findLink, type LinkPurpose, newLink } from './links';
import { insertWaiting } from './store-waiting';

/** What a sign-in with the right password waits for. */
export type WaitingFor = Extract<LinkPurpose, 'half sign-in' | 'pharmacy choice'>;

/**
 * A sign-in that waits, on the database of an organization.
 * @returns a token that finds it again, of which only the hash is stored, and the statements that store it
 */
export async function newWaiting(
  ctx: Context,
  waitingFor: WaitingFor,
  { orgId, value, lifeMs }: { orgId: string; value: string; lifeMs: number },
): Promise<{ token: string; writes: Statement[] }> {
  const { token, hash } = await newLink(ctx, waitingFor, orgId);
  const now = ctx.now();
  const row = { id: newId(), identifier: identifierOf(waitingFor, hash), value, expiresAt: now + lifeMs };
  return { token, writes: insertWaiting(row, now) };
}

/** Where a sign-in waits, and by what its row is found; null for text that cannot be a token. */
export async function findWaiting(globalCtx: Context, waitingFor: WaitingFor, token: string) {
  const link = await findLink(globalCtx, waitingFor, token);
  return link && { ctx: link.ctx, identifiers: link.hashes.map((hash) => identifierOf(waitingFor, hash)) };
}

function identifierOf(waitingFor: WaitingFor, hash: string): string {
  return `${waitingFor} ${hash}`;
}
