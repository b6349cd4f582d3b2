import {
  decrypt,
  fromBase64,
  type HmacKey,
  hmac,
  importHmacKey,
  type Roots,
  toBase64,
  toHex,
  utf8,
} from '../../platform/crypto/crypto';
import { IsolateCache, onceFor } from '../../platform/isolate-cache';
import type { subscriptions } from '../tables';

export const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export interface SignedMessage {
  secret: string;
  /** The secret before the last rotation, as long as it is valid. */
  previousSecret?: string;
  eventId: string;
  /** The time of this attempt, in epoch seconds. */
  timestamp: number;
  body: string;
}

const KEYS_MAX = 1_000;
const known = new IsolateCache<Record<'contract' | 'standard', HmacKey>>(KEYS_MAX);

/**
 * Returns the HMAC keys of a secret. The key `contract` is the bytes of the whole text. The key `standard` is the
 * decoded bytes after the prefix.
 */
function keysOf(secret: string) {
  return known.get(secret, async () => {
    const [contract, standard] = await Promise.all([
      importHmacKey(utf8(secret)),
      importHmacKey(fromBase64(secret.slice(SECRET_PREFIX.length))),
    ]);
    return { contract, standard };
  });
}

/**
 * Returns the signature headers of one post, in both schemes:
 * - `X-Service-Signature: sha256=<hex>` (contract 6.6): HMAC-SHA-256 of the body. The key is the UTF-8 bytes of the
 *   whole secret, prefix included. The header has room for one signature only. While two secrets are valid, the
 *   previous one signs, because a receiver may not have the new one yet.
 * - `webhook-id`, `webhook-timestamp`, `webhook-signature: v1,<base64>` (Standard Webhooks 1.0): HMAC-SHA-256 of
 *   `id.timestamp.body`. The key is the decoded base64 part of the secret. This scheme protects against replay. While
 *   two secrets are valid, the header has both signatures, separated by a space.
 */
export async function signatureHeaders({
  secret,
  previousSecret,
  eventId,
  timestamp,
  body,
}: SignedMessage): Promise<Record<string, string>> {
  const current = await keysOf(secret);
  const previous = previousSecret === undefined ? undefined : await keysOf(previousSecret);
  const signed = `${eventId}.${timestamp}.${body}`;
  const [contract, ...standard] = await Promise.all([
    hmac((previous ?? current).contract, body),
    hmac(current.standard, signed),
    ...(previous ? [hmac(previous.standard, signed)] : []),
  ]);
  return {
    'X-Service-Signature': `sha256=${toHex(contract)}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.map((signature) => `v1,${toBase64(signature)}`).join(' '),
  };
}

const BRANDED = ['Event', 'Delivery-Id', 'Signature'];

/**
 * Returns the headers of a post. If the operator has a brand (`webhookBrand`), each header of the contract is repeated
 * under the brand's name.
 */
export function branded(brand: string | null, headers: Readonly<Record<string, string>>): Record<string, string> {
  const copies = BRANDED.flatMap((name) => {
    const value = headers[`X-Service-${name}`];
    return brand === null || value === undefined ? [] : [[`X-${brand}-${name}`, value] as const];
  });
  return { ...headers, ...Object.fromEntries(copies) };
}

/** Returns a new signing secret: `whsec_` and 32 random bytes in base64. */
export function newSigningSecret(): string {
  return SECRET_PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** The secrets of a subscription as they are stored: encrypted, with the id of the subscription as context. */
export type StoredSecrets = { subscriptionId: string } & Pick<
  typeof subscriptions.$inferSelect,
  'secretCiphertext' | 'previousSecretCiphertext' | 'previousSecretUntil'
>;

const OPENED_MAX = 1_000;
/** Decrypted secrets by subscription and ciphertext, in a cache for each set of root secrets. */
const openedBy = onceFor((_roots: Roots) => new IsolateCache<string>(OPENED_MAX));

function open(roots: Roots, ciphertext: string, subscriptionId: string): Promise<string> {
  return openedBy(roots).get(`${subscriptionId} ${ciphertext}`, () =>
    decrypt(roots, 'signing secret', ciphertext, subscriptionId),
  );
}

/**
 * Returns the secrets that sign at a time (epoch ms): the current one, and also the previous one as long as both are
 * valid.
 * @throws if one of them cannot be decrypted
 */
export async function secretsAt(
  { roots }: { roots: Roots },
  stored: StoredSecrets,
  at: number,
): Promise<{ secret: string; previousSecret?: string }> {
  const { subscriptionId, previousSecretCiphertext, previousSecretUntil } = stored;
  const secret = await open(roots, stored.secretCiphertext, subscriptionId);
  const isInOverlap = previousSecretCiphertext !== null && previousSecretUntil !== null && previousSecretUntil > at;
  return isInOverlap
    ? { secret, previousSecret: await open(roots, previousSecretCiphertext, subscriptionId) }
    : { secret };
}
