import type { Context } from '../../platform/context';
import { hmac, importHmacKey, isSameSecret, randomBase62, toHex, utf8 } from '../../platform/crypto';

/**
 * A device cookie (OWASP, "Device Cookies"): it says that somebody signed in by an address on this device before, and
 * opens nothing. It reads `<id>.<accounts>.<mac>`, accounts as tags with `-` between, the newest first.
 */
const FORMAT = /^(\w{16})\.([0-9a-f]{32}(?:-[0-9a-f]{32}){0,7})\.([0-9a-f]{64})$/;
const ID_LENGTH = 16;
const TAG_LENGTH = 32;
/** A counter's computer has several people; whoever signed in longest ago falls out. */
const ACCOUNTS_MAX = 8;

/** What stands for an address in cookies and in the keys of limiters, where the address itself has no business. */
export async function accountTag(ctx: Context, email: string): Promise<string> {
  return (await mac(ctx, `account ${email}`)).slice(0, TAG_LENGTH);
}

/** The accounts of a device cookie that we made, none for anything else. */
export async function accountsOfDevice(ctx: Context, cookie: string | undefined): Promise<string[]> {
  const [, id = '', accounts = '', signature = ''] = FORMAT.exec(cookie ?? '') ?? [];
  if (!id || !(await isSameSecret(signature, await mac(ctx, `device ${id} ${accounts}`)))) return [];
  return accounts.split('-');
}

/** The cookie of a device on which somebody has just signed in. */
export async function deviceWith(ctx: Context, cookie: string | undefined, email: string): Promise<string> {
  const tag = await accountTag(ctx, email);
  const others = (await accountsOfDevice(ctx, cookie)).filter((each) => each !== tag);
  const accounts = [tag, ...others].slice(0, ACCOUNTS_MAX).join('-');
  const id = randomBase62(ID_LENGTH);
  return `${id}.${accounts}.${await mac(ctx, `device ${id} ${accounts}`)}`;
}

async function mac(ctx: Context, text: string): Promise<string> {
  return toHex(await hmac(await importHmacKey(utf8(ctx.config.authSecret)), text));
}
