import { retryOnConflict } from '../../../platform/conflict';
import type { Context } from '../../../platform/context';
import { randomBase62 } from '../../../platform/crypto/crypto';
import type { Statement } from '../../../platform/data/statements';
import { AppError } from '../../../platform/errors/errors';
import { newId } from '../../../platform/ids';
import { type MacPurpose, mac, macs } from '../../../platform/mac';
import { attemptFrom, type Caller, RECIPE_TRIES_MAX } from './attempts';
import { atToken, tokenOf } from './session';
import { insertWaiting } from './store-sessions';

/**
 * The length of a link's secret, in characters. The secret has 256 random bits, because the link alone is enough to
 * become a member or to set a password.
 */
const LENGTH = 43;
const SECRET = /^[^.]+\.[0-9A-Za-z]{43}$/;

/** The purpose of a link. A token is valid for its own purpose only. */
type LinkPurpose = Extract<MacPurpose, 'half sign-in' | 'invitation' | 'password reset' | 'pharmacy choice'>;

/** Returns a new token for a one-time link of an organization, and the hash under which the caller stores it. */
export async function newLink(
  ctx: Context,
  purpose: LinkPurpose,
  orgId: string,
): Promise<{ token: string; hash: string }> {
  const token = tokenOf(orgId, randomBase62(LENGTH));
  return { token, hash: await mac(ctx, purpose, token) };
}

/** The database and the hashes of a link that was opened. */
interface FoundLink {
  /** The context on the database of the organization. */
  ctx: Context;
  /** Hashes of the token, one for each root secret. The link's row has one of them. */
  hashes: string[];
}

/**
 * Finds the database of the organization that a link names, and hashes the link's token.
 * @returns null for text that cannot be a token, without a round trip; null also if there is no such organization
 */
export async function findLink(ctx: Context, purpose: LinkPurpose, token: string): Promise<FoundLink | null> {
  const at = SECRET.test(token) ? await atToken(ctx, token) : null;
  return at && { ctx: at, hashes: await macs(ctx, purpose, token) };
}

/**
 * Runs `use` for a link that works once. When two requests use it at the same moment, one of them is refused.
 * @param notOpen the error for a link that is wrong, used or expired. It counts as a failed attempt of the caller
 */
export async function usingLink<T>(
  ctx: Context,
  caller: Caller,
  notOpen: () => AppError,
  use: () => Promise<T>,
): Promise<T> {
  const attempt = await attemptFrom(ctx, caller);
  try {
    const used = await retryOnConflict(ctx, use, RECIPE_TRIES_MAX);
    attempt.giveBack();
    return used;
  } catch (error) {
    const isGone = error instanceof AppError && [notOpen().code, 'conflict'].includes(error.code);
    if (isGone) throw notOpen();
    attempt.giveBack();
    throw error;
  }
}

/** The step that follows the right password in a sign-in: a second factor, or the choice of a pharmacy. */
type WaitingFor = Extract<LinkPurpose, 'half sign-in' | 'pharmacy choice'>;

/**
 * Makes the statements that store a sign-in while it waits for its next step. Run them on the database of the
 * organization `orgId`. Only the hash of the token is stored.
 * @returns the token by which the sign-in is found again, and the statements
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

/**
 * Finds the database and the row identifiers of a sign-in that waits for its next step; null for text that cannot be a
 * token.
 */
export async function findWaiting(globalCtx: Context, waitingFor: WaitingFor, token: string) {
  const link = await findLink(globalCtx, waitingFor, token);
  return link && { ctx: link.ctx, identifiers: link.hashes.map((hash) => identifierOf(waitingFor, hash)) };
}

function identifierOf(waitingFor: WaitingFor, hash: string): string {
  return `${waitingFor} ${hash}`;
}
