import { hmac, importHmacKey, isSameMac } from '../../platform/crypto';

const MAC_BYTES = 16;

/**
 * The token of a payment page: the link's id and an HMAC over it with the pepper. Nobody can guess a token, and nothing
 * secret has to be stored to show the link again.
 */
export async function paymentToken(pepper: Uint8Array<ArrayBuffer>, linkId: string): Promise<string> {
  const mac = await hmac(await importHmacKey(pepper), `payment-link:${linkId}`);
  const id = Uint8Array.fromHex(linkId.replaceAll('-', ''));
  return new Uint8Array([...id, ...mac.subarray(0, MAC_BYTES)]).toBase64({ alphabet: 'base64url', omitPadding: true });
}

/** The link's id in a valid token, else null. */
export async function linkIdOfToken(pepper: Uint8Array<ArrayBuffer>, token: string): Promise<string | null> {
  let hex: string;
  try {
    hex = Uint8Array.fromBase64(token, { alphabet: 'base64url' }).toHex();
  } catch {
    return null;
  }
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})(.{32})$/.exec(hex);
  if (!parts) return null;
  const linkId = parts.slice(1, 6).join('-');
  return isSameMac(await paymentToken(pepper, linkId), token) ? linkId : null;
}
