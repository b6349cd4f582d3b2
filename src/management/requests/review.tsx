import { NotApprovable, nextOpenRequest, readReview } from '../../order-requests/service';
import { AppError } from '../../platform/errors';
import type { ManageContext } from '../http/env';
import { done, type Flash } from '../http/flash';
import type { Reader } from '../http/language';
import { REQUESTS, requestPath } from '../http/paths';
import { type Faults, hasFaults } from '../ui/form-errors';
import { textFor } from '../ui/lookup';
import { sharedMessages } from '../ui/messages';
import { answerPage, type View, viewOf } from '../ui/view';
import { blockerText } from './findings';
import { readLines, type TypedLine } from './lines';
import { messages } from './messages';
import { ReviewPage } from './review-page';
import type { ReviewState } from './review-state';

/** The page of a request as it stands now, with what was typed and why it was refused. */
export async function answerReview(c: ManageContext, id: string, state: ReviewState = {}): Promise<Response> {
  const review = await readReview(c.var.ctx, id, state.lines && editedLines(state.lines, c.var));
  const view = await viewOf(c, requestPath(review.request.id));
  const status = state.conflict ? 409 : hasFaults(state.faults ?? {}) ? 400 : 200;
  return answerPage(c, <ReviewPage view={view} review={review} state={state} />, status);
}

function editedLines(typed: readonly TypedLine[], reader: Reader) {
  return {
    lines: readLines(typed, reader).lines.map(({ line }) => line),
    p1Ids: typed.map(({ productId }) => productId).filter((id) => id !== ''),
  };
}

/**
 * Runs a decision. Whoever comes too late, or meets an obstacle, sees so on the page.
 * @param typed what the page keeps of the form
 * @throws whatever is no conflict
 */
export async function decide(
  c: ManageContext,
  id: string,
  run: () => Promise<unknown>,
  typed: (error: AppError) => ReviewState,
  then: () => Response | Promise<Response>,
): Promise<Response> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'conflict') throw error;
    const { conflicts } = sharedMessages(c.var).requests;
    const conflict = textFor(conflicts, error.code, conflicts.other);
    return answerReview(c, id, { ...typed(error), conflict });
  }
  return then();
}

/** On to the next request that waits. */
export async function goOn(c: ManageContext, id: string, flash: Flash): Promise<Response> {
  const next = await nextOpenRequest(c.var.ctx, id);
  return done(c, flash, next === null ? REQUESTS : requestPath(next), id);
}

/** What stands in the way of an approval, beside the fields that can solve it. */
export function refusedApproval(
  view: Pick<View, 'language' | 'session'>,
  error: AppError,
  typed: readonly TypedLine[],
  read: ReturnType<typeof readLines>['lines'],
  overrideReason: string,
): ReviewState {
  if (!(error instanceof NotApprovable)) return {};
  const blockers = [...error.blockers];
  const shared = sharedMessages(view);
  const t = messages(view);
  const faults: Faults = {};
  for (const blocker of blockers) {
    const line = blocker.code === 'unmatched_line' ? read[Number(blocker.pointer.split('/').at(-1))] : undefined;
    if (line) faults[`product-${line.row}`] = blockerText(view, blocker.code);
    if (blocker.code !== 'insufficient_stock') continue;
    const row = typed.findIndex(({ productId }) => productId === blocker.p1Id);
    if (row >= 0) faults[`quantity-${row}`] = t.shortage(blocker.requested, blocker.stockQuantity);
  }
  if (blockers.every(({ overridable }) => overridable) && overrideReason === '') {
    faults.override_reason = shared.common.required(t.override);
  }
  return { faults, blockers };
}
