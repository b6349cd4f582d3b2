import { DAY_SECONDS } from '../../platform/time';
import { readCookie, writeCookie } from './cookies';
import type { ManageContext } from './env';
import { localPath } from './paths';

const COOKIE = 'shortcuts';
const OFF = 'off';
const YEAR_SECONDS = 365 * DAY_SECONDS;

/** Single-letter shortcuts can be switched off for this browser (WCAG 2.1.4): voice control types letters too. */
export function hasShortcuts(c: ManageContext): boolean {
  return readCookie(c, COOKIE) !== OFF;
}

/** `POST /manage/account/shortcuts`: stores the choice in a cookie and redirects to the page it was made on. */
export function switchShortcuts(c: ManageContext): Response {
  const isOff = c.var.form.text('shortcuts') === OFF;
  writeCookie(c, COOKIE, isOff ? OFF : '', isOff ? YEAR_SECONDS : 0);
  return c.redirect(localPath(c, c.var.form.text('next')), 303);
}
