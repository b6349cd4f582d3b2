import { recordAudit } from '../../audit/record';
import { releaseEntries } from '../../inventory/stock';
import type { ReasonCode } from '../../orders/rules';
import type { QuestionCode } from '../../orders/tables';
import { noteEntry } from '../../orders/timeline/notes';
import { answerQuestionRow, insertQuestion } from '../../orders/timeline/store';
import { actorId, requireRole, requireScope, requireSystem } from '../../platform/access';
import { type BatchEntry, commit, tryCommit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { AppError, invalidField, notFound } from '../../platform/errors/errors';
import { newId } from '../../platform/ids';
import { uploadPrescription } from '../../prescriptions/review';
import { type SetAside, setPrescriptionAside, takePrescriptionBack } from '../../prescriptions/set-aside';
import { outboxEvent } from '../../webhooks/outbox';
import { AlreadyDecided } from '../errors';
import * as store from '../store';
import { assertPending, type Decision, decidedBy, requestMetadata, requireRequest, requireReserved } from './facts';
import { type DecidedRequest, selectDecided } from './store';

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
    throw invalidField('/note', 'required', 'Give the reason in a note.');
  }
  return retryOnConflict(ctx, async () => {
    const { request, reserved } = await requireReserved(ctx, orgId, input.id);
    assertPending(request);
    await commit(ctx, {
      request: store.updateRequestIf(orgId, input.id, ['pending'], rejected(ctx, input.reasonCode, input.note)),
      released: releaseEntries(ctx, orgId, reserved),
      ...newsOfRejection(ctx, request, input.reasonCode),
    });
    return { id: input.id, status: 'rejected', orderId: null };
  });
}

function rejected(ctx: Context, reasonCode: ReasonCode, reasonNote: string | null) {
  const now = ctx.now();
  return {
    ...{ status: 'rejected' as const, reasonCode, reasonNote, draft: null },
    ...{ needsInfo: false, needsInfoCode: null, needsInfoNote: null },
    ...{ decidedBy: decidedBy(ctx), decidedAt: now, updatedAt: now },
  };
}

function newsOfRejection(ctx: Context, request: store.RequestRow, reasonCode: ReasonCode) {
  const { id, orgId } = request;
  const metadata = { ...requestMetadata(request), reason_code: reasonCode };
  return {
    event: outboxEvent(ctx, { type: 'order_request_rejected', orgId, about: request, metadata }),
    audit: recordAudit(ctx, { orgId, action: 'order_request.rejected', entityId: id, reasonCode }),
  };
}

/**
 * Rejects a pending request that has expired.
 * @returns false if nothing was rejected, because somebody decided or asked a question in the meantime
 */
export async function expireOrderRequest(ctx: Context, orgId: string, id: string): Promise<boolean> {
  requireSystem(ctx);
  const { request, reserved } = await requireReserved(ctx, orgId, id);
  const done = await tryCommit(ctx, {
    request: store.expireRequest(orgId, id, ctx.now(), rejected(ctx, 'expired', null)),
    released: releaseEntries(ctx, orgId, reserved),
    ...newsOfRejection(ctx, request, 'expired'),
  });
  return done !== null;
}

/**
 * Undoes the rejection of a request. The request is then pending again.
 * @throws AppError `order_request_not_found`, `already_decided`, `superseded` if a later request with the same
 *   reference is pending or approved
 */
export function reopenOrderRequest(ctx: Context, id: string): Promise<Decision> {
  const { orgId } = requireScope(ctx, 'order_requests.write');
  return retryOnConflict(ctx, async () => {
    const request = await requireRequest(ctx, orgId, id);
    if (request.status !== 'rejected') throw new AlreadyDecided(request);
    await commit(
      ctx,
      {
        request: store.updateRequestIf(orgId, id, ['rejected'], {
          status: 'pending',
          reasonCode: null,
          reasonNote: null,
          decidedBy: null,
          decidedAt: null,
          // Unanswered questions are open again.
          ...store.openQuestionOf(id),
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
 * Stores a PDF that staff upload for a pending request. Owners and pharmacists only.
 * @throws AppError `order_request_not_found`, `already_decided`, and as `uploadPrescription`
 */
export function addPrescription(ctx: Context, input: { id: string; bytes: Uint8Array }): Promise<{ id: string }> {
  const { orgId } = requireRole(ctx, ['owner', 'pharmacist']);
  return retryOnConflict(ctx, async () => {
    const request = await requireRequest(ctx, orgId, input.id);
    assertPending(request);
    const target = { shopId: request.shopId, orderRequestId: input.id, orderId: null };
    return uploadPrescription(ctx, target, input.bytes, { if: store.requestWaits(orgId, input.id) });
  });
}

/** The ids of a prescription and of the request that it belongs to. */
interface PrescriptionOf {
  id: string;
  requestId: string;
}

/**
 * Sets aside a prescription that does not belong to its request. The request must be pending.
 * @throws AppError `order_request_not_found`, `already_decided`, `prescription_not_found`
 */
export async function setAsidePrescription(ctx: Context, input: PrescriptionOf & { reason: string }): Promise<void> {
  await setPrescriptionAside(ctx, { ...(await whileItWaits(ctx, input)), reason: input.reason });
}

/** Undoes `setAsidePrescription`. The prescription must be checked again. @throws AppError as `setAsidePrescription` */
export async function undoSetAside(ctx: Context, input: PrescriptionOf): Promise<void> {
  await takePrescriptionBack(ctx, await whileItWaits(ctx, input));
}

async function whileItWaits(ctx: Context, { id, requestId }: PrescriptionOf): Promise<SetAside> {
  const { orgId } = requireScope(ctx, 'prescriptions.write');
  assertPending(await requireRequest(ctx, orgId, requestId));
  return { id, requestId, while: store.requestWaits(orgId, requestId) };
}

/**
 * Asks a question about a request. The request then waits for information, and its platform gets an event.
 * @throws AppError as `rejectOrderRequest`
 */
export function askQuestion(ctx: Context, input: { id: string; code: QuestionCode; text: string }): Promise<void> {
  const { orgId } = requireScope(ctx, 'order_requests.write');
  const { id, code, text } = input;
  return retryOnConflict(ctx, async () => {
    const request = await requireRequest(ctx, orgId, id);
    assertPending(request);
    await commit(ctx, { question: questionEntries(ctx, request, { code, text }) });
  });
}

/** Returns the statements that ask a question about a request. The batch is undone unless the request is pending. */
export function questionEntries(
  ctx: Context,
  request: store.RequestRow,
  { code, text }: { code: QuestionCode; text: string },
): BatchEntry[] {
  const { id, orgId } = request;
  const asked = { askedBy: actorId(ctx), askedAt: ctx.now(), answer: null, answeredBy: null, answeredAt: null };
  return [
    insertQuestion({ id: newId(), orgId, orderRequestId: id, code, text, ...asked }),
    store.updateRequestIf(orgId, id, ['pending'], { ...store.openQuestionOf(id), updatedAt: ctx.now() }),
    outboxEvent(ctx, {
      type: 'order_request_needs_info',
      orgId,
      about: request,
      metadata: { ...requestMetadata(request), code },
    }),
    recordAudit(ctx, { orgId, action: 'order_request.needs_info', entityId: id }),
  ];
}

/**
 * Stores the answer to a question, even if the request has become an order. The request waits for information as long
 * as it has another open question.
 * @throws AppError `order_request_not_found`, `question_not_found` if the question is answered already
 */
export async function answerQuestion(
  ctx: Context,
  input: { id: string; questionId: string; answer: string },
): Promise<void> {
  const { orgId } = requireScope(ctx, 'order_requests.write');
  const { id, questionId, answer } = input;
  await requireRequest(ctx, orgId, id);
  const answered = { answer, answeredBy: actorId(ctx), answeredAt: ctx.now() };
  await commit(
    ctx,
    {
      question: answerQuestionRow({ orgId, orderRequestId: id, id: questionId }, answered),
      request: store.updateWaiting(orgId, id, { ...store.openQuestionOf(id), updatedAt: ctx.now() }),
      audit: recordAudit(ctx, { orgId, action: 'order_request.info_settled', entityId: id }),
    },
    { refused: () => notFound('question_not_found', 'There is no such open question.') },
  );
}

/**
 * Adds a note to the timeline of a request.
 * @throws AppError `order_request_not_found`, also if the request is erased
 */
export async function addRequestNote(ctx: Context, { id, text }: { id: string; text: string }): Promise<void> {
  const { orgId } = requireScope(ctx, 'order_requests.write');
  await commit(
    ctx,
    {
      note: noteEntry(ctx, { orgId, orderRequestId: id, orderId: null, text }, store.requestIsThere(orgId, id)),
      audit: recordAudit(ctx, { orgId, action: 'order_request.noted', entityId: id }),
    },
    { refused: () => notFound('order_request_not_found') },
  );
}

/**
 * Returns the columns of a request for the message that a page shows right after the decision. Undefined if the
 * organization has no such request. One round trip.
 */
export async function readDecided(ctx: Context, id: string): Promise<DecidedRequest | undefined> {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const rows = await ctx.db.rows(selectDecided(orgId, id));
  return rows[0];
}
