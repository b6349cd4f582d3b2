import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { randomBase62 } from '../../platform/crypto';
import { AppError } from '../../platform/errors';
import { hashKey } from '../keys/format';
import { attemptFrom, type Caller } from './attempts';
import { RECIPE_TRIES_MAX } from './people';

/** 256 random bits: the link alone is enough to become a member or to set a password. */
const LENGTH = 43;
const TOKEN = /^[0-9A-Za-z]{43}$/;

/** The token of a link that works once, and its hash, which is stored. */
export async function newLink(ctx: Context): Promise<{ token: string; hash: string }> {
  const token = randomBase62(LENGTH);
  return { token, hash: await hashKey(ctx.config.keyPepper, token) };
}

/** The hash by which a token is found; null for text that cannot be a token, so that no read is needed. */
export async function hashOfLink(ctx: Context, token: string): Promise<string | null> {
  return TOKEN.test(token) ? hashKey(ctx.config.keyPepper, token) : null;
}

/**
 * Runs `use` for a link that works once. When two requests use it at the same moment, one of them is refused.
 * @param notOpen the error for a link that is wrong, used or expired; it counts as a failed attempt of the caller
 */
export async function usingLink<T>(
  ctx: Context,
  caller: Caller,
  notOpen: () => AppError,
  use: () => Promise<T>,
): Promise<T> {
  const attempt = await attemptFrom(ctx, caller);
  try {
    return await retryOnConflict(ctx, use, RECIPE_TRIES_MAX);
  } catch (error) {
    const isGone = error instanceof AppError && [notOpen().code, 'conflict'].includes(error.code);
    if (!isGone) throw error;
    await attempt.fail();
    throw notOpen();
  }
}
