import { recordAudit } from '../../audit/record';
import { journaling } from '../../audit/service';
import { emptyAnswers } from '../../idempotency/service';
import { deleteWords, eraseOrdersAndCustomers, eraseOrdersIn, ordersCreatedAt } from '../../orders/service';
import { type BatchEntry, commit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { assertInBatch, type Condition, inList } from '../../platform/data/db';
import { AppError } from '../../platform/errors';
import { erasePrescriptionsIn, prescriptionIdsIn } from '../../prescriptions/service';
import { EVENTS_KEPT_MS } from '../../webhooks/limits';
import { withReferences } from '../../webhooks/outbox';
import { createdAtOfRequests, eitherOf, eraseRequests, noneOnLegalHold } from './store';

/** Requests and orders of one organization whose personal data are erased, each a subquery of ids. */
export interface ErasedSet {
  orgId: string;
  requestIds: Condition;
  orderIds: Condition;
  /** Epoch ms: there are no earlier events about any of them. Null when all of their events are deleted already. */
  since: number | null;
}

/**
 * The statements that erase the personal data of requests and orders, of their prescriptions and of events about them. A legal
 * hold on a request fails the batch.
 * @param rows what erases the requests and orders themselves
 */
export function eraseSet(
  ctx: Context,
  set: ErasedSet,
  rows: readonly BatchEntry[] = eraseRows(ctx, set),
): BatchEntry[] {
  const { orgId, requestIds, orderIds, since } = set;
  const answers = emptyAnswers(orgId, eitherOf(requestIds, orderIds));
  const erased = [...erasePrescriptionsIn(ctx, set), ...deleteWords(set), answers, ...rows];
  const createdAt = eitherOf(createdAtOfRequests(requestIds), ordersCreatedAt(orgId, orderIds));
  return [
    assertInBatch(noneOnLegalHold(requestIds)),
    ...(since === null
      ? erased
      : withReferences({ ...set, since, createdAt, prescriptionIds: prescriptionIdsIn(set) }, erased)),
  ];
}

function eraseRows(ctx: Context, { orgId, requestIds, orderIds }: ErasedSet): BatchEntry[] {
  return [eraseRequests(requestIds, ctx.now()), ...eraseOrdersIn(ctx, orgId, orderIds)];
}

export function onHold(detail: string): AppError {
  return new AppError('legal_hold', detail);
}

export interface Expired {
  orgId: string;
  requestIds: readonly string[];
  orderIds: readonly string[];
  /** Epoch ms: all of them ended earlier. */
  endedBefore: number;
}

/**
 * Erases what one run of retention takes for one organization: one journal entry and one batch, none if there is
 * nothing to erase. If a legal hold was set in the meantime, nothing is erased.
 */
export async function eraseExpired(ctx: Context, { orgId, requestIds, orderIds, endedBefore }: Expired): Promise<void> {
  if (requestIds.length + orderIds.length === 0) return;
  // Earlier events are deleted already.
  const kept = ctx.now() - EVENTS_KEPT_MS;
  const set = {
    orgId,
    requestIds: inList(requestIds),
    orderIds: inList(orderIds),
    since: endedBefore < kept ? null : kept,
  };
  await journaling(ctx, async (write) => {
    await write({ orgId, kind: 'retention', requestIds, orderIds });
    const batch = {
      erased: eraseSet(ctx, set, [
        eraseRequests(set.requestIds, ctx.now()),
        ...eraseOrdersAndCustomers(ctx, orgId, set.orderIds),
      ]),
      audit: recordAudit(ctx, { orgId, action: 'retention.erased', entityId: orgId }),
    };
    // It has no guard but the one against legal holds.
    await commit(ctx, batch, { refused: () => onHold('Something of this is kept for legal reasons.') });
  });
  ctx.log('info', 'retention', { org_id: orgId, count: requestIds.length + orderIds.length });
}
