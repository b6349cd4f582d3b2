import { readCookie, writeCookie } from './cookies';
import { isFetchedByScript } from './entity-tag';
import type { ManageContext } from './env';
import { type Flash, flashMessages } from './flash-messages';

const COOKIE = 'flash';
const SECONDS = 60;

/**
 * Makes the next page show a message about this action. The cookie has only the message's name and an optional id.
 * The page reads names of people itself because not everybody may see them.
 */
export function setFlash(c: ManageContext, flash: Flash, subjectId?: string): void {
  writeCookie(c, COOKIE, subjectId === undefined ? flash : `${flash}.${subjectId}`, SECONDS);
}

/**
 * Reads the message about the previous action and deletes its cookie, so that it is shown once.
 * @returns `subjectId`: the id of the request that the message is about; missing if the next page shows this request
 */
export function takeFlash(c: ManageContext): { flash: Flash; subjectId?: string } | undefined {
  const cookie = readCookie(c, COOKIE);
  if (cookie === undefined) return undefined;
  // Scripts fetch pages too. Most do not show the message (client/refresh.js); a script that shows it sends this
  // header.
  const isShown = !isFetchedByScript(c) || c.req.header('X-Shows-Message') !== undefined;
  if (c.req.method !== 'GET' || !isShown) return undefined;
  const [flash = '', subjectId] = cookie.split('.');
  writeCookie(c, COOKIE, '', 0);
  // SAFETY: the cookie may hold any text, but there is a message of this name.
  return Object.hasOwn(flashMessages, flash) ? { flash: flash as Flash, subjectId } : undefined;
}

/** Redirects to a page that shows the message, so that a reload does not repeat the action. */
export function redirectWithFlash(c: ManageContext, flash: Flash, path: string, subjectId?: string): Response {
  setFlash(c, flash, subjectId);
  return c.redirect(path, 303);
}
