import { fromBase64, hmac, importHmacKey, toBase64, toHex, utf8 } from '../platform/crypto';

export const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export interface SignedMessage {
  secret: string;
  eventId: string;
  /** Epoch seconds of this attempt. */
  timestamp: number;
  body: string;
}

/**
 * The signature headers of one post, in both schemes:
 * - `X-Service-Signature: sha256=<hex>` (SPEC, Events): HMAC-SHA-256 of the body, keyed with the UTF-8 bytes of the
 *   whole secret, prefix included.
 * - `webhook-id`, `webhook-timestamp`, `webhook-signature: v1,<base64>` (Standard Webhooks 1.0): HMAC-SHA-256 of
 *   `id.timestamp.body`, keyed with the bytes that the secret's base64 part stands for. This one withstands replay.
 */
export async function signatureHeaders({
  secret,
  eventId,
  timestamp,
  body,
}: SignedMessage): Promise<Record<string, string>> {
  const [contractKey, standardKey] = await Promise.all([
    importHmacKey(utf8(secret)),
    importHmacKey(fromBase64(secret.slice(SECRET_PREFIX.length))),
  ]);
  const [contract, standard] = await Promise.all([
    hmac(contractKey, body),
    hmac(standardKey, `${eventId}.${timestamp}.${body}`),
  ]);
  return {
    'X-Service-Signature': `sha256=${toHex(contract)}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${toBase64(standard)}`,
  };
}

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export function newSigningSecret(): string {
  return SECRET_PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}
