import { createMiddleware } from 'hono/factory';
import { readCookie, writeCookie } from './cookies';
import type { ManageContext, ManageEnv } from './env';
import { LANGUAGES } from './language';
import { localPath } from './paths';

const COOKIE = 'language';
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The language that the person chose; else German, unless the browser prefers English. */
export const chooseLanguage = createMiddleware<ManageEnv>(async (c, next) => {
  const chosen = LANGUAGES.find((known) => known === readCookie(c, COOKIE));
  const language = chosen ?? (/^en\b/i.test(c.req.header('Accept-Language') ?? '') ? 'en' : 'de');
  c.set('language', language);
  await next();
});

/** `POST /manage/language`: stores the choice in a cookie and redirects to the page it was made on. */
export function switchLanguage(c: ManageContext): Response {
  const chosen = LANGUAGES.find((known) => known === c.var.form.text('language'));
  if (chosen) writeCookie(c, COOKIE, chosen, YEAR_SECONDS);
  return c.redirect(localPath(c, c.var.form.text('next')), 303);
}
