import { readCookie, writeCookie } from './cookies';
import type { ManageContext } from './env';
import type { Flash } from './flash-names';

const COOKIE = 'flash';
const SECONDS = 60;

/** What the page before this one has to say. */
export interface TakenFlash {
  /** As the cookie has it: the page says only what it has a text for. */
  name: string;
  /** The id of what it is about, where the next page is about something else. */
  subjectId?: string;
}

/**
 * Lets the next page say what was done. The cookie holds a name from our own list and at most an id: names of people are
 * read with the page, for whoever may see them.
 */
export function setFlash(c: ManageContext, flash: Flash, subjectId?: string): void {
  writeCookie(c, COOKIE, subjectId === undefined ? flash : `${flash}.${subjectId}`, SECONDS);
}

/** What the page before this one has to say, once. */
export function takeFlash(c: ManageContext): TakenFlash | undefined {
  const [flash, subjectId] = readCookie(c, COOKIE)?.split('.') ?? [];
  // The script looks at pages too (client/refresh.js); the word is for whoever reads.
  const isRead = c.req.method === 'GET' && c.req.header('Sec-Fetch-Dest') !== 'empty';
  if (flash === undefined || !isRead) return undefined;
  writeCookie(c, COOKIE, '', 0);
  return { name: flash, subjectId };
}

/** Done: says so on the page that it goes to, so that a reload repeats nothing. */
export function redirectWithFlash(c: ManageContext, flash: Flash, path: string, subjectId?: string): Response {
  setFlash(c, flash, subjectId);
  return c.redirect(path, 303);
}
