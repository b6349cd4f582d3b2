import * as z from 'zod';
import { envelopeSchema, PAYMENT_STATUSES } from '../order-requests/envelope';
import { deleteOrderRequest } from '../order-requests/erasure/erase';
import { getOrderRequest, listOrderRequests } from '../order-requests/inbox/inbox';
import { createOrderRequest, referenceIn } from '../order-requests/intake/intake';
import { approveOrderRequest } from '../order-requests/review/approve';
import { rejectOrderRequest } from '../order-requests/review/decisions';
import { getDecision, getSubmitted } from '../order-requests/review/review-of';
import { LINES_MAX, NOTE_MAX } from '../orders/limits';
import { REASON_CODES } from '../orders/rules';
import { PAYMENT_ACTIONS } from '../orders/tables';
import type { Context } from '../platform/context';
import { isRecord } from '../platform/http/json';
import { all, has, hasNone, none, refusing, textOf } from '../platform/http/validation';
import { storedId } from '../platform/ids';
import { VERIFICATIONS } from '../prescriptions/tables';
import { editedLineSchema } from '../wire/order-bodies';
import {
  decisionSchema,
  deletedSchema,
  orderRequestAnswerSchema,
  orderRequestSchema,
  requestStatusSchema,
} from '../wire/orders';
import { wireAcknowledgement, wireDecision, wireRequest } from '../wire/requests';
import { shopIdSchema } from '../wire/schemas';
import { endpointsOf, SUBMISSION_ERRORS } from './endpoint/endpoint';
import { listQuery, pageAnswer, pageOfPlaces, placeOf, referenceSchema, severalOf } from './endpoint/paging';

const api = endpointsOf({ tag: 'Order requests', scopes: 'order_requests', id: 'Order request id.' });

const decisionAgain = async (ctx: Context, { about }: { about: string }) => ({
  body: wireDecision(await getDecision(ctx, about)),
});

const note = textOf(NOTE_MAX);
const REQUEST_STATUSES = requestStatusSchema.options;

/**
 * Reads the shop's id from the body or from `payload` of a submission, and removes the id from `payload`. All other
 * members are passed on unchanged. The use case checks them.
 */
const forShopSchema = z
  .looseObject({ shop_id: shopIdSchema.nullish(), payload: z.unknown().optional() })
  .transform(({ shop_id: beside, ...body }, issues) => {
    const payload = isRecord(body.payload) ? body.payload : {};
    const within = typeof payload.shop_id === 'string' ? storedId(payload.shop_id) : payload.shop_id;
    const shopId = beside ?? within;
    const isSame = (within ?? shopId) === shopId;
    if (typeof shopId === 'string' && shopId.length > 0 && isSame) {
      // Not a copy: only the parsed payload knows how its numbers were sent.
      Reflect.deleteProperty(payload, 'shop_id');
      return { shopId, body: { ...body, shop_id: shopId } };
    }
    issues.addIssue({
      code: 'custom',
      path: isSame ? ['shop_id'] : ['payload', 'shop_id'],
      message: isSame ? 'Send the id of the shop, beside payload or in it.' : 'It is not the shop_id beside payload.',
      params: { code: isSame ? 'required' : 'invalid_value' },
    });
    return z.NEVER;
  });

export const orderRequestEndpoints = [
  api.get('/order-requests', {
    id: 'listOrderRequests',
    summary: 'List order requests',
    description:
      'Newest first; with `updated_after` by change. Without `status`: pending requests only, but requests of every status with `external_reference` or `updated_after`. With `payment_status`, or with `updated_after`, a page may hold fewer than `limit`: only next_cursor tells whether there are more. `lines`, `warnings` and `blockers` of a pending request are computed from products and stock as you read them: their changes are changes of those.',
    query: z.object({
      ...listQuery,
      status: severalOf(REQUEST_STATUSES, 'pending,approved', 'all').optional(),
      payment_status: severalOf(PAYMENT_STATUSES, 'pending,paid').optional(),
      shop_id: shopIdSchema.optional().describe('Only requests to this shop.'),
      external_reference: referenceSchema.describe('Only requests with this reference.'),
    }),
    answers: pageAnswer(orderRequestSchema),
    errors: ['shop_not_found'],
    handle: async (ctx, { query }) => {
      const from = placeOf(query);
      // Lists by reference or by change include all statuses, because callers want to see decisions.
      const isOfAll = query.external_reference !== undefined || !('before' in from);
      const { requests, ...places } = await listOrderRequests(ctx, {
        statuses: query.status ?? (isOfAll ? REQUEST_STATUSES : ['pending']),
        paymentStatuses: query.payment_status,
        shopId: query.shop_id,
        externalReference: query.external_reference,
        createdAfter: query.created_after,
        createdBefore: query.created_before,
        limit: query.limit,
        from,
      });
      return { body: pageOfPlaces(requests, (each) => wireRequest(ctx, each), places) };
    },
  }),
  api.get('/order-requests/:id', {
    id: 'getOrderRequest',
    summary: 'Get order request',
    description:
      'The request as it was sent, its lines as staff edited them, its prescriptions, and in `blockers` what keeps it from being approved.',
    answers: { 200: { description: 'The request, with what prevents its approval.', schema: orderRequestSchema } },
    errors: ['order_request_not_found'],
    handle: async (ctx, { params: { id } }) => ({ body: wireRequest(ctx, await getOrderRequest(ctx, id)) }),
  }),
  api.post('/order-requests', {
    id: 'createOrderRequest',
    summary: 'Create order request',
    description:
      "Takes the connector's envelope with `shop_id`, beside `payload` or in it; rules, warnings and repeated submissions are as at the connector.",
    body: forShopSchema,
    documentedBody: envelopeSchema
      .omit({ org_id: true })
      .extend({ shop_id: shopIdSchema.optional().describe('The shop; needed here or in payload.') })
      .meta({
        id: 'ShopOrderRequest',
        description: 'What a platform submits, and to which shop.',
        ...refusing(all(hasNone('shop_id'), none(has('payload', has('shop_id'))))),
      }),
    answers: {
      200: {
        description: 'Accepted, or accepted before.',
        schema: orderRequestAnswerSchema,
      },
    },
    errors: ['shop_not_found', ...SUBMISSION_ERRORS],
    handle: async (ctx, { body }) => {
      const request = await createOrderRequest(ctx, body);
      return {
        headers: request.isReplay ? { 'Idempotent-Replayed': 'true' } : undefined,
        body: wireAcknowledgement(request),
      };
    },
    again: async (ctx, { about, body }) => ({
      body: wireAcknowledgement(await getSubmitted(ctx, about, referenceIn(body), () => false)),
    }),
  }),
  api.post('/order-requests/:id/approve', {
    id: 'approveOrderRequest',
    summary: 'Approve order request',
    description:
      'Creates the order and takes its items from stock, with `override_reason` despite blockers that are `overridable`.',
    body: z.strictObject({
      lines: z.array(editedLineSchema).min(1).max(LINES_MAX).nullish().describe('The lines as staff changed them.'),
      override_reason: note
        .optional()
        .describe('Why it is approved despite `overridable` blockers; stored with the request.'),
      payment: z
        .enum(PAYMENT_ACTIONS)
        .optional()
        .describe('What becomes of the difference where what was paid is not the total.'),
      verification: z
        .enum(VERIFICATIONS)
        .optional()
        .describe('What was looked at: approves each prescription that is still open, too.'),
    }),
    answers: { 200: { description: 'Approved.', schema: decisionSchema } },
    errors: [
      'order_request_not_found',
      'already_decided',
      'not_approvable',
      'insufficient_stock',
      'item_identity_required',
    ],
    handle: async (ctx, { params: { id }, body }) => {
      const { lines, override_reason: overrideReason, payment, verification } = body;
      const input = { id, lines: lines ?? undefined, overrideReason, payment, verification };
      return { body: wireDecision(await approveOrderRequest(ctx, input)) };
    },
    again: decisionAgain,
  }),
  api.post('/order-requests/:id/reject', {
    id: 'rejectOrderRequest',
    summary: 'Reject order request',
    description: 'Ends the request with a reason, which whoever sent it is told. It can be reopened.',
    body: z
      .strictObject({
        reason_code: z.enum(REASON_CODES).describe('Why it is rejected.'),
        note: note.nullish().describe('The reason in words; needed with `other`.'),
      })
      .meta(refusing(all(has('reason_code', { const: 'other' }), hasNone('note')))),
    answers: { 200: { description: 'Rejected.', schema: decisionSchema } },
    errors: ['order_request_not_found', 'already_decided'],
    handle: async (ctx, { params: { id }, body }) => {
      const input = { id, reasonCode: body.reason_code, note: body.note ?? null };
      return { body: wireDecision(await rejectOrderRequest(ctx, input)) };
    },
    again: decisionAgain,
  }),
  api.delete('/order-requests/:id', {
    id: 'deleteOrderRequest',
    summary: 'Delete order request',
    description: 'Deletes the personal data and the PDF. An approved request is an order and cannot be deleted.',
    answers: { 200: { description: 'Deleted.', schema: deletedSchema } },
    errors: ['order_request_not_found', 'request_has_order', 'legal_hold'],
    handle: async (ctx, { params: { id } }) => {
      await deleteOrderRequest(ctx, id);
      return { body: { id, deleted: true } };
    },
    again: async (_, { params: { id } }) => ({ body: { id, deleted: true } }),
  }),
];
