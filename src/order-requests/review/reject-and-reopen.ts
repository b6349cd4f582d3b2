import { recordAudit } from '../../audit/record';
import type { ReasonCode } from '../../orders/service';
import { requireRole, requireScope } from '../../platform/access';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { AppError, invalidInput } from '../../platform/errors';
import { uploadPrescription } from '../../prescriptions/service';
import { outboxEvent } from '../../webhooks/outbox';
import { AlreadyDecided } from '../errors';
import { openQuestionOf, requestWaits, updateRequestIf } from '../store-requests';
import { assertPending, type Decision, decidedBy, requestMetadata, requireRequest } from './decision-guards';

/**
 * Rejects a request, with a reason that the platform receives.
 * @throws AppError `order_request_not_found`, `already_decided`, `validation_failed` (`other` without a note)
 */
export function rejectOrderRequest(
  ctx: Context,
  input: { id: string; reasonCode: ReasonCode; note: string | null },
): Promise<Decision> {
  const { orgId } = requireScope(ctx, 'order_requests.write');
  if (input.reasonCode === 'other' && input.note === null) {
    throw invalidInput([{ pointer: '/note', code: 'required', message: 'Give the reason in a note.' }]);
  }
  return retryOnConflict(ctx, async () => {
    const request = await requireRequest(ctx, orgId, input.id);
    assertPending(request);
    const now = ctx.now();
    await commit(ctx, {
      request: updateRequestIf(orgId, input.id, ['pending'], {
        status: 'rejected',
        reasonCode: input.reasonCode,
        reasonNote: input.note,
        draft: null,
        needsInfo: false,
        needsInfoCode: null,
        needsInfoNote: null,
        decidedBy: decidedBy(ctx),
        decidedAt: now,
        updatedAt: now,
      }),
      event: outboxEvent(ctx, {
        type: 'order_request_rejected',
        orgId,
        about: request,
        metadata: { ...requestMetadata(request), reason_code: input.reasonCode },
      }),
      audit: recordAudit(ctx, {
        orgId,
        action: 'order_request.rejected',
        entityId: input.id,
        reasonCode: input.reasonCode,
      }),
    });
    return { id: input.id, status: 'rejected', orderId: null };
  });
}

/**
 * Undoes a rejection. @throws AppError `order_request_not_found`, `already_decided`, `superseded` when a later
 * request of the same reference is live
 */
export function reopenOrderRequest(ctx: Context, id: string): Promise<Decision> {
  const { orgId } = requireScope(ctx, 'order_requests.write');
  return retryOnConflict(ctx, async () => {
    const request = await requireRequest(ctx, orgId, id);
    if (request.status !== 'rejected') throw new AlreadyDecided(request);
    await commit(
      ctx,
      {
        request: updateRequestIf(orgId, id, ['rejected'], {
          status: 'pending',
          reasonCode: null,
          reasonNote: null,
          decidedBy: null,
          decidedAt: null,
          // What was asked and not answered is open again.
          ...openQuestionOf(id),
          updatedAt: ctx.now(),
        }),
        audit: recordAudit(ctx, { orgId, action: 'order_request.reopened', entityId: id }),
      },
      { constraints: { unique: superseded } },
    );
    return { id, status: 'pending', orderId: null };
  });
}

function superseded(): AppError {
  return new AppError('superseded', 'A later request with the same external_reference exists.');
}

/**
 * Stores a PDF for a request that came without one, or whose PDF could not be fetched. Owners and pharmacists only.
 * @throws AppError `order_request_not_found`, `already_decided`, and as `uploadPrescription`
 */
export function addPrescription(ctx: Context, input: { id: string; bytes: Uint8Array }): Promise<{ id: string }> {
  const { orgId } = requireRole(ctx, ['owner', 'pharmacist']);
  return retryOnConflict(ctx, async () => {
    const request = await requireRequest(ctx, orgId, input.id);
    assertPending(request);
    const target = { shopId: request.shopId, orderRequestId: input.id, orderId: null };
    return uploadPrescription(ctx, target, input.bytes, { if: requestWaits(orgId, input.id) });
  });
}
