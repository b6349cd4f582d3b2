import { recordAudit } from '../../audit/record';
import { namedProducts } from '../../orders/create';
import type { PaymentAction } from '../../orders/tables';
import { ROLES, requireRole, requireScope } from '../../platform/access';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { AppError } from '../../platform/errors/errors';
import { newId } from '../../platform/ids';
import { dayOf } from '../../platform/pharmacy-time';
import { AlreadyDecided } from '../errors';
import type { SubmittedRequest } from '../intake/intake';
import { notReserved, reservedItems } from '../intake/reserved';
import type { Submission } from '../intake/rules';
import { fileWarnings, shippingWarnings, unitWarnings, warningsOf } from '../intake/warnings';
import { writeDraft } from '../store';
import type { RemainderChoice } from '../tables';
import { assertPending, type Decision, readFacts, requireRequest } from './facts';
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

/**
 * Returns the response to a repeated submission.
 * @param externalReference the reference as the repetition sent it
 * @param isReserving returns whether the API key reserves stock for a request with this payment status
 * @throws AppError `order_request_not_found`
 */
export async function getSubmitted(
  ctx: Context,
  id: string,
  externalReference: string | null,
  isReserving: (request: Pick<Submission, 'paymentStatus'>) => boolean,
): Promise<SubmittedRequest> {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const { request, products, prescriptions, reserved: held } = await readFacts(ctx, orgId, id);
  const reserved = isReserving(request) ? reservedItems(request.items, products, held) : null;
  const today = dayOf(ctx.now());
  const warnings = [
    ...warningsOf(request, request.cashOnPickup, products),
    ...unitWarnings(request.items, products),
    ...(reserved && request.status === 'pending' ? notReserved(reserved) : []),
    ...shippingWarnings(request, products, { shopId: request.shopId, today }),
    ...fileWarnings(prescriptions.filter(({ place }, index) => index === 0 || place !== null)),
  ];
  return { id, status: request.status, externalReference, isReplay: true, reserved, warnings };
}

/**
 * Returns the decision about a request.
 * @throws AppError `order_request_not_found`, `already_decided` if the request is deleted
 */
export async function getDecision(ctx: Context, id: string): Promise<Decision> {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const request = await requireRequest(ctx, orgId, id);
  const { status, orderId } = request;
  if (status === 'deleted') throw new AlreadyDecided(request);
  return { id, status, orderId };
}
