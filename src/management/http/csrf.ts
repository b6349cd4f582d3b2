import { getCookie } from 'hono/cookie';
import { sessionCookieName } from '../../auth/staff/service';
import { hmac, importHmacKey, isSameSecret, randomBase62, toHex, utf8 } from '../../platform/crypto';
import { readCookie, writeCookie } from './cookies';
import type { ManageContext } from './env';

const VISITOR_COOKIE = 'visitor';
const VISITOR_LENGTH = 32;

/**
 * The token of every form: an HMAC over the session's cookie, or, before there is one, over a random cookie of the
 * visitor. Another site can read neither, and a token of one session is none of another. Costs no read.
 */
export async function formTokenOf(c: ManageContext): Promise<string> {
  const key = await importHmacKey(utf8(c.var.ctx.config.authSecret));
  return toHex(await hmac(key, `form ${bindingOf(c)}`));
}

export async function isFormToken(c: ManageContext, token: string): Promise<boolean> {
  const hasBinding = bindingOf(c) !== '';
  return hasBinding && isSameSecret(token, await formTokenOf(c));
}

/** Gives whoever has no session a cookie that forms can be bound to. Call before `formTokenOf`. */
export function ensureVisitor(c: ManageContext): void {
  if (bindingOf(c) !== '') return;
  const visitor = randomBase62(VISITOR_LENGTH);
  writeCookie(c, VISITOR_COOKIE, visitor);
  freshVisitors.set(c.req.raw, visitor);
}

/** Visitors that this very answer makes: their cookie is not in the request yet. */
const freshVisitors = new WeakMap<Request, string>();

function bindingOf(c: ManageContext): string {
  const session = getCookie(c, sessionCookieName(c.var.ctx.config));
  return session || readCookie(c, VISITOR_COOKIE) || freshVisitors.get(c.req.raw) || '';
}
