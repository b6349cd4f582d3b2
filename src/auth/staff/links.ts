import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { randomBase62 } from '../../platform/crypto';
import { AppError } from '../../platform/errors';
import { hashKey } from '../keys/format';
import { attemptFrom, type Caller } from './attempts';
import { RECIPE_TRIES_MAX } from './people';

/** 256 random bits: the link alone makes a member, or sets a password. */
const LENGTH = 43;
const TOKEN = /^[0-9A-Za-z]{43}$/;

/** The token of a link that is good once, and what is stored of it. */
export async function newLink(ctx: Context): Promise<{ token: string; hash: string }> {
  const token = randomBase62(LENGTH);
  return { token, hash: await hashKey(ctx.config.keyPepper, token) };
}

/** By what a token is found; null for what cannot be one, without a read. */
export async function hashOfLink(ctx: Context, token: string): Promise<string | null> {
  return TOKEN.test(token) ? hashKey(ctx.config.keyPepper, token) : null;
}

/**
 * Uses a link that is good once. Of two who use it at the same moment, one finds it used up.
 * @param notOpen what is told of a link that is wrong, used up or too old; it counts as a failed attempt of the caller
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
