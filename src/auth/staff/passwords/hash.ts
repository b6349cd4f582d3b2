import type { Context } from '../../../platform/context';
import { fromBase64, isSameMac, toBase64, utf8 } from '../../../platform/crypto/crypto';
import { invalidField } from '../../../platform/errors/errors';
import { rateLimited } from '../../../platform/http/rate-limit';
import { bytesOf, mac } from '../../../platform/mac';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../limits';
import { type About, weaknessOf } from './rules';

/**
 * The parameters of scrypt (RFC 7914). One hash needs 32 MiB of the isolate's 128 MiB. Cloudflare allows N·r·p up to
 * 2^20. The runtime's own scrypt is used, because scrypt in JavaScript takes more CPU time than a request may use.
 */
const COST = 2 ** 15;
const BLOCK_SIZE = 8;
const PARALLELIZATION = 1;
const MEMORY_BYTES_MAX = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const RECIPE = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w+/=]+)$/;

/**
 * Returns a new recipe for the passwords of an address: cost and salt, as `scrypt$N$r$p$salt`. The salt is an HMAC of
 * the address, so all memberships of the address get the same salt. One hash of an entered password can then be
 * compared with the passwords of all these memberships. Nobody knows the salt without the root secret or the database.
 * The salt is stored with the hash, so a password stays valid after the root secret is removed.
 * @param email in lower case
 */
export async function newRecipe(ctx: Pick<Context, 'config'>, email: string): Promise<string> {
  const salt = bytesOf(await mac(ctx, 'password salt', email)).slice(0, SALT_BYTES);
  return ['scrypt', COST, BLOCK_SIZE, PARALLELIZATION, toBase64(salt)].join('$');
}

/**
 * Returns the recipe of a stored hash; null for text that is not a hash. A password is checked with the recipe of its
 * stored hash, so that hashes with another cost or an older salt stay valid.
 */
export function recipeOf(stored: string): string | null {
  const recipe = stored.slice(0, Math.max(0, stored.lastIndexOf('$')));
  return RECIPE.test(recipe) ? recipe : null;
}

/**
 * Hashes a password by a recipe.
 * @returns the recipe and the hash, as stored
 * @throws AppError `rate_limited` when too many passwords wait to be hashed
 */
export async function hashPassword(password: string, recipe: string): Promise<string> {
  const [, N, r, p, salt = ''] = RECIPE.exec(recipe) ?? [];
  if (!salt) throw new Error('no recipe for a password');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const key = await inPasswordQueue(() => derive(password, fromBase64(salt), cost));
  return `${recipe}$${toBase64(key)}`;
}

/** Returns a random hash that no password matches, with the cost and salt of a stored hash. */
export function randomHashUnder(stored: string): string {
  return `${recipeOf(stored)}$${toBase64(crypto.getRandomValues(new Uint8Array(KEY_BYTES)))}`;
}

export async function isPasswordOf(password: string, stored: string): Promise<boolean> {
  const recipe = recipeOf(stored);
  return recipe !== null && isSameMac(await hashPassword(password, recipe), stored);
}

/**
 * Computes the scrypt hash of a password. The password is normalized first, because another machine may send the same
 * letters as other code points (NIST SP 800-63B).
 */
async function derive(
  password: string,
  salt: Uint8Array,
  cost: { N: number; r: number; p: number },
): Promise<Uint8Array> {
  // The import is here, because the module loads a large part of Node's modules.
  const { scrypt } = await import('node:crypto');
  return new Promise((resolve, reject) => {
    scrypt(utf8(password.normalize('NFKC')), salt, KEY_BYTES, { ...cost, maxmem: MEMORY_BYTES_MAX }, (error, key) => {
      if (error) reject(error);
      else resolve(new Uint8Array(key));
    });
  });
}

/**
 * How many password hashes an isolate computes at a time. Each takes about 150 ms of the only thread, which all
 * organizations share, and 32 MiB of the 128 MiB. Without a limit, a few sign-ins would delay all other requests.
 */
const AT_A_TIME = 2;
const WAITING_MAX = 8;
const RETRY_SECONDS = 5;
/** How often a waiting request checks whether it may start. */
const LOOK_EVERY_MS = 20;
/**
 * A request is removed from the queue if, for this many ms, it has not checked whether it may start. When a client
 * disconnects, the runtime stops its request without running `finally`, so the request may never remove itself.
 */
const GONE_AFTER_MS = 2_000;

/**
 * The requests that wait or run, in the order in which they came, each with the time of its last check (epoch ms). The
 * queue holds values instead of promises, because a promise of one request may never settle for another request.
 */
const queue = new Map<symbol, number>();

/**
 * Runs `work`, which hashes a password, as soon as earlier requests allow.
 * @throws AppError `rate_limited` with Retry-After when too many are waiting
 */
async function inPasswordQueue<T>(work: () => Promise<T>): Promise<T> {
  removeAbandoned();
  if (queue.size >= AT_A_TIME + WAITING_MAX) throw rateLimited(RETRY_SECONDS);
  const place = Symbol('place');
  queue.set(place, Date.now());
  try {
    // Computing the hash blocks the thread, so even the first request pauses once and lets other requests continue
    // before it starts.
    do await pause();
    while (!isTurnOf(place));
    return await work();
  } finally {
    queue.delete(place);
  }
}

function isTurnOf(place: symbol): boolean {
  queue.set(place, Date.now());
  removeAbandoned();
  return [...queue.keys()].indexOf(place) < AT_A_TIME;
}

function removeAbandoned(): void {
  const oldest = Date.now() - GONE_AFTER_MS;
  for (const [place, seen] of queue) if (seen < oldest) queue.delete(place);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}

/**
 * Refuses a password that is too short, too long or easy to guess.
 * @throws AppError that points to the field; its code is `password_too_short`, `password_too_long` or a `Weakness`
 * (rules.ts)
 */
export function assertGoodPassword(password: string, about: About, pointer = '/password'): void {
  const length = [...password].length;
  if (length < PASSWORD_LENGTH_MIN)
    throw invalidField(pointer, 'password_too_short', `At least ${PASSWORD_LENGTH_MIN}.`);
  if (password.length > PASSWORD_LENGTH_MAX)
    throw invalidField(pointer, 'password_too_long', `At most ${PASSWORD_LENGTH_MAX}.`);
  const weakness = weaknessOf(password, about);
  if (weakness)
    throw invalidField(pointer, weakness, 'Too easy to guess. Use several words that have nothing to do with you.');
}
