import { recordAudit } from '../audit/record';
import { journaling } from '../audit/service';
import { eraseIdleCustomersOf, eraseOrdersIn } from '../orders/service';
import { commit } from '../platform/commit';
import type { Context } from '../platform/context';
import { assertInBatch, type Condition, inList, type Statement } from '../platform/db';
import { AppError } from '../platform/errors';
import { erasePrescriptionsIn, prescriptionIdsIn } from '../prescriptions/service';
import { EVENTS_KEPT_MS, eraseReferences, outboxEventsFromRows } from '../webhooks/outbox';
import { deletedMetadata, eraseRequests, isPendingAmong, noneOnLegalHold } from './store-erasure';

/** Requests and orders of one organization that lose the person, each a subquery of ids. */
export interface ErasedSet {
  orgId: string;
  requestIds: Condition;
  orderIds: Condition;
  /** Epoch ms: nothing was said about any of them before. Null when whatever was said is gone. */
  since: number | null;
}

/**
 * The statements that take the person out of requests and orders, out of their prescriptions and out of what was said
 * about them, in the order in which they must stand in a batch. The batch stops where a legal hold keeps a request.
 */
export function eraseSet(ctx: Context, set: ErasedSet) {
  return {
    guard: assertInBatch(ctx.db, noneOnLegalHold(set.requestIds)),
    references: referencesOf(ctx, set),
    prescriptions: erasePrescriptionsIn(ctx, set),
    requests: eraseRequests(ctx.db, set.requestIds, ctx.now()),
    orders: eraseOrdersIn(ctx, set.orderIds),
  };
}

/** The statements that empty the references in the events of requests, orders and their prescriptions. */
function referencesOf(ctx: Context, set: ErasedSet): Statement[] {
  const { since } = set;
  return since === null ? [] : eraseReferences(ctx, { ...set, since, prescriptionIds: prescriptionIdsIn(set) });
}

/**
 * When retention has to look for events of what it erases.
 * @param endedBefore epoch ms: what it erases ended earlier
 * @returns epoch ms, null where those events are gone already
 */
function eventsSince(ctx: Context, endedBefore: number): number | null {
  const kept = ctx.now() - EVENTS_KEPT_MS;
  return endedBefore < kept ? null : kept;
}

/** What tells subscribers of each of these requests that still waits: it is deleted with the person. */
export function announceDeleted(ctx: Context, orgId: string, requestIds: Condition, rowsMax: number) {
  if (rowsMax === 0) return undefined;
  return outboxEventsFromRows(ctx, {
    type: 'order_request_deleted',
    orgId,
    rowsMax,
    metadata: deletedMetadata,
    from: isPendingAmong(requestIds),
  });
}

export function onHold(detail: string): AppError {
  return new AppError('legal_hold', detail);
}

export interface Expired {
  orgId: string;
  requestIds: readonly string[];
  orderIds: readonly string[];
  /** Epoch ms: all of them were over before. */
  endedBefore: number;
}

/**
 * What one run of retention takes out of one organization: one journal entry and one batch for all of it, nothing for
 * none. Stops whole where a legal hold came in between.
 */
export async function eraseExpired(ctx: Context, { orgId, requestIds, orderIds, endedBefore }: Expired): Promise<void> {
  if (requestIds.length + orderIds.length === 0) return;
  const set = {
    orgId,
    requestIds: inList(requestIds),
    orderIds: inList(orderIds),
    since: eventsSince(ctx, endedBefore),
  };
  await journaling(ctx, async (write) => {
    await write({ orgId, kind: 'retention', requestIds, orderIds });
    const batch = {
      ...eraseSet(ctx, set),
      customers: eraseIdleCustomersOf(ctx, set.orderIds),
      audit: recordAudit(ctx, { orgId, action: 'retention.erased', entityId: orgId }),
    };
    // It has no guard but the one against legal holds.
    await commit(ctx, batch, { refused: () => onHold('Something of this is kept for legal reasons.') });
  });
  ctx.log('info', 'retention', { org_id: orgId, count: requestIds.length + orderIds.length });
}
