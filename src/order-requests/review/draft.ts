import { recordAudit } from '../../audit/record';
import { namedProducts } from '../../orders/create';
import type { PaymentAction } from '../../orders/tables';
import { ROLES, requireRole } from '../../platform/access';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { AppError } from '../../platform/errors/errors';
import { newId } from '../../platform/ids';
import { writeDraft } from '../store';
import type { RemainderChoice } from '../tables';
import { assertPending, readFacts, requireRequest } from './facts';
import { type EditedLine, toAcknowledge } from './lines';
import { assess } from './plan';

/** A draft of a review. It is prepared for the person who decides about the request. */
export interface PreparedReview {
  id: string;
  lines: readonly EditedLine[];
  acknowledged: readonly string[];
  payment: PaymentAction | null;
  remainder?: RemainderChoice | null;
  /** The version of the draft that the form showed; null if there was no draft. */
  version: string | null;
}

/**
 * Saves lines, acknowledgements and the payment choice as the draft of a pending request. The draft stays until the
 * request is decided or somebody saves another draft. It decides nothing: the form of the approval determines what is
 * approved.
 * @returns the version of the draft
 * @throws AppError `order_request_not_found`, `already_decided`, `changed_meanwhile` if there is another draft by now
 */
export function saveReview(ctx: Context, input: PreparedReview): Promise<string> {
  const { orgId, memberId } = requireRole(ctx, ROLES);
  const { id, version, payment, remainder = null } = input;
  const lines = [...input.lines];
  return retryOnConflict(ctx, async () => {
    const facts = await readFacts(ctx, orgId, id, namedProducts(lines));
    assertPending(facts.request);
    assertDraft(facts.request.draft, version);
    const { differences, paymentDifference, charges } = assess(ctx, facts, { lines, remainder });
    const keys = toAcknowledge(differences).map(({ key }) => key);
    const draft = {
      version: newId(),
      lines,
      acknowledged: keys.filter((key) => input.acknowledged.includes(key)),
      payment: paymentDifference && payment,
      remainder: charges.choices.find((choice) => choice === remainder) ?? null,
      savedBy: memberId,
      savedAt: ctx.now(),
    };
    await commit(ctx, {
      request: writeDraft({ orgId, id, version, now: ctx.now() }, draft),
      audit: recordAudit(ctx, { orgId, action: 'order_request.draft_saved', entityId: id }),
    });
    return draft.version;
  });
}

/** Removes the draft, so that the review shows the request as submitted. @throws AppError as `saveReview` */
export function discardDraft(ctx: Context, { id, version }: Pick<PreparedReview, 'id' | 'version'>): Promise<void> {
  const { orgId } = requireRole(ctx, ROLES);
  return retryOnConflict(ctx, async () => {
    const request = await requireRequest(ctx, orgId, id);
    assertPending(request);
    assertDraft(request.draft, version);
    await commit(ctx, {
      request: writeDraft({ orgId, id, version, now: ctx.now() }, null),
      audit: recordAudit(ctx, { orgId, action: 'order_request.draft_discarded', entityId: id }),
    });
  });
}

function assertDraft(draft: { version: string } | null, version: string | null): void {
  if ((draft?.version ?? null) === version) return;
  throw new AppError('changed_meanwhile', 'Somebody else prepared this review meanwhile. Look at it again.');
}
