import type { Context } from '../../platform/context';
import { randomBase62 } from '../../platform/crypto';
import { hashKey } from '../keys/format';

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
