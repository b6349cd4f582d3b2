import { recordAudit } from '../../audit/record';
import { answerQuestionRow, insertQuestion, noteEntry, type QuestionCode } from '../../orders/service';
import { actorId, requireScope } from '../../platform/access';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { notFound } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { outboxEvent } from '../../webhooks/outbox';
import { openQuestionOf, requestIsThere, updateRequestIf, updateWaiting } from '../store-requests';
import { assertPending, requestMetadata, requireRequest } from './decision-guards';

/** Asks something about a request: it waits for information from then on, and its platform is told. @throws AppError as `rejectOrderRequest` */
export function askQuestion(ctx: Context, input: { id: string; code: QuestionCode; text: string }): Promise<void> {
  const { orgId } = requireScope(ctx, 'order_requests.write');
  const { id, code, text } = input;
  return retryOnConflict(ctx, async () => {
    const request = await requireRequest(ctx, orgId, id);
    assertPending(request);
    const asked = { askedBy: actorId(ctx), askedAt: ctx.now(), answer: null, answeredBy: null, answeredAt: null };
    await commit(ctx, {
      question: insertQuestion({ id: newId(), orgId, orderRequestId: id, code, text, ...asked }),
      request: updateRequestIf(orgId, id, ['pending'], { ...openQuestionOf(id), updatedAt: ctx.now() }),
      event: outboxEvent(ctx, {
        type: 'order_request_needs_info',
        orgId,
        about: request,
        metadata: { ...requestMetadata(request), code },
      }),
      audit: recordAudit(ctx, { orgId, action: 'order_request.needs_info', entityId: id }),
    });
  });
}

/**
 * Writes down the answer to a question, also when the request has become an order. It waits for information as long as another
 * question is open.
 * @throws AppError `order_request_not_found`, `question_not_found` when it is answered already
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
      request: updateWaiting(orgId, id, { ...openQuestionOf(id), updatedAt: ctx.now() }),
      audit: recordAudit(ctx, { orgId, action: 'order_request.info_settled', entityId: id }),
    },
    { refused: () => notFound('question_not_found', 'There is no such open question.') },
  );
}

/** Writes a note into a request's timeline. @throws AppError `order_request_not_found`, also once it is erased */
export async function addRequestNote(ctx: Context, { id, text }: { id: string; text: string }): Promise<void> {
  const { orgId } = requireScope(ctx, 'order_requests.write');
  await commit(
    ctx,
    {
      note: noteEntry(ctx, { orgId, orderRequestId: id, orderId: null, text }, requestIsThere(orgId, id)),
      audit: recordAudit(ctx, { orgId, action: 'order_request.noted', entityId: id }),
    },
    { refused: () => notFound('order_request_not_found', 'There is no such order request.') },
  );
}
