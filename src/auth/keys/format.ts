import type { Config } from '../../platform/config';
import type { Context } from '../../platform/context';
import { randomBase62, toBase62 } from '../../platform/crypto/crypto';
import { AppError } from '../../platform/errors/errors';
import { IsolateCache, onceFor } from '../../platform/isolate-cache';
import { isMac, mac } from '../../platform/mac';

/**
 * The format of an API key: `ofz_<id>_<secret><crc>`. The key of a test organization begins with `ofz_test_`. The id
 * has 12 characters. The key's row is found by this id. The secret has 43 random characters (256 bits). The last 6
 * characters are the CRC-32 of everything before them, so that typing errors and guesses are refused without a database
 * read.
 */
const FORMAT = /^ofz_(?:test_)?([0-9A-Za-z]{12})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
const ID_LENGTH = 12;
const SECRET_LENGTH = 43;
const CRC_LENGTH = 6;

/**
 * Makes a random key, and the id that the key contains.
 * @param isTest whether the key is for a test organization
 */
export function newApiKey(isTest = false): { id: string; key: string } {
  const id = randomBase62(ID_LENGTH);
  const unchecked = `${keyPrefix(isTest)}${id}_${randomBase62(SECRET_LENGTH)}`;
  return { id, key: unchecked + checksumOf(unchecked) };
}

/** Returns the prefix of the keys of test or live organizations. */
export function keyPrefix(isTest: boolean): string {
  return isTest ? 'ofz_test_' : 'ofz_';
}

/**
 * Whether a key has the prefix of test organizations. A usable key has this prefix only if its organization is a test
 * organization.
 */
export function isTestKey(key: string): boolean {
  return key.startsWith(keyPrefix(true));
}

/** Returns the id in a key, or null if the format or the checksum is wrong. */
export function idOfKey(key: string): string | null {
  const parts = FORMAT.exec(key);
  return parts && checksumOf(key.slice(0, -CRC_LENGTH)) === parts[3] ? (parts[1] ?? null) : null;
}

/**
 * Returns the hash that is stored instead of a key. It is a MAC: without the root secret, a copy of the table is
 * useless. A slow hash is not needed, because the key has 256 random bits.
 */
export function hashKey(ctx: Pick<Context, 'config'>, key: string): Promise<string> {
  return mac(ctx, 'api key', key);
}

/**
 * The most verified keys that an isolate caches for each configuration. A result stays valid as long as the
 * configuration is the same.
 */
const VERIFIED_MAX = 1_000;
const verifiedUnder = onceFor((_config: Config) => new IsolateCache<true>(VERIFIED_MAX));

/** Whether a key has this hash. `isActiveKey` says whether the key may still be used. */
export async function isKeyOf(ctx: Pick<Context, 'config'>, key: string, storedHash: string): Promise<boolean> {
  const verify = async () => (await isMac(ctx, storedHash, 'api key', key)) || undefined;
  return (await verifiedUnder(ctx.config).get(`${key} ${storedHash}`, verify)) === true;
}

function checksumOf(text: string): string {
  return toBase62(crc32(text), CRC_LENGTH);
}

/** The CRC-32 (ISO 3309) of each byte. */
const CRC_OF_BYTE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  return crc;
});

/** Returns the CRC-32 of ASCII text. */
function crc32(text: string): number {
  let crc = -1;
  for (let at = 0; at < text.length; at += 1) {
    crc = (crc >>> 8) ^ (CRC_OF_BYTE[(crc ^ text.charCodeAt(at)) & 0xff] as number);
  }
  return ~crc >>> 0;
}

/**
 * Whether a key may be used at a given time: it is neither revoked nor expired. `isActive` in store.ts is the same rule
 * in SQL.
 */
export function isActiveKey(key: { revokedAt: number | null; expiresAt: number | null }, now: number): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
}

/**
 * Returns the key that a request carries; null if it carries none. The same key in several places counts as one. A
 * header that is sent twice arrives as one header, with a comma between the two values.
 * @param inQuery keys from the query, where they are allowed
 * @throws AppError `ambiguous_credentials`
 */
export function presentedKey({ headers }: Request, inQuery: readonly string[] = []): string | null {
  const inHeaders = `${headers.get('apikey') ?? ''},${headers.get('X-API-Key') ?? ''}`.split(',');
  const keys = [...inHeaders, ...inQuery].map((key) => key.trim()).filter((key) => key !== '');
  const [key = null] = keys;
  if (keys.some((each) => each !== key)) {
    throw new AppError('ambiguous_credentials', 'The request carries different API keys. Send one.');
  }
  return key;
}
