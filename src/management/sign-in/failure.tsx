import { AppError } from '../../platform/errors';
import { FILE_PATH } from '../http/check-form';
import { ensureVisitor, formTokenOf } from '../http/csrf';
import type { ManageContext } from '../http/env';
import { setFlash } from '../http/flash';
import { pathnameOf, pathWith, SIGN_IN } from '../http/paths';
import { carriedOf, leaveCarried, readOrigin, sealCarried } from '../http/resume';
import { sessionOf } from '../http/session';
import { respondErrorPage } from '../ui/error-page';
import { respondSignIn } from './responses';

/** Forms in which nobody types anything. */
const NOTHING_TYPED = ['/manage/sign-out', '/manage/language'];

/** Every error of the interface: a form that came too late is given back, everything else is said on a page. */
export async function respondFailure(error: unknown, c: ManageContext): Promise<Response> {
  if (!(error instanceof AppError) || error.code !== 'stale_form') return respondErrorPage(error, c);
  try {
    return (await giveBack(c)) ?? (await respondErrorPage(error, c));
  } catch (other) {
    return respondErrorPage(other, c);
  }
}

/**
 * A form whose session is over, or which was made in an earlier session of the same person. Nothing was done; what was
 * typed goes through the sign-in page and back into the form. Reloading says the same again.
 * @returns null for a form that is nobody's here
 */
async function giveBack(c: ManageContext): Promise<Response | null> {
  const { form } = c.var;
  if (!form) return sendBackWithoutFile(c);
  const origin = await readOrigin(c, form);
  // Its token was right: then it is a form of ours, from a page without anybody signed in.
  const isOurs = c.var.formToken !== undefined;
  if (!origin) return isOurs ? c.redirect(SIGN_IN, 303) : null;
  const session = c.var.session ?? (await sessionOf(c));
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

/** A file is not even read from somebody who is not signed in. */
function sendBackWithoutFile(c: ManageContext): Response | null {
  const isFile = (c.req.header('Content-Type') ?? '').startsWith('multipart/form-data');
  if (!isFile || !FILE_PATH.test(pathnameOf(c))) return null;
  setFlash(c, 'file_not_kept');
  return c.redirect(pathWith(SIGN_IN, pathnameOf(c).replace(/\/prescription$/, '')), 303);
}
