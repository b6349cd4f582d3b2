import { recordAudit } from '../../audit/record';
import { createOrder, matchLines, namedProducts, prescribedOf, stockMustSuffice } from '../../orders/service';
import { requireScope } from '../../platform/access';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { pick } from '../../platform/data/columns';
import { newId } from '../../platform/ids';
import { whileCovered } from '../../prescriptions/service';
import { outboxEvent } from '../../webhooks/outbox';
import type { RequestItem } from '../envelope';
import { SUBMITTED_FIELDS } from '../fields';
import { approveRequest } from '../store-requests';
import { blockersOf, NotApprovable } from './assessment';
import { assertPending, type Decision, decidedBy, deciderOf, requestMetadata } from './decision-guards';
import { type RequestFacts, readFacts } from './facts';

export interface ApproveInput {
  id: string;
  /** The lines as edited by staff; the submitted ones when missing. */
  lines?: RequestItem[];
  /** Allows approval in spite of blockers that are `overridable`; stored with the request. */
  overrideReason?: string;
}

/**
 * Turns a request into an order: request, customer, order, stock and events in one guarded batch. Of two decisions at
 * the same time one wins; the other gets 409 with who decided and when.
 * @throws AppError `order_request_not_found`, `already_decided`, `not_approvable` with the blockers
 */
export function approveOrderRequest(ctx: Context, input: ApproveInput): Promise<Decision> {
  const { orgId } = requireScope(ctx, 'order_requests.write');
  return retryOnConflict(ctx, async () => {
    const facts = await readFacts(ctx, orgId, input.id, input.lines && namedProducts(input.lines));
    const { request, products, prescriptions } = facts;
    assertPending(request);
    const lines = matchLines(input.lines ?? request.items, products);
    const blockers = blockersOf(lines, products, prescriptions, deciderOf(ctx));
    const standing = input.overrideReason === undefined ? blockers : blockers.filter(({ overridable }) => !overridable);
    if (standing.length > 0) throw new NotApprovable(standing);
    const overrideReason = blockers.length > 0 ? (input.overrideReason ?? null) : null;
    const orderId = newId();
    await commitApproval(ctx, facts, { orderId, lines, overrideReason });
    return { id: request.id, status: 'approved', orderId };
  });
}

async function commitApproval(
  ctx: Context,
  { request, customer }: RequestFacts,
  decided: { orderId: string; lines: ReturnType<typeof matchLines>; overrideReason: string | null },
): Promise<void> {
  const { orgId } = request;
  const order = createOrder(
    ctx,
    {
      ...pick(request, SUBMITTED_FIELDS),
      id: decided.orderId,
      orgId,
      shopId: request.shopId,
      source: request.source,
      externalReference: request.externalReference,
      externalId: null,
      orderRequestId: request.id,
      items: decided.lines,
      // Else it is a blocker that no reason overrides.
      hasApprovedPrescription: true,
    },
    customer,
  );
  const batch = {
    covered: whileCovered({ orgId, orderRequestId: request.id, orderId: null }, prescribedOf(decided.lines)),
    request: approveRequest({
      orgId,
      id: request.id,
      orderId: decided.orderId,
      approvedItems: decided.lines,
      overrideReason: decided.overrideReason,
      decidedBy: decidedBy(ctx),
      decidedAt: ctx.now(),
    }),
    order,
    event: outboxEvent(ctx, {
      type: 'order_request_approved',
      orgId,
      metadata: { ...requestMetadata(request), order_id: decided.orderId },
    }),
    audit: recordAudit(ctx, {
      orgId,
      action: 'order_request.approved',
      entityId: request.id,
      fields: decided.overrideReason === null ? undefined : ['override_reason'],
    }),
  };
  await commit(ctx, batch, { constraints: stockMustSuffice });
}
