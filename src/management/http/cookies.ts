import { getCookie, setCookie } from 'hono/cookie';
import type { ManageContext } from './env';

/** `__Host-` binds a cookie to this host and to https; browsers accept it over https only. */
export function cookieName(c: ManageContext, name: string): string {
  return `${c.var.ctx.config.isDevelopment ? 'offizin' : '__Host-offizin'}.${name}`;
}

export function readCookie(c: ManageContext, name: string): string | undefined {
  return getCookie(c, cookieName(c, name));
}

/** @param seconds 0 deletes the cookie; without it the cookie ends with the browser session */
export function writeCookie(c: ManageContext, name: string, value: string, seconds?: number): void {
  setCookie(c, cookieName(c, name), value, {
    path: '/',
    httpOnly: true,
    secure: !c.var.ctx.config.isDevelopment,
    sameSite: 'Lax',
    maxAge: seconds,
  });
}

/** Passes on the cookies that the sign-in library sets. */
export function passCookies(c: ManageContext, cookies: readonly string[]): void {
  for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true });
}
