import type { Roots } from './crypto';

/**
 * Parsers of secrets. The Worker uses them, and so do `npm run secrets` and `npm start`, which check a value before the
 * Worker gets it.
 */

/**
 * The scopes of a token of the operator API. With `ready`, the holder may ask `/readyz`. With `restore`, the holder may
 * make the calls that a restore needs.
 */
const OPERATOR_SCOPES = ['ready', 'read', 'write', 'restore'] as const;
export type OperatorScope = (typeof OPERATOR_SCOPES)[number];

export interface OperatorToken {
  /** The name of the token's holder, which the audit log shows. */
  name: string;
  scopes: readonly OperatorScope[];
  token: string;
}

/** Matches the id of a root secret. Every stored MAC and ciphertext begins with the id of its root secret and a dot. */
const ROOT_ID = /^[0-9A-Za-z_-]{1,32}$/;

/**
 * Parses the root secrets from `id:base64,id:base64`. The first one is the current root secret. An older root secret
 * stays in the text as long as stored data needs it.
 */
export function parseRoots(text: string): Roots {
  const entries = text.split(',').map((entry): [string, Uint8Array<ArrayBuffer>] => {
    const [id, key] = entry.trim().split(':');
    if (!id || !key || !ROOT_ID.test(id)) throw new Error('ROOT_SECRETS must read id:base64');
    return [id, bytesOf(key)];
  });
  const [current] = entries;
  if (!current || entries.some(([, key]) => key.length !== 32)) throw new Error('ROOT_SECRETS must hold 32-byte keys');
  const byId = new Map(entries);
  if (byId.size < entries.length) throw new Error('ROOT_SECRETS must hold each id once');
  return { currentId: current[0], current: current[1], byId };
}

const OPERATOR_TOKEN = /^([a-z0-9-]{1,40}):([a-z+]+):([\w-]{32,200})$/;

/** Parses `name:scope+scope:token,…`. Each name and each token may occur once. */
export function parseOperatorTokens(text: string): OperatorToken[] {
  const tokens = text.split(',').map((entry): OperatorToken => {
    const [, name, scopes, token] = OPERATOR_TOKEN.exec(entry.trim()) ?? [];
    if (!name || !scopes || !token) throw new Error('OPERATOR_TOKENS must read name:scope+scope:token');
    return { name, scopes: scopes.split('+').map(operatorScope), token };
  });
  const isTwice = (of: 'name' | 'token') => new Set(tokens.map((each) => each[of])).size < tokens.length;
  if (isTwice('name') || isTwice('token')) throw new Error('OPERATOR_TOKENS must hold each name and token once');
  return tokens;
}

function operatorScope(text: string): OperatorScope {
  const scope = OPERATOR_SCOPES.find((each) => each === text);
  if (!scope) throw new Error(`The scopes of OPERATOR_TOKENS are ${OPERATOR_SCOPES.join(', ')}`);
  return scope;
}

const ALERT_SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

/** Checks the secret that signs alarms. @throws Error unless the text is `whsec_` and 32 bytes in base64 */
export function assertAlertSecret(text: string): void {
  if (!ALERT_SECRET.test(text)) throw new Error('ALERT_SECRET must be whsec_ and 32 bytes in base64');
}

/** Returns the bytes of a text in base64. @throws DOMException if the text is not base64 */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

const BRAND = /^[A-Za-z][A-Za-z0-9]{0,30}$/;

/**
 * Returns the brand, which is a part of the names of webhook headers. Null if there is none.
 * @throws Error for an invalid brand, and for `service` in upper or lower case, because the contract already uses
 *   those names
 */
export function parseBrand(text: string | undefined): string | null {
  if (!text) return null;
  if (!BRAND.test(text) || text.toLowerCase() === 'service') {
    throw new Error('WEBHOOK_BRAND must be a letter and up to 30 letters and digits, and not Service');
  }
  return text;
}
