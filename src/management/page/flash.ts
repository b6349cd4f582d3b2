import { readCookie, writeCookie } from '../access/cookies';
import type { ManageContext } from '../env';
import type { Words } from '../words/de';

const COOKIE = 'flash';
const SECONDS = 60;

export type Flash = keyof Words['flash'];

/** Lets the next page say what was done. The cookie holds a name from our own list and no text. */
export function setFlash(c: ManageContext, flash: Flash): void {
  writeCookie(c, COOKIE, flash, SECONDS);
}

/** What the page before this one has to say, once. */
export function takeFlash(c: ManageContext): Flash | undefined {
  const flash = readCookie(c, COOKIE);
  // The script looks at pages too (script-refresh.ts); the word is for whoever reads.
  const isRead = c.req.method === 'GET' && c.req.header('Sec-Fetch-Dest') !== 'empty';
  if (flash === undefined || !isRead) return undefined;
  writeCookie(c, COOKIE, '', 0);
  // SAFETY: asked first.
  return Object.hasOwn(c.var.words.flash, flash) ? (flash as Flash) : undefined;
}

/** Done: says so on the page that it goes to, so that a reload repeats nothing. */
export function done(c: ManageContext, flash: Flash, path: string): Response {
  setFlash(c, flash);
  return c.redirect(path, 303);
}
