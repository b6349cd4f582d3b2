import { recordAudit } from '../../audit/record';
import { journaling } from '../../audit/service';
import { requireScope } from '../../platform/access';
import { type BatchEntry, commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { inList } from '../../platform/data/db';
import { AppError } from '../../platform/errors';
import { outboxEvent } from '../../webhooks/outbox';
import { decidedBy, requestMetadata, requireRequest } from '../review/decision-guards';
import { ERASED, type RequestRow, type RequestStatus, updateRequestIf } from '../store-requests';
import { eraseSet, onHold } from './erase-statements';

/**
 * Deletes a request that is not an order: the personal data and the PDF are erased, in past events too; the row stays
 * without them.
 * @throws AppError `order_request_not_found`, `request_has_order`, `legal_hold`
 */
export function deleteOrderRequest(ctx: Context, id: string): Promise<void> {
  const { orgId } = requireScope(ctx, 'order_requests.write');
  return journaling(ctx, (write) =>
    retryOnConflict(ctx, async () => {
      const request = await requireRequest(ctx, orgId, id);
      if (request.status === 'approved') {
        throw new AppError('request_has_order', 'An approved request is an order; cancel the order instead.');
      }
      if (request.legalHold) throw onHold('This request is kept for legal reasons.');
      await write({ orgId, kind: 'order_request', requestIds: [id] });
      await commit(ctx, {
        deletion: deletionEntries(ctx, request, ['pending', 'rejected']),
        audit: recordAudit(ctx, { orgId, action: 'order_request.deleted', entityId: id }),
      });
    }),
  );
}

/** The statements that delete a request, with their event; undone unless it still has one of these statuses. */
export function deletionEntries(
  ctx: Context,
  request: RequestRow,
  from: readonly RequestStatus[],
  more: Pick<Partial<RequestRow>, 'withdrawal' | 'reasonCode'> = {},
): BatchEntry[] {
  const { orgId, id, createdAt } = request;
  const now = ctx.now();
  const metadata = { ...requestMetadata(request), external_reference: '' };
  const only = { orgId, requestIds: inList([id]), orderIds: inList([]), since: createdAt };
  const status = { status: 'deleted', needsInfo: false, decidedBy: decidedBy(ctx) } as const;
  const deleted = { ...ERASED, ...status, erasedAt: now, updatedAt: now, ...more };
  return [
    ...eraseSet(ctx, only, [updateRequestIf(orgId, id, from, deleted)]),
    outboxEvent(ctx, { type: 'order_request_deleted', orgId, about: request, metadata }),
  ];
}
