import type { Context } from './context';
import { type HmacKey, hmac, isSameMac, isUnderCurrentKey, oldKeyIds, toHex, utf8 } from './crypto';
import { onceFor } from './isolate-cache';

/**
 * The purpose of a MAC. Each purpose has its own key, so that a MAC for one purpose is not valid for another, whatever
 * its text.
 */
export type MacPurpose =
  | 'account tag'
  | 'api key'
  | 'device'
  | 'directory e-mail'
  | 'email opt-out'
  | 'failed api key'
  | 'form origin'
  | 'form token'
  | 'half sign-in'
  | 'idempotency key'
  | 'invitation'
  | 'name of an idempotency key'
  | 'order request'
  | 'password of a choice'
  | 'password reset'
  | 'password salt'
  | 'payment link'
  | 'pharmacy choice'
  | 'session cookie'
  | 'shop host'
  | 'staff session';

type Configured = Pick<Context, 'config'>;

/**
 * Makes a MAC (HMAC-SHA-256, RFC 2104) with a secret of the service. Everything signed comes here, except access tokens
 * (JWT by jose, with TOKEN_SECRETS) and webhooks, whose secret is the subscription's. Values that must be read again
 * are encrypted (crypto.ts).
 *
 * KEY_PEPPERS is a ring: this uses its first pepper; `macs` uses each, for look-ups; `isMac` checks a MAC of any of
 * them.
 * @returns `<pepper's id>.<64 hex digits>`
 */
export async function mac({ config }: Configured, purpose: MacPurpose, ...parts: string[]): Promise<string> {
  const { currentId, current } = config.keyPeppers;
  return `${currentId}.${await macUnder(current, purpose, ...parts)}`;
}

/** MACs under all peppers, the current one first; use them for look-ups. */
export function macs({ config }: Configured, purpose: MacPurpose, ...parts: string[]): Promise<[string, ...string[]]> {
  const each = [...config.keyPeppers.byId].map(
    async ([id, pepper]) => `${id}.${await macUnder(pepper, purpose, ...parts)}`,
  );
  // SAFETY: a ring has a first pepper (config.ts).
  return Promise.all(each) as Promise<[string, ...string[]]>;
}

/** Whether a stored or presented text is a valid MAC. Computes only one MAC, under the pepper that the text names. */
export async function isMac(
  { config }: Configured,
  presented: string,
  purpose: MacPurpose,
  ...parts: string[]
): Promise<boolean> {
  const id = pepperIdOf(presented);
  const pepper = config.keyPeppers.byId.get(id);
  return pepper !== undefined && isSameMac(`${id}.${await macUnder(pepper, purpose, ...parts)}`, presented);
}

/** The bytes of a MAC, for places without room for its text. */
export function bytesOf(made: string): Uint8Array {
  return Uint8Array.fromHex(made.slice(made.indexOf('.') + 1));
}

/** Whether a MAC was made with the current pepper. Other MACs are rewritten on use. */
export function isCurrentMac({ config }: Configured, stored: string): boolean {
  return isUnderCurrentKey(config.keyPeppers, stored);
}

/** The ids of all peppers, the current one first. */
export function pepperIds({ config }: Configured): [string, ...string[]] {
  // SAFETY: as in `macs`.
  return [...config.keyPeppers.byId.keys()] as [string, ...string[]];
}

/** The ids of all peppers but the current one. */
export function oldPepperIds({ config }: Configured): string[] {
  return oldKeyIds(config.keyPeppers);
}

/** Whether a MAC was made with one of these old peppers. */
export function isOldMac(ctx: Configured, stored: string): boolean {
  return oldPepperIds(ctx).includes(pepperIdOf(stored));
}

function pepperIdOf(text: string): string {
  return text.slice(0, Math.max(0, text.indexOf('.')));
}

/**
 * A MAC with a secret that is not a pepper. @returns 64 hex digits
 * @param purpose names the key that is derived from the secret
 */
export async function macUnder(
  secret: Uint8Array<ArrayBuffer>,
  purpose: MacPurpose | 'encryption key' | 'secret canary',
  ...parts: string[]
): Promise<string> {
  return toHex(await hmac(await derivedKey(secret, purpose), joined(parts)));
}

/**
 * Fingerprints of the keys of each ring by key id: MACs of the ring's name, which reveal nothing about the keys (RFC
 * 2104).
 */
export async function fingerprintsOfRings({ config }: Configured): Promise<Record<string, Record<string, string>>> {
  const rings = {
    KEY_PEPPERS: config.keyPeppers,
    ENCRYPTION_KEYS: config.encryptionKeys,
    TOKEN_SECRETS: config.tokenSecrets,
    AUTH_SECRETS: config.authSecrets,
  };
  const each = Object.entries(rings).map(async ([name, { byId }]) => {
    const keys = [...byId].map(async ([id, key]) => [id, await macUnder(key, 'secret canary', name)] as const);
    return [name, Object.fromEntries(await Promise.all(keys))] as const;
  });
  return Object.fromEntries(await Promise.all(each));
}

/** Joins the parts, each after its length, so that no two lists of parts give the same text. */
function joined(parts: readonly string[]): string {
  return parts.map((part) => `${part.length}:${part}`).join('');
}

/** The derived keys of each secret by purpose, cached in the isolate. */
const derivedFrom = onceFor((_secret: Uint8Array) => new Map<string, HmacKey>());

/** HKDF-SHA-256 (RFC 5869) without a salt, with the purpose as its info. */
async function derivedKey(secret: Uint8Array<ArrayBuffer>, purpose: string): Promise<HmacKey> {
  const known = derivedFrom(secret);
  const found = known.get(purpose);
  if (found) return found;
  const source = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']);
  const key = await crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8(`offizin ${purpose}`) },
    source,
    { name: 'HMAC', hash: 'SHA-256', length: 256 },
    false,
    ['sign'],
  );
  known.set(purpose, key);
  return key;
}

const MAC_BYTES = 16;

/**
 * An id with its MAC, for the address of a page. It cannot be guessed, and no secret is stored to show it again. It
 * does not name its pepper.
 */
export async function idToken(ctx: Pick<Context, 'config'>, purpose: MacPurpose, id: string): Promise<string> {
  return tokenWith(await mac(ctx, purpose, id), id);
}

function tokenWith(made: string, id: string): string {
  const idBytes = Uint8Array.fromHex(id.replaceAll('-', ''));
  const bytes = new Uint8Array([...idBytes, ...bytesOf(made).subarray(0, MAC_BYTES)]);
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}

/** The id in a valid token, else null. */
export async function idOfToken(
  ctx: Pick<Context, 'config'>,
  purpose: MacPurpose,
  token: string,
): Promise<string | null> {
  let hex: string;
  try {
    hex = Uint8Array.fromBase64(token, { alphabet: 'base64url' }).toHex();
  } catch {
    return null;
  }
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})(.{32})$/.exec(hex);
  if (!parts) return null;
  const id = parts.slice(1, 6).join('-');
  const made = await macs(ctx, purpose, id);
  return made.some((each) => isSameMac(tokenWith(each, id), token)) ? id : null;
}
