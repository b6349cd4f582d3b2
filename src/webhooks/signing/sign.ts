import { fromBase64, hmac, importHmacKey, toBase64, toHex, utf8 } from '../../platform/crypto';

export const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export interface SignedMessage {
  secret: string;
  /** The secret before a rotation, while it is still valid. */
  previousSecret?: string;
  eventId: string;
  /** Epoch seconds of this attempt. */
  timestamp: number;
  body: string;
}

/**
 * The signature headers of one post, in both schemes:
 * - `X-Service-Signature: sha256=<hex>` (contract 6.6): HMAC-SHA-256 of the body; the key is the UTF-8 bytes of the
 *   whole secret, prefix included. There is room for only one signature: while two secrets are valid the previous one
 *   signs, because every receiver already knows it, so a rotation breaks no receiver that has not reacted yet.
 * - `webhook-id`, `webhook-timestamp`, `webhook-signature: v1,<base64>` (Standard Webhooks 1.0): HMAC-SHA-256 of
 *   `id.timestamp.body`; the key is the decoded base64 part of the secret. This scheme protects against replay. While
 *   two secrets are valid, it carries both signatures, separated by a space.
 */
export async function signatureHeaders({
  secret,
  previousSecret,
  eventId,
  timestamp,
  body,
}: SignedMessage): Promise<Record<string, string>> {
  const secrets = previousSecret === undefined ? [secret] : [secret, previousSecret];
  const [contract, standard] = await Promise.all([
    importHmacKey(utf8(previousSecret ?? secret)).then((key) => hmac(key, body)),
    Promise.all(secrets.map((each) => standardSignature(each, `${eventId}.${timestamp}.${body}`))),
  ]);
  return {
    'X-Service-Signature': `sha256=${toHex(contract)}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
  };
}

async function standardSignature(secret: string, signed: string): Promise<string> {
  const key = await importHmacKey(fromBase64(secret.slice(SECRET_PREFIX.length)));
  return `v1,${toBase64(await hmac(key, signed))}`;
}

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export function newSigningSecret(): string {
  return SECRET_PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}
