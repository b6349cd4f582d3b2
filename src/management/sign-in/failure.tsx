import { AppError } from '../../platform/errors';
import { pageOfFileForm } from '../http/check-form';
import { ensureVisitor, formTokenOf } from '../http/csrf';
import type { ManageContext } from '../http/env';
import { setFlash } from '../http/flash';
import { pathnameOf, pathWith, SIGN_IN } from '../http/paths';
import { carriedOf, leaveCarried, readOrigin, sealCarried } from '../http/resume';
import { sessionOf } from '../http/session';
import { respondErrorPage } from '../ui/error-page';
import { respondSignIn } from './responses';

/** Forms without typed values. */
const NOTHING_TYPED = ['/manage/sign-out', '/manage/language'];

/** Answers every error of the interface: the form of an ended session can be resumed, all else is an error page. */
export async function respondFailure(error: unknown, c: ManageContext): Promise<Response> {
  if (!(error instanceof AppError) || error.code !== 'stale_form') return respondErrorPage(error, c);
  try {
    return (await giveBack(c)) ?? (await respondErrorPage(error, c));
  } catch (other) {
    return respondErrorPage(other, c);
  }
}

/**
 * Answers a form of an ended session, or of an earlier session of the same person. The action did not run; the sign-in
 * page carries the typed values back into the form. A reload gives the same answer.
 * @returns null for a form that this service did not sign
 */
async function giveBack(c: ManageContext): Promise<Response | null> {
  const { form } = c.var;
  if (!form) return sendBackWithoutFile(c);
  const origin = await readOrigin(c, form);
  // The token was valid, so the form comes from a page that needs no session.
  const isOurs = c.var.formToken !== undefined;
  if (!origin) return isOurs ? c.redirect(SIGN_IN, 303) : null;
  const session = await sessionOf(c);
  if (session && session.actor.memberId !== origin.memberId) return null;
  const carried = carriedOf(c, form, origin);
  const hasFields = carried.fields.length > 0 && !NOTHING_TYPED.includes(pathnameOf(c));
  if (carried.hadFile && !hasFields) setFlash(c, 'file_not_kept');
  if (session) return c.redirect(hasFields ? await leaveCarried(c, carried) : origin.page, 303);
  if (!hasFields) return c.redirect(pathWith(SIGN_IN, origin.page), 303);
  const sealed = await sealCarried(c, carried);
  ensureVisitor(c);
  c.set('formToken', await formTokenOf(c));
  c.set('resume', { sealed, hadFile: carried.hadFile });
  return respondSignIn(c, { next: origin.page }, 401);
}

/** A file is not read from somebody who is not signed in. */
function sendBackWithoutFile(c: ManageContext): Response | null {
  const isFile = (c.req.header('Content-Type') ?? '').startsWith('multipart/form-data');
  const page = isFile ? pageOfFileForm(pathnameOf(c)) : undefined;
  if (page === undefined) return null;
  setFlash(c, 'file_not_kept');
  return c.redirect(pathWith(SIGN_IN, page), 303);
}
