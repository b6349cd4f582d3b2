import { NotApprovable, nextOpenRequest, readReview } from '../../order-requests/service';
import type { AppError } from '../../platform/errors';
import type { ManageContext } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import type { Flash } from '../http/flash-messages';
import { idOf, REQUESTS, requestPath } from '../http/paths';
import { submitDecision } from '../ui/decision';
import { type FieldErrors, hasFieldErrors } from '../ui/form-errors';
import { textFor } from '../ui/lookup';
import { sharedMessages } from '../ui/messages';
import { respondPage, type View, viewOf } from '../ui/view';
import { blockerText, indexOf } from './findings';
import { readLines, type TypedForm } from './lines';
import { messages } from './messages';
import { ReviewPage } from './review-page';
import type { ReviewState } from './review-state';

/** The page of a request in its current state, with typed values and errors. */
export async function respondReview(c: ManageContext, state: ReviewState = {}): Promise<Response> {
  const edited = state.lines && {
    lines: readLines(state.lines, c.var).lines,
    p1Ids: state.lines.map(({ productId }) => productId).filter((id) => id !== ''),
  };
  const review = await readReview(c.var.ctx, idOf(c), edited);
  const view = await viewOf(c, requestPath(review.request.id));
  const status = state.conflict ? 409 : hasFieldErrors(state.fieldErrors ?? {}) ? 400 : 200;
  return respondPage(c, <ReviewPage view={view} review={review} state={state} />, status);
}

interface Decision {
  run: () => Promise<unknown>;
  /** What the page keeps of the form, and shows of the refusal. */
  typed?: (error: AppError) => ReviewState;
  onDone: () => Response | Promise<Response>;
}

/** Decides something about the request; refused, it shows the request as it is by now. */
export function decideRequest(c: ManageContext, { run, typed, onDone }: Decision): Promise<Response> {
  const refuse = (error: AppError) => {
    if (error.kind !== 'conflict') return null;
    const { conflicts } = sharedMessages(c.var).requests;
    const conflict = textFor(conflicts, error.code, conflicts.other);
    return respondReview(c, { ...typed?.(error), conflict });
  };
  return submitDecision(run, refuse, onDone);
}

/** Redirects to the next waiting request, else to the inbox. */
export async function redirectToNext(c: ManageContext, flash: Flash): Promise<Response> {
  const id = idOf(c);
  const next = await nextOpenRequest(c.var.ctx, id);
  return redirectWithFlash(c, flash, next === null ? REQUESTS : requestPath(next), id);
}

/** The obstacles to an approval, as errors of the fields that can solve them. */
export function refusedApproval(
  view: Pick<View, 'language' | 'session'>,
  error: AppError,
  typed: TypedForm,
  rows: readonly number[],
): ReviewState {
  if (!(error instanceof NotApprovable)) return {};
  const blockers = [...error.blockers];
  const t = messages(view);
  const fieldErrors: FieldErrors = {};
  for (const blocker of blockers) {
    if (blocker.code === 'unmatched_line') {
      fieldErrors[`product-${rows[indexOf(blocker.pointer)]}`] = blockerText(view, blocker.code);
    }
    if (blocker.code !== 'insufficient_stock') continue;
    const row = typed.lines.findIndex(({ productId }) => productId === blocker.p1Id);
    if (row >= 0) fieldErrors[`quantity-${row}`] = t.shortage(blocker.requested, blocker.stockQuantity);
  }
  if (blockers.every(({ overridable }) => overridable) && typed.override_reason === '') {
    fieldErrors.override_reason = sharedMessages(view).common.required(t.override);
  }
  return { fieldErrors, blockers };
}
