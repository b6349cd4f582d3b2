import { unsigned } from '../../auth/staff/service';
import { randomBase62 } from '../../platform/crypto';
import { isMac, mac } from '../../platform/mac';
import { readCookie, SESSION_COOKIE, writeCookie } from './cookies';
import type { ManageContext } from './env';

const VISITOR_COOKIE = 'visitor';
const VISITOR_LENGTH = 32;

/**
 * The token of every form: a MAC of the session cookie, or without a session of a random visitor cookie. Another
 * site can read neither cookie, and each session has another token. It needs no database read.
 */
export function formTokenOf(c: ManageContext): Promise<string> {
  return mac(c.get('ctx'), 'form token', bindingOf(c));
}

export async function isFormToken(c: ManageContext, token: string): Promise<boolean> {
  const binding = bindingOf(c);
  return binding !== '' && isMac(c.get('ctx'), token, 'form token', binding);
}

/** Gives visitors without a session a cookie that forms can be bound to. Call it before `formTokenOf`. */
export function ensureVisitor(c: ManageContext): void {
  if (bindingOf(c) === '') visitorOf(c);
}

/** Visitor cookies that this response sets: the request does not hold them yet. */
const freshVisitors = new WeakMap<Request, string>();

function bindingOf(c: ManageContext): string {
  const session = readCookie(c, SESSION_COOKIE);
  return (session && unsigned(session)) || knownVisitor(c) || '';
}

function knownVisitor(c: ManageContext): string | undefined {
  return readCookie(c, VISITOR_COOKIE) || freshVisitors.get(c.req.raw);
}

/** The visitor of the request, else a new one. */
function visitorOf(c: ManageContext): string {
  const known = knownVisitor(c);
  if (known) return known;
  const visitor = randomBase62(VISITOR_LENGTH);
  writeCookie(c, VISITOR_COOKIE, visitor);
  freshVisitors.set(c.req.raw, visitor);
  return visitor;
}
