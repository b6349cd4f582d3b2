import type { Context } from '../../platform/context';
import { isSameMac } from '../../platform/crypto';
import { bytesOf, mac, macs } from '../../platform/mac';

const MAC_BYTES = 16;

/**
 * The token of a payment page: the link's id and a MAC of it. Nobody can guess a token, and nothing secret has to be stored to
 * show the link again. Which pepper made it is not in the token, but in the link's row.
 */
export async function paymentToken(ctx: Pick<Context, 'config'>, linkId: string): Promise<string> {
  return tokenWith(await mac(ctx, 'payment link', linkId), linkId);
}

function tokenWith(made: string, linkId: string): string {
  const id = Uint8Array.fromHex(linkId.replaceAll('-', ''));
  const bytes = new Uint8Array([...id, ...bytesOf(made).subarray(0, MAC_BYTES)]);
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}

/** The link's id in a valid token, else null. */
export async function linkIdOfToken(ctx: Pick<Context, 'config'>, token: string): Promise<string | null> {
  let hex: string;
  try {
    hex = Uint8Array.fromBase64(token, { alphabet: 'base64url' }).toHex();
  } catch {
    return null;
  }
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})(.{32})$/.exec(hex);
  if (!parts) return null;
  const linkId = parts.slice(1, 6).join('-');
  const made = await macs(ctx, 'payment link', linkId);
  return made.some((each) => isSameMac(tokenWith(each, linkId), token)) ? linkId : null;
}
