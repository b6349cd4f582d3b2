import { AppError } from '../../platform/errors';
import { ensureVisitor, formTokenOf } from '../http/csrf';
import type { ManageContext } from '../http/env';
import { localPath, pathnameOf } from '../http/paths';
import { sessionCookieOf } from '../http/session';
import { respondErrorPage } from '../ui/error-page';
import { respondSignIn } from './responses';

/** Paths whose forms need no session. */
const OPEN = /^\/manage\/(sign-in|invitation|reset)\b/;

/**
 * Answers every error of the interface: a form without a session with the page to sign in, all else with an error page. The
 * database is not asked for it: a wrong token beside a session's cookie is an error page.
 */
export async function respondFailure(error: unknown, c: ManageContext): Promise<Response> {
  const isStale = error instanceof AppError && error.code === 'stale_form';
  const isSignedOut = sessionCookieOf(c) === undefined || c.var.found?.session === null;
  if (!isStale || !isSignedOut || OPEN.test(pathnameOf(c))) return respondErrorPage(error, c);
  ensureVisitor(c);
  c.set('formToken', await formTokenOf(c));
  const from = URL.parse(c.req.header('Referer') ?? '');
  const isOurs = from?.origin === c.var.ctx.config.baseUrl;
  return respondSignIn(c, { next: localPath(c, isOurs ? from.pathname + from.search : undefined), isEnded: true }, 401);
}
