import { sessionCookieName } from '../../auth/staff/service';
import { hmac, importHmacKey, isSameMac, randomBase62, toHex } from '../../platform/crypto';
import { cookiesOf, readCookie, writeCookie } from './cookies';
import type { ManageContext } from './env';

const VISITOR_COOKIE = 'visitor';
const VISITOR_LENGTH = 32;

/**
 * The token of every form: an HMAC over the session cookie, or without a session over a random visitor cookie. Another
 * site can read neither cookie, and each session has another token. It needs no database read.
 */
export async function formTokenOf(c: ManageContext): Promise<string> {
  const key = await importHmacKey(c.get('ctx').config.authKey);
  return toHex(await hmac(key, `form ${bindingOf(c)}`));
}

export async function isFormToken(c: ManageContext, token: string): Promise<boolean> {
  const hasBinding = bindingOf(c) !== '';
  return hasBinding && isSameMac(await formTokenOf(c), token);
}

/** Gives visitors without a session a cookie that forms can be bound to. Call it before `formTokenOf`. */
export function ensureVisitor(c: ManageContext): void {
  if (bindingOf(c) !== '') return;
  const visitor = randomBase62(VISITOR_LENGTH);
  writeCookie(c, VISITOR_COOKIE, visitor);
  freshVisitors.set(c.req.raw, visitor);
}

/** Visitor cookies that this response sets: the request does not hold them yet. */
const freshVisitors = new WeakMap<Request, string>();

function bindingOf(c: ManageContext): string {
  const session = cookiesOf(c)[sessionCookieName(c.get('ctx').config)];
  return session || readCookie(c, VISITOR_COOKIE) || freshVisitors.get(c.req.raw) || '';
}
