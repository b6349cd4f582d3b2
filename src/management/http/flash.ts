import { readCookie, writeCookie } from './cookies';
import { isFetchedByScript } from './entity-tag';
import type { ManageContext } from './env';
import { type Flash, flashMessages } from './flash-messages';

const COOKIE = 'flash';
const SECONDS = 60;

/** The message about the previous action. */
interface TakenFlash {
  flash: Flash;
  /** The id of what it is about; given where the next page is about something else. */
  subjectId?: string;
}

/**
 * Makes the next page show what was done. The cookie holds the name of a message and at most an id; names of people are
 * read again with the page, because not everybody may see them.
 */
export function setFlash(c: ManageContext, flash: Flash, subjectId?: string): void {
  writeCookie(c, COOKIE, subjectId === undefined ? flash : `${flash}.${subjectId}`, SECONDS);
}

/** Reads the message and deletes its cookie, so that it is shown once. */
export function takeFlash(c: ManageContext): TakenFlash | undefined {
  const cookie = readCookie(c, COOKIE);
  if (cookie === undefined) return undefined;
  // The script fetches pages too (client/refresh.js), but the message is for the reader.
  if (c.req.method !== 'GET' || isFetchedByScript(c)) return undefined;
  const [flash = '', subjectId] = cookie.split('.');
  writeCookie(c, COOKIE, '', 0);
  // The cookie may hold any text.
  return isFlash(flash) ? { flash, subjectId } : undefined;
}

/** After a successful action: redirects to a page that shows the message, so that a reload repeats nothing. */
export function redirectWithFlash(c: ManageContext, flash: Flash, path: string, subjectId?: string): Response {
  setFlash(c, flash, subjectId);
  return c.redirect(path, 303);
}

function isFlash(name: string): name is Flash {
  return Object.hasOwn(flashMessages, name);
}
