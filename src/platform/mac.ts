import type { Context } from './context';
import { type HmacKey, hmac, isSameMac, isUnderCurrentKey, oldKeyIds, toHex, utf8 } from './crypto';
import { onceFor } from './isolate-cache';

/**
 * What a MAC is for. Each purpose has a key of its own, so that a MAC made for one says nothing for another, whatever
 * text somebody gets into it.
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
 * The one way to make a MAC (HMAC-SHA-256, RFC 2104) under a secret of the service. Only these do not come here: access tokens
 * (JWT by jose, under TOKEN_SECRETS), and webhooks, whose secret is the subscription's. What has to be read again is encrypted
 * (crypto.ts), not signed.
 *
 * KEY_PEPPERS is a ring: this makes a MAC under its first pepper, `macs` under each, to look something up, and `isMac` checks
 * one that was made under any of them.
 * @returns `<pepper's id>.<64 hex digits>`
 */
export async function mac({ config }: Configured, purpose: MacPurpose, ...parts: string[]): Promise<string> {
  const { currentId, current } = config.keyPeppers;
  return `${currentId}.${await macUnder(current, purpose, ...parts)}`;
}

/** The MAC under each pepper of the ring, that of `mac` first: as many as something that is looked up may be stored under. */
export function macs({ config }: Configured, purpose: MacPurpose, ...parts: string[]): Promise<[string, ...string[]]> {
  const each = [...config.keyPeppers.byId].map(
    async ([id, pepper]) => `${id}.${await macUnder(pepper, purpose, ...parts)}`,
  );
  // SAFETY: a ring has a first pepper (config.ts).
  return Promise.all(each) as Promise<[string, ...string[]]>;
}

/** Whether a text, stored or presented, is the MAC under the pepper that it names. One is computed, however many peppers there are. */
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

/** The bytes of a MAC, where there is no room for its text. */
export function bytesOf(made: string): Uint8Array {
  return Uint8Array.fromHex(made.slice(made.indexOf('.') + 1));
}

/** Whether a MAC was made under the first pepper. Under another one it is written anew when it is used. */
export function isCurrentMac({ config }: Configured, stored: string): boolean {
  return isUnderCurrentKey(config.keyPeppers, stored);
}

/** The ids of all peppers, the first one's first. */
export function pepperIds({ config }: Configured): [string, ...string[]] {
  // SAFETY: as in `macs`.
  return [...config.keyPeppers.byId.keys()] as [string, ...string[]];
}

/** The ids of the peppers that are on their way out. */
export function oldPepperIds({ config }: Configured): string[] {
  return oldKeyIds(config.keyPeppers);
}

/** Whether a MAC was made under one of them. */
export function isOldMac(ctx: Configured, stored: string): boolean {
  return oldPepperIds(ctx).includes(pepperIdOf(stored));
}

function pepperIdOf(text: string): string {
  return text.slice(0, Math.max(0, text.indexOf('.')));
}

/**
 * A MAC under a secret that is no pepper. @returns 64 hex digits
 * @param purpose of the secret's own: it names the derived key
 */
export async function macUnder(
  secret: Uint8Array<ArrayBuffer>,
  purpose: MacPurpose | 'encryption key' | 'secret canary',
  ...parts: string[]
): Promise<string> {
  return toHex(await hmac(await derivedKey(secret, purpose), joined(parts)));
}

/** What tells the keys of each ring apart and reveals nothing about them (RFC 2104): a MAC of the ring's name under each, by its id. */
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

/** Each part behind its length, so that no two lists of parts give the same text. */
function joined(parts: readonly string[]): string {
  return parts.map((part) => `${part.length}:${part}`).join('');
}

/** The keys of each secret by purpose: derived once in an isolate. */
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
 * An id with a MAC of it, for the address of a page: nobody can guess one, and nothing secret has to be stored to show it again.
 * Which pepper made it is not in it.
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
