import type { Context } from './context';
import { isSameMac } from './crypto';
import { bytesOf, type MacPurpose, mac, macs } from './mac';

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
