import { leavePageData, readPageData } from '../../auth/staff/service';
import { readReview } from '../../order-requests/service';
import { MINUTE_MS } from '../../platform/time';
import type { ManageContext } from '../http/env';
import { isFormId, newFormId } from '../http/form-data';
import { idOf, requestPath } from '../http/paths';
import { signedIn } from '../http/session';
import { initialForm } from './draft';
import { isUntouched, type TypedForm, untouchedForm } from './typed-form';

/** Query parameter of a review page that shows the form of the lines as it was typed. */
const TYPED = 'typed';
const KEPT_MS = 30 * MINUTE_MS;

/** The address of a request's page that shows the form as it is typed. */
export async function pathKeeping(c: ManageContext, typed: TypedForm): Promise<string> {
  return (await keptPath(c, typed)) ?? requestPath(idOf(c));
}

/** The same, which is stored, for this person; null where nothing was changed. */
export async function keptPath(c: ManageContext, typed: TypedForm): Promise<string | null> {
  const { ctx, language } = c.var;
  const requestId = idOf(c);
  const review = await readReview(ctx, requestId);
  const initial = initialForm(review, language);
  const untouched = { ...untouchedForm(initial.lines, typed.prescriptions), ...initial };
  // Without lines, as once the request is decided, all that can be prepared is as the page says by itself.
  const kept = typed.lines.length > 0 ? typed : { ...typed, ...initial };
  if (isUntouched(kept, untouched)) return null;
  const { memberId } = signedIn(c).actor;
  const id = newFormId();
  await leavePageData(ctx, { id, memberId, data: { requestId, typed: kept }, expiresAt: ctx.now() + KEPT_MS });
  return `${requestPath(requestId)}?${TYPED}=${id}`;
}

/** The form as it was typed, if the page's address asks for it and it was this person's, for this request. */
export async function keptForm(c: ManageContext): Promise<TypedForm | undefined> {
  const id = c.req.query(TYPED);
  if (id === undefined || !isFormId(id)) return undefined;
  // SAFETY: the id is too long to be guessed, and only `pathKeeping` gives one to this page.
  const kept = (await readPageData(c.var.ctx, id)) as { requestId: string; typed: TypedForm } | undefined;
  return kept?.requestId === idOf(c) ? kept.typed : undefined;
}
