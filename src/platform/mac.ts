import type { Context } from './context';
import { derivedKey, hmac, isSameMac, type Roots, rootIdOf, toHex } from './crypto/crypto';
import { resolvedOnceFor } from './isolate-cache';

/**
 * The purpose of a MAC. Each purpose has its own key, so that a MAC for one purpose is not valid for another, even with
 * the same text.
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
  | 'organization end'
  | 'password of a choice'
  | 'password reset'
  | 'password salt'
  | 'payment link'
  | 'prescription file'
  | 'pharmacy choice'
  | 'session cookie'
  | 'shop host'
  | 'staff session';

type Configured = Pick<Context, 'config'>;

/**
 * Returns a MAC (HMAC-SHA-256, RFC 2104) under a key of the current root secret. Every MAC of the service is made here,
 * except access tokens (JWT by jose, keys/tokens.ts) and webhook signatures, which use the subscription's secret. Data
 * that must be readable again are encrypted instead (crypto.ts).
 *
 * `macs` returns the MACs under all root secrets, to look up a stored MAC. `isMac` checks a MAC that was made under any
 * of them.
 * @returns `<root's id>.<64 hex digits>`
 */
export async function mac({ config }: Configured, purpose: MacPurpose, ...parts: string[]): Promise<string> {
  const { currentId, current } = config.roots;
  return `${currentId}.${await macUnder(current, purpose, ...parts)}`;
}

/**
 * Returns the MACs of the same text under each root secret, because a stored MAC may have been made under any of them.
 * The first one equals the result of `mac`.
 */
export function macs({ config }: Configured, purpose: MacPurpose, ...parts: string[]): Promise<[string, ...string[]]> {
  const each = [...config.roots.byId].map(async ([id, root]) => `${id}.${await macUnder(root, purpose, ...parts)}`);
  // SAFETY: there is a first root (secret-values.ts).
  return Promise.all(each) as Promise<[string, ...string[]]>;
}

/**
 * Whether a stored or presented text is the MAC of the parts under the root secret that the text names. Only one MAC is
 * computed.
 */
export async function isMac(
  { config }: Configured,
  presented: string,
  purpose: MacPurpose,
  ...parts: string[]
): Promise<boolean> {
  const id = rootIdOf(presented);
  const root = config.roots.byId.get(id);
  return root !== undefined && isSameMac(`${id}.${await macUnder(root, purpose, ...parts)}`, presented);
}

/** Returns the bytes of a MAC, for places where its text is too long. */
export function bytesOf(made: string): Uint8Array {
  return Uint8Array.fromHex(made.slice(made.indexOf('.') + 1));
}

/** Returns a MAC under a given root secret. @returns 64 hex digits, without the secret's id */
export async function macUnder(
  root: Uint8Array<ArrayBuffer>,
  purpose: MacPurpose | 'canary',
  ...parts: string[]
): Promise<string> {
  return toHex(await hmac(await derivedKey(root, purpose), joined(parts)));
}

/**
 * Returns the MAC of an empty text under each root secret, by the secret's id. These MACs tell the secrets apart and
 * reveal nothing about them (RFC 2104).
 */
export const fingerprintsOf = resolvedOnceFor(async (roots: Roots): Promise<Record<string, string>> => {
  const entries = [...roots.byId].map(async ([id, root]) => [id, await macUnder(root, 'canary')]);
  return Object.fromEntries(await Promise.all(entries));
});

/** Returns the parts as one text, each after its length. No two lists of parts give the same text. */
function joined(parts: readonly string[]): string {
  return parts.map((part) => `${part.length}:${part}`).join('');
}

const MAC_BYTES = 16;

/**
 * Returns a token for the address of a page. It consists of an id and the id's MAC. Nobody can guess it, and no secret
 * is stored for it. The token does not name its root secret.
 */
export async function idToken(ctx: Pick<Context, 'config'>, purpose: MacPurpose, id: string): Promise<string> {
  return tokenWith(await mac(ctx, purpose, id), id);
}

function tokenWith(made: string, id: string): string {
  const idBytes = Uint8Array.fromHex(id.replaceAll('-', ''));
  const bytes = new Uint8Array([...idBytes, ...bytesOf(made).subarray(0, MAC_BYTES)]);
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}

/** Returns the id in a valid token; null for an invalid one. */
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
