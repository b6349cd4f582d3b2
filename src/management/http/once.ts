import { isFormRepeated, wasFormSent } from '../../audit/record';
import { leavePageData, takePageDataOnce } from '../../auth/staff/account';
import { SECRET_SHOWN_MS } from '../limits';
import { isFetchedByScript } from './entity-tag';
import type { ManageContext } from './env';
import { setFlash } from './flash';
import { FORM_ID_FIELD, isFormId, newFormId } from './form-data';
import { MADE, pathnameOf } from './paths';
import { signedIn } from './session';

/**
 * Handles a form that has an effect only once. If the form is sent again (F5, back, a double click), nothing changes,
 * and the response redirects to the result of the first submission. The batch of the command writes an audit row with
 * the form's id, which is unique, so the batch cannot succeed twice. The look-up before the command only saves work. A
 * form without an id comes from an older version of the page.
 * @param shows path of the page that shows the result
 */
export function once(shows: string | ((c: ManageContext) => string), answer: (c: ManageContext) => Promise<Response>) {
  const pathOf = (c: ManageContext) => (typeof shows === 'string' ? shows : shows(c));
  return async (c: ManageContext): Promise<Response> => {
    const formId = c.var.form.text(FORM_ID_FIELD);
    if (!isFormId(formId)) return answer(c);
    c.set('ctx', { ...c.var.ctx, formId });
    if (await wasFormSent(c.var.ctx, formId)) return respondAgain(c, pathOf(c), formId);
    try {
      return await answer(c);
    } catch (error) {
      if (!isFormRepeated(error)) throw error;
      return respondAgain(c, pathOf(c), formId);
    }
  };
}

function respondAgain(c: ManageContext, path: string, formId: string): Response {
  setFlash(c, 'sent_already');
  return c.redirect(madePath(path, formId), 303);
}

/**
 * Redirects to the page that shows a secret once. Until the page is loaded, the secret is stored encrypted for this
 * member.
 */
export async function showOnce(c: ManageContext, path: string, made: object): Promise<Response> {
  const { ctx } = c.var;
  const { memberId } = signedIn(c).actor;
  const id = ctx.formId ?? newFormId();
  await leavePageData(ctx, { id, memberId, data: { path, made }, expiresAt: ctx.now() + SECRET_SHOWN_MS });
  return c.redirect(madePath(path, id), 303);
}

function madePath(path: string, id: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${MADE}=${id}`;
}

/**
 * The secret that this page shows once; undefined if the page's URL does not ask for one. `'gone'` if the secret was
 * shown already. A HEAD request and a request by the script do not take the secret, because nobody would see it.
 */
export async function takeMade<T extends object>(c: ManageContext): Promise<T | 'gone' | undefined> {
  const id = c.req.query(MADE);
  const isRead = c.req.method === 'GET' && !isFetchedByScript(c);
  if (id === undefined || !isFormId(id) || !isRead) return undefined;
  // SAFETY: written by `showOnce`, for the page of that path.
  const left = (await takePageDataOnce(c.var.ctx, id)) as { path: string; made: T } | undefined;
  return left?.path === pathnameOf(c) ? left.made : 'gone';
}
