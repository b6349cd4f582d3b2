import type { Context } from '../../platform/context';
import { hmac, importHmacKey, isSameMac, randomBase62, toHex } from '../../platform/crypto';

/**
 * A device cookie (OWASP, "Device Cookies") proves that an account has signed in on this device before. It gives no
 * access. Its format is `<id>.<accounts>.<mac>`; accounts are tags separated by `-`, the newest first.
 */
const FORMAT = /^(\w{16})\.([0-9a-f]{32}(?:-[0-9a-f]{32}){0,7})\.([0-9a-f]{64})$/;
const ID_LENGTH = 16;
const TAG_LENGTH = 32;
/** Several people may share a computer; the account that signed in longest ago is dropped. */
const ACCOUNTS_MAX = 8;

/**
 * An HMAC that replaces an e-mail address in cookies and in keys of rate limits, so that the address itself does not
 * appear there.
 */
export async function accountTag(ctx: Context, email: string): Promise<string> {
  return (await mac(ctx, `account ${email}`)).slice(0, TAG_LENGTH);
}

/** The accounts of a device cookie; none if this service did not make it. */
export async function accountsOfDevice(ctx: Context, cookie: string | undefined): Promise<string[]> {
  const [, id = '', accounts = '', signature = ''] = FORMAT.exec(cookie ?? '') ?? [];
  if (!id || !isSameMac(await mac(ctx, `device ${id} ${accounts}`), signature)) return [];
  return accounts.split('-');
}

/** The cookie of a device on which a person has just signed in. */
export async function deviceWith(ctx: Context, cookie: string | undefined, email: string): Promise<string> {
  const tag = await accountTag(ctx, email);
  const others = (await accountsOfDevice(ctx, cookie)).filter((each) => each !== tag);
  const accounts = [tag, ...others].slice(0, ACCOUNTS_MAX).join('-');
  const id = randomBase62(ID_LENGTH);
  return `${id}.${accounts}.${await mac(ctx, `device ${id} ${accounts}`)}`;
}

async function mac(ctx: Context, text: string): Promise<string> {
  return toHex(await hmac(await importHmacKey(ctx.config.authKey), text));
}
