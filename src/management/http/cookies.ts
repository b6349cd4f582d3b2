import { getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { CHOICE_KEPT_SECONDS } from '../limits';
import type { ManageContext, ManageEnv } from './env';
import { LANGUAGES } from './language';
import { localPath } from './paths';

/** The full cookie name. `__Host-` binds a cookie to this host and HTTPS. Browsers accept it over HTTPS only. */
function cookieName(c: ManageContext, name: string): string {
  return `${c.get('ctx').config.isDevelopment ? 'offizin' : '__Host-offizin'}.${name}`;
}

export function readCookie(c: ManageContext, name: string): string | undefined {
  return cookiesOf(c)[cookieName(c, name)];
}

/** Name of the cookie with the signed-in person's session. */
export const SESSION_COOKIE = 'session_token';

type Cookies = Readonly<Partial<Record<string, string>>>;

const read = new WeakMap<Request, Cookies>();

/** The request's cookies by full name. They are parsed once for each request, because each page reads six of them. */
function cookiesOf(c: ManageContext): Cookies {
  const cookies = read.get(c.req.raw) ?? getCookie(c);
  read.set(c.req.raw, cookies);
  return cookies;
}

/** Whether this browser shows the prescription in the wider pane; client/page.js writes the cookie. */
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

const SHORTCUTS_COOKIE = 'shortcuts';
const OFF = 'off';

/**
 * Whether single-letter shortcuts are on in this browser. They can be switched off, because voice control types letters
 * too (WCAG 2.1.4).
 */
export function hasShortcuts(c: ManageContext): boolean {
  return readCookie(c, SHORTCUTS_COOKIE) !== OFF;
}

/** `POST /manage/account/shortcuts`: stores the choice in a cookie and redirects to the page that had the form. */
export function switchShortcuts(c: ManageContext): Response {
  const isOff = c.var.form.text('shortcuts') === OFF;
  writeCookie(c, SHORTCUTS_COOKIE, isOff ? OFF : '', isOff ? CHOICE_KEPT_SECONDS : 0);
  return c.redirect(localPath(c, c.var.form.text('next')), 303);
}

const LANGUAGE_COOKIE = 'language';

/**
 * Sets the language of the response: the one that the person chose, else English if the browser prefers it, else
 * German.
 */
export const chooseLanguage = createMiddleware<ManageEnv>(async (c, next) => {
  const chosen = LANGUAGES.find((known) => known === readCookie(c, LANGUAGE_COOKIE));
  const language = chosen ?? (/^en\b/i.test(c.req.header('Accept-Language') ?? '') ? 'en' : 'de');
  c.set('language', language);
  await next();
});

/** `POST /manage/language`: stores the choice in a cookie and redirects to the page that had the form. */
export function switchLanguage(c: ManageContext): Response {
  const chosen = LANGUAGES.find((known) => known === c.var.form.text('language'));
  if (chosen) writeCookie(c, LANGUAGE_COOKIE, chosen, CHOICE_KEPT_SECONDS);
  return c.redirect(localPath(c, c.var.form.text('next')), 303);
}
