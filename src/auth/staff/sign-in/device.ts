import type { Context } from '../../../platform/context';
import { randomBase62, toHex } from '../../../platform/crypto';
import { bytesOf, isMac, mac, macs } from '../../../platform/mac';

/**
 * A device cookie (OWASP, "Device Cookies") proves that an account has signed in on this device before. It gives no
 * access. Its format is `<id>.<accounts>.<mac>`; accounts are tags separated by `-`, the newest first.
 */
const FORMAT = /^(\w{16})\.([0-9a-f]{32}(?:-[0-9a-f]{32}){0,7})\.([\w-]{1,32}\.[0-9a-f]{64})$/;
const ID_LENGTH = 16;
const TAG_BYTES = 16;
/** Several people may share a computer; the account that signed in longest ago is dropped. */
const ACCOUNTS_MAX = 8;

/**
 * What replaces an e-mail address in cookies and in keys of rate limits, so that the address itself does not appear there.
 * @returns the tag that is written, then those that a cookie may still have
 */
export async function accountTags(ctx: Context, email: string): Promise<[string, ...string[]]> {
  const [first, ...others] = await macs(ctx, 'account tag', email);
  return [tagOf(first), ...others.map(tagOf)];
}

function tagOf(made: string): string {
  return toHex(bytesOf(made).subarray(0, TAG_BYTES));
}

/** The accounts of a device cookie; none if this service did not make it. */
export async function accountsOfDevice(ctx: Context, cookie: string | undefined): Promise<string[]> {
  const [, id = '', accounts = '', signature = ''] = FORMAT.exec(cookie ?? '') ?? [];
  if (!id || !(await isMac(ctx, signature, 'device', id, accounts))) return [];
  return accounts.split('-');
}

/** The cookie of a device on which a person has just signed in. */
export async function deviceWith(ctx: Context, cookie: string | undefined, email: string): Promise<string> {
  const tags = await accountTags(ctx, email);
  const others = (await accountsOfDevice(ctx, cookie)).filter((each) => !tags.includes(each));
  const accounts = [tags[0], ...others].slice(0, ACCOUNTS_MAX).join('-');
  const id = randomBase62(ID_LENGTH);
  return `${id}.${accounts}.${await mac(ctx, 'device', id, accounts)}`;
}
