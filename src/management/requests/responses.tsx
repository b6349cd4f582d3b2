import { nextOpenRequest, type Review, readReview } from '../../order-requests/inbox/inbox';
import { NotApprovable } from '../../order-requests/review/assessment';
import type { AppError } from '../../platform/errors/errors';
import { isPaneWide } from '../http/cookies';
import type { ManageContext } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import type { Flash } from '../http/flash-messages';
import { idOf, REQUESTS, requestPath } from '../http/paths';
import { submitDecision } from '../ui/confirm';
import { sharedMessages } from '../ui/messages';
import { type FieldErrors, hasFieldErrors, respondPage, textFor, type View } from '../ui/view';
import { blockerText, indexOf } from './findings';
import { messages } from './messages';
import { initialForm, ReviewPage } from './review-page';
import {
  draftOf,
  type ReviewState,
  readChecks,
  readLines,
  type TypedForm,
  untouchedForm,
  withoutTicks,
} from './review-state';

/** The page of a request in its current state, with typed values and errors. */
export async function respondReview(c: ManageContext, state: ReviewState = {}): Promise<Response> {
  const { draft, rows } = draftIn(c, state);
  const review = await readReview(c.var.ctx, idOf(c), draft);
  const form = state.lines?.length || !review.request.draft ? { rows } : preparedForm(c, review);
  const status = state.conflict ? 409 : hasFieldErrors(state.fieldErrors ?? {}) ? 400 : 200;
  return respondPage(
    c,
    <ReviewPage review={review} state={{ ...state, ...form, isWide: isPaneWide(c) }} />,
    status,
    requestPath(review.request.id),
  );
}

/** The saved draft as form values. */
function preparedForm({ var: reader }: ManageContext, review: Review) {
  const form = initialForm(review, reader.language);
  return { ...form, rows: readLines(form.lines, reader, reader.ctx.now()).rows };
}

/** The draft for which obstacles are computed: the typed form, if there is one. */
function draftIn(c: ManageContext, state: ReviewState) {
  const { lines: typedLines } = state;
  if (!typedLines?.length) return {};
  const { lines, rows } = readLines(typedLines, c.var, c.var.ctx.now());
  const typed = { ...untouchedForm(typedLines, ''), ...state, lines: typedLines };
  const { checked } = readChecks(typed.checks, c.var.ctx.now(), messages(c.var));
  return { draft: draftOf(typed, lines, checked), rows };
}

/** Reads the typed form, with errors by field. */
export function readTyped(c: ManageContext, typed: TypedForm) {
  const { lines, rows, fieldErrors } = readLines(typed.lines, c.var, c.var.ctx.now());
  const checks = readChecks(typed.checks, c.var.ctx.now(), messages(c.var));
  return { lines, rows, checked: checks.checked, fieldErrors: { ...fieldErrors, ...checks.fieldErrors } };
}

interface Decision {
  run: () => Promise<unknown>;
  /** The form values and errors that the page shows after a refusal. */
  typed?: (error: AppError) => ReviewState;
  onDone: () => Response | Promise<Response>;
}

/** Runs a decision about the request. After a conflict, shows the current request. */
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

/** Obstacles to an approval, as errors of the fields that can resolve them. */
export function refusedApproval(
  view: Pick<View, 'language' | 'session'>,
  error: AppError,
  typed: TypedForm,
  rows: readonly number[],
): ReviewState {
  if (error.code === 'prescriptions_changed') return withoutTicks(typed);
  if (!(error instanceof NotApprovable)) return {};
  const t = messages(view);
  const fieldErrors: FieldErrors = {};
  for (const blocker of error.blockers) {
    const row = 'pointer' in blocker ? rows[indexOf(blocker.pointer)] : undefined;
    if (blocker.code === 'unmatched_line') fieldErrors[`product-${row}`] = blockerText(view, blocker.code);
    if (blocker.code === 'prescription_price') fieldErrors[`price-${row}`] = blockerText(view, blocker.code);
    if ('difference' in blocker) fieldErrors[`acknowledged-${row}`] = t.acknowledgeMissing;
    if (blocker.code === 'question_open') fieldErrors[`question-${blocker.questionId}`] = t.questionOpen;
    if (blocker.code === 'signature_unconfirmed') fieldErrors[`confirm-${blocker.prescriptionId}`] = t.confirmMissing;
    if (blocker.code === 'payment_undecided') fieldErrors.payment = t.paymentMissing;
    if (blocker.code === 'fee_differs') fieldErrors.remainder = t.paymentMissing;
    if (blocker.code === 'prescription_expired') {
      fieldErrors[`issued-${blocker.prescriptionId}`] = blockerText(view, blocker.code);
    }
    if (blocker.code === 'prescription_not_reviewed') {
      for (const { id, sha256 } of typed.checks) if (sha256 === '') fieldErrors[`checked-${id}`] = t.tickMissing;
    }
    if (blocker.code !== 'insufficient_stock') continue;
    const short = typed.lines.findIndex(({ productId }) => productId === blocker.p1Id);
    if (short >= 0) fieldErrors[`quantity-${short}`] = t.shortage(blocker.requested, blocker.stockQuantity);
  }
  if (error.blockers.some(({ overridable }) => overridable) && typed.override_reason === '') {
    fieldErrors.override_reason = sharedMessages(view).common.required(t.override);
  }
  return { fieldErrors };
}
