import { scrypt } from 'node:crypto';
import { fromBase64, toBase64, utf8 } from '../platform/crypto';

/**
 * scrypt (RFC 7914) by the runtime's own code: better-auth's JavaScript one takes more CPU time than a request has.
 * 32 MiB of the isolate's 128 for one hash at a time; the platform allows N·r·p up to 2^20.
 */
const COST = 2 ** 15;
const BLOCK_SIZE = 8;
const PARALLELIZATION = 1;
const MEMORY_BYTES_MAX = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const FORMAT = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w+/=]+)\$([\w+/=]+)$/;

/** NIST SP 800-63B asks for length and nothing else. */
export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 128;

/** @returns the hash with its cost and salt in front, so that a later cost can stand beside this one */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const key = await derive(password, salt, { N: COST, r: BLOCK_SIZE, p: PARALLELIZATION });
  return ['scrypt', COST, BLOCK_SIZE, PARALLELIZATION, toBase64(salt), toBase64(key)].join('$');
}

export async function isPasswordOf(password: string, stored: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = FORMAT.exec(stored) ?? [];
  if (!key) return false;
  const derived = await derive(password, fromBase64(salt), { N: Number(N), r: Number(r), p: Number(p) });
  const expected = fromBase64(key);
  return derived.length === expected.length && crypto.subtle.timingSafeEqual(derived, expected);
}

interface Cost {
  N: number;
  r: number;
  p: number;
}

/** The same letters typed on another machine may be other code points (NIST SP 800-63B: normalise). */
function derive(password: string, salt: Uint8Array, cost: Cost): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    scrypt(utf8(password.normalize('NFKC')), salt, KEY_BYTES, { ...cost, maxmem: MEMORY_BYTES_MAX }, (error, key) => {
      if (error) reject(error);
      else resolve(new Uint8Array(key));
    });
  });
}
