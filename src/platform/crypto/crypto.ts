import { onceFor } from '../isolate-cache';

const encoder = new TextEncoder();

export type HmacKey = CryptoKey;

/** Makes an HMAC-SHA-256 key of raw bytes (RFC 2104). */
export function importHmacKey(secret: BufferSource): Promise<HmacKey> {
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

/** Returns the HMAC-SHA-256 of a text's UTF-8 bytes. */
export async function hmac(key: HmacKey, text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
}

export async function sha256(data: BufferSource): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', data));
}

/** Returns the bytes as hex digits in lower case. */
export function toHex(bytes: Uint8Array): string {
  return bytes.toHex();
}

export function toBase64(bytes: Uint8Array): string {
  return bytes.toBase64();
}

/** @throws SyntaxError if the text is not base64 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(text, { lastChunkHandling: 'strict' });
}

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text) as Uint8Array<ArrayBuffer>;
}

/**
 * Compares two MACs or hashes as texts, in constant time. Texts of different lengths are unequal at once, because the
 * length is no secret.
 */
export function isSameMac(mac: string, presented: string): boolean {
  const [a, b] = [utf8(mac), utf8(presented)];
  return a.length === b.length && crypto.subtle.timingSafeEqual(a, b);
}

/**
 * Compares two secrets in constant time. Both are hashed first, so that the time reveals neither their content nor
 * their length.
 */
export async function isSameSecret(left: string, right: string): Promise<boolean> {
  const [a, b] = await Promise.all([sha256(utf8(left)), sha256(utf8(right))]);
  return crypto.subtle.timingSafeEqual(a, b);
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns random base62 characters. All characters are equally likely, because bytes from 248 are discarded. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}

/** Returns a non-negative integer in base62, with zeros on the left up to `length` characters. */
export function toBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = ALPHABET[rest % 62] + text;
  return text;
}

/**
 * The root secrets by id, 32 bytes each. New keys are derived from the current root secret. Keys of older root secrets
 * can still decrypt and verify.
 */
export interface Roots {
  currentId: string;
  current: Uint8Array<ArrayBuffer>;
  byId: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** The keys derived from each root secret, by purpose. An isolate derives each key once. */
const derivedFrom = onceFor((_root: Uint8Array) => new Map<string, CryptoKey>());
const USES = {
  'AES-GCM': [{ name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt']],
  HMAC: [{ name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign', 'verify']],
} as const;

/**
 * Returns the key that is derived from a root secret for one purpose: HKDF-SHA-256 (RFC 5869) without a salt, with the
 * purpose as its info.
 */
export async function derivedKey(
  root: Uint8Array<ArrayBuffer>,
  purpose: string,
  algorithm: keyof typeof USES = 'HMAC',
): Promise<CryptoKey> {
  const known = derivedFrom(root);
  const found = known.get(purpose);
  if (found) return found;
  const source = await crypto.subtle.importKey('raw', root, 'HKDF', false, ['deriveKey']);
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8(`offizin ${purpose}`) };
  const [kind, usages] = USES[algorithm];
  const key = await crypto.subtle.deriveKey(how, source, kind, false, [...usages]);
  known.set(purpose, key);
  return key;
}

/** The kinds of data that are encrypted for storage. Each kind has its own key. */
export type SealPurpose = 'kept answer' | 'page data' | 'restore export' | 'second factor' | 'signing secret';

const IV_BYTES = 12;

/**
 * Encrypts a text for storage with AES-256-GCM (NIST SP 800-38D).
 * @param context the owner of the text, such as a row's id; decryption fails with any other context
 * @returns `<root's id>.<base64 of IV and ciphertext>`
 */
export async function encrypt(roots: Roots, purpose: SealPurpose, text: string, context: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const key = await derivedKey(roots.current, purpose, 'AES-GCM');
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: utf8(context) }, key, utf8(text));
  return `${roots.currentId}.${toBase64(new Uint8Array([...iv, ...new Uint8Array(sealed)]))}`;
}

/**
 * Decrypts a text that `encrypt` returned.
 * @throws if the root secret's id is unknown, the text was changed, or the text has another purpose or context
 */
export async function decrypt(roots: Roots, purpose: SealPurpose, stored: string, context: string): Promise<string> {
  const dot = stored.indexOf('.');
  const bytes = fromBase64(stored.slice(dot + 1));
  const root = roots.byId.get(stored.slice(0, dot));
  if (!root) throw new Error('unknown root id');
  const key = await derivedKey(root, purpose, 'AES-GCM');
  const opened = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: bytes.slice(0, IV_BYTES), additionalData: utf8(context) },
    key,
    bytes.slice(IV_BYTES),
  );
  return new TextDecoder().decode(opened);
}

/** Returns the ids of all root secrets except the current one. They are to be removed. */
export function oldRootIds(roots: Roots): string[] {
  return [...roots.byId.keys()].slice(1);
}

/**
 * Whether a stored MAC or ciphertext was made with the current root secret. Any other one is made anew when it is used.
 */
export function isCurrent(roots: Roots, stored: string): boolean {
  return stored.startsWith(`${roots.currentId}.`);
}

/** Whether a stored text was made with a root secret that is to be removed. */
export function isOld(roots: Roots, stored: string): boolean {
  return !isCurrent(roots, stored) && roots.byId.has(rootIdOf(stored));
}

/** Returns the id of the root secret with which a stored text was made. Empty if the text names no root secret. */
export function rootIdOf(stored: string): string {
  return stored.slice(0, Math.max(0, stored.indexOf('.')));
}
