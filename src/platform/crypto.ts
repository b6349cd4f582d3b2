import { resolvedOnceFor } from './isolate-cache';

const encoder = new TextEncoder();

export type HmacKey = CryptoKey;

/** HMAC-SHA-256 key from raw bytes (RFC 2104). An array is imported once, so its bytes must never change. */
export const importHmacKey = resolvedOnceFor((secret: BufferSource) =>
  crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']),
);

const importAesKey = resolvedOnceFor((secret: BufferSource) =>
  crypto.subtle.importKey('raw', secret, 'AES-GCM', false, ['encrypt', 'decrypt']),
);

/** HMAC-SHA-256 of a text's UTF-8 bytes. */
export async function hmac(key: HmacKey, text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
}

export async function sha256(data: BufferSource): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', data));
}

/** Lowercase hex. */
export function toHex(bytes: Uint8Array): string {
  return bytes.toHex();
}

export function toBase64(bytes: Uint8Array): string {
  return bytes.toBase64();
}

/** @throws SyntaxError when the text is not base64 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(text, { lastChunkHandling: 'strict' });
}

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text) as Uint8Array<ArrayBuffer>;
}

/** Compares a MAC or a hash, as text, in constant time. Its length is no secret. */
export function isSameMac(mac: string, presented: string): boolean {
  const [a, b] = [utf8(mac), utf8(presented)];
  return a.length === b.length && crypto.subtle.timingSafeEqual(a, b);
}

/** Compares in constant time: both sides are hashed first, so that timing reveals neither content nor length. */
export async function isSameSecret(left: string, right: string): Promise<boolean> {
  const [a, b] = await Promise.all([sha256(utf8(left)), sha256(utf8(right))]);
  return crypto.subtle.timingSafeEqual(a, b);
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random base62 text without modulo bias: bytes of 248 and more are discarded. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}

/** A non-negative integer in base62, padded on the left with zeros. */
export function toBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = ALPHABET[rest % 62] + text;
  return text;
}

/** 32-byte keys by id, the current one first: it encrypts and signs; the others can still decrypt and verify. */
export interface KeyRing {
  currentId: string;
  current: Uint8Array<ArrayBuffer>;
  byId: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

const IV_BYTES = 12;

/**
 * Encrypts a text for storage, with AES-256-GCM (NIST SP 800-38D).
 * @param context what the text belongs to (a row's id); decryption fails under any other.
 * @returns `<key id>.<base64 of IV and ciphertext>`
 */
export async function encrypt(keys: KeyRing, text: string, context: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const key = await importAesKey(keys.current);
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: utf8(context) }, key, utf8(text));
  return `${keys.currentId}.${toBase64(new Uint8Array([...iv, ...new Uint8Array(sealed)]))}`;
}

/** @throws when the key id is unknown, the text was changed, or it belongs to another context */
export async function decrypt(keys: KeyRing, stored: string, context: string): Promise<string> {
  const dot = stored.indexOf('.');
  const bytes = fromBase64(stored.slice(dot + 1));
  const key = await importAesKey(secretOf(keys, stored.slice(0, dot)));
  const opened = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: bytes.slice(0, IV_BYTES), additionalData: utf8(context) },
    key,
    bytes.slice(IV_BYTES),
  );
  return new TextDecoder().decode(opened);
}

/** The ids of all keys but the current one. */
export function oldKeyIds(keys: KeyRing): string[] {
  return [...keys.byId.keys()].slice(1);
}

/** Whether a text was made with the current key. A text of another key is rewritten on use. */
export function isUnderCurrentKey(keys: KeyRing, stored: string): boolean {
  return stored.startsWith(`${keys.currentId}.`);
}

/** The range of the texts made with a key, in the order of a database: from `from` up to, but not including, `to`. */
export function textsUnder(keyId: string): { from: string; to: string } {
  return { from: `${keyId}.`, to: `${keyId}/` };
}

function secretOf(keys: KeyRing, id: string): Uint8Array<ArrayBuffer> {
  const secret = keys.byId.get(id);
  if (!secret) throw new Error('unknown encryption key id');
  return secret;
}
