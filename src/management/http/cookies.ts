import { getCookie, setCookie } from 'hono/cookie';
import type { ManageContext } from './env';

/** `__Host-` binds a cookie to this host and to https; browsers accept it over https only. */
export function cookieName(c: ManageContext, name: string): string {
  return `${c.get('ctx').config.isDevelopment ? 'offizin' : '__Host-offizin'}.${name}`;
}

export function readCookie(c: ManageContext, name: string): string | undefined {
  return cookiesOf(c)[cookieName(c, name)];
}

/** Of the session of the person who is signed in. */
export const SESSION_COOKIE = 'session_token';

type Cookies = Readonly<Partial<Record<string, string>>>;

const read = new WeakMap<Request, Cookies>();

/** The request's cookies by their full names. They are parsed once: each page looks at six. */
export function cookiesOf(c: ManageContext): Cookies {
  const cookies = read.get(c.req.raw) ?? getCookie(c);
  read.set(c.req.raw, cookies);
  return cookies;
}

/** Whether the prescription has the wider pane in this browser: the script writes it (client/page.js). */
export function isPaneWide(c: ManageContext): boolean {
  return cookiesOf(c)['offizin.pane'] === 'wide';
}

/** @param seconds 0 deletes the cookie; without it the cookie ends with the browser session */
export function writeCookie(c: ManageContext, name: string, value: string, seconds?: number): void {
  setCookie(c, cookieName(c, name), value, {
    path: '/',
    httpOnly: true,
    secure: !c.get('ctx').config.isDevelopment,
    sameSite: 'Lax',
    maxAge: seconds,
  });
}
