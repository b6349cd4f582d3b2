import { readCookie, writeCookie } from './cookies';
import { isFetchedByScript } from './entity-tag';
import type { ManageContext } from './env';
import { type Flash, flashMessages } from './flash-messages';

const COOKIE = 'flash';
const SECONDS = 60;

/** The message about the previous action. */
interface TakenFlash {
  flash: Flash;
  /** The id of the request that it is about, if the next page shows something else. */
  subjectId?: string;
}

/**
 * Makes the next page show a message about this action. The cookie has only the message's name and an optional id;
 * the page reads names of people itself because not everybody may see them.
 */
export function setFlash(c: ManageContext, flash: Flash, subjectId?: string): void {
  writeCookie(c, COOKIE, subjectId === undefined ? flash : `${flash}.${subjectId}`, SECONDS);
}

/** Reads the message and deletes its cookie, so that it is shown once. */
export function takeFlash(c: ManageContext): TakenFlash | undefined {
  const cookie = readCookie(c, COOKIE);
  if (cookie === undefined) return undefined;
  // The scripts fetch pages too, and most (client/refresh.js) would not show the message; one says that it does.
  const isShown = !isFetchedByScript(c) || c.req.header('X-Shows-Message') !== undefined;
  if (c.req.method !== 'GET' || !isShown) return undefined;
  const [flash = '', subjectId] = cookie.split('.');
  writeCookie(c, COOKIE, '', 0);
  // The cookie may hold any text.
  return isFlash(flash) ? { flash, subjectId } : undefined;
}

/** Redirects to a page that shows the message, so that a reload does not repeat the action. */
export function redirectWithFlash(c: ManageContext, flash: Flash, path: string, subjectId?: string): Response {
  setFlash(c, flash, subjectId);
  return c.redirect(path, 303);
}

function isFlash(name: string): name is Flash {
  return Object.hasOwn(flashMessages, name);
}
