import * as z from 'zod';
import {
  approveOrderRequest,
  createOrderRequest,
  deleteOrderRequest,
  envelopeSchema,
  getOrderRequest,
  listOrderRequests,
  rejectOrderRequest,
  reopenOrderRequest,
} from '../order-requests/service';
import { LINES_MAX, NOTE_MAX } from '../orders/limits';
import { PAYMENT_ACTIONS, REASON_CODES } from '../orders/service';
import { all, has, hasNone, refusing } from '../platform/http/json-schema';
import { textOf } from '../platform/http/validation';
import { editedLineSchema } from '../wire/order-bodies';
import {
  decisionSchema,
  deletedSchema,
  orderRequestAnswerSchema,
  orderRequestSchema,
  requestStatusSchema,
} from '../wire/order-schemas';
import { wireAcknowledgement, wireDecision, wireRequest } from '../wire/requests';
import { shopIdSchema } from '../wire/schemas';
import { endpointsOf } from './endpoint';
import { SUBMISSION_ERRORS } from './errors';
import { idCursorSchema, limitSchema, pageAnswer, severalOf } from './paging';

const api = endpointsOf({ tag: 'Order requests', scopes: 'order_requests', id: 'Order request id.' });

const note = textOf(NOTE_MAX);
const REQUEST_STATUSES = requestStatusSchema.options;

export const orderRequestEndpoints = [
  api.get('/order-requests', {
    id: 'listOrderRequests',
    summary: 'List order requests',
    description:
      'Newest first. Without `status`: pending requests only, but with `external_reference` requests of every status.',
    query: z.object({
      limit: limitSchema,
      cursor: idCursorSchema,
      status: severalOf(REQUEST_STATUSES, 'pending,approved', 'all').optional(),
      shop_id: shopIdSchema.optional().meta({ description: 'Only requests to this shop.' }),
      external_reference: z.string().max(200).optional().meta({ description: 'Only requests with this reference.' }),
    }),
    answers: pageAnswer(orderRequestSchema),
    handle: async (ctx, { query }) => {
      const { requests, nextCursor } = await listOrderRequests(ctx, {
        // With a reference, requests of every status are searched: a platform wants to know what happened to its
        // request.
        statuses: query.status ?? (query.external_reference === undefined ? ['pending'] : REQUEST_STATUSES),
        shopId: query.shop_id,
        externalReference: query.external_reference,
        limit: query.limit,
        before: query.cursor ?? null,
      });
      return { body: { data: requests.map(wireRequest), next_cursor: nextCursor } };
    },
  }),
  api.get('/order-requests/:id', {
    id: 'getOrderRequest',
    summary: 'Get order request',
    description:
      'The request as it was sent, its lines as staff edited them, its prescriptions, and in `blockers` what keeps it from being approved.',
    answers: { 200: { description: 'The request, with what prevents its approval.', schema: orderRequestSchema } },
    errors: ['order_request_not_found'],
    handle: async (ctx, { params: { id } }) => ({ body: wireRequest(await getOrderRequest(ctx, id)) }),
  }),
  api.post('/order-requests', {
    id: 'createOrderRequest',
    summary: 'Create order request',
    description:
      "Takes the connector's envelope with `shop_id`; rules, warnings and repeated submissions are as at the connector.",
    // Only the shop's id is read here: the payload is passed on as it was sent, and the use case checks it.
    body: z.looseObject({ shop_id: shopIdSchema }),
    documentedBody: envelopeSchema
      .omit({ org_id: true })
      .extend({ shop_id: shopIdSchema })
      .meta({ id: 'ShopOrderRequest', description: 'What a platform submits, and to which shop.' }),
    answers: {
      200: {
        description: 'Accepted, or accepted before.',
        schema: orderRequestAnswerSchema,
        headers: ['Idempotent-Replayed'],
      },
    },
    errors: ['shop_not_found', ...SUBMISSION_ERRORS],
    handle: async (ctx, { body }) => {
      const request = await createOrderRequest(ctx, { shopId: body.shop_id, body });
      return {
        headers: request.isReplay ? { 'Idempotent-Replayed': 'true' } : undefined,
        body: wireAcknowledgement(request),
      };
    },
  }),
  api.post('/order-requests/:id/approve', {
    id: 'approveOrderRequest',
    summary: 'Approve order request',
    description:
      'Creates the order and takes its items from stock. `override_reason` approves it despite blockers that are `overridable`.',
    body: z.strictObject({
      lines: z
        .array(editedLineSchema)
        .min(1)
        .max(LINES_MAX)
        .optional()
        .meta({ description: 'The lines as staff changed them.' }),
      override_reason: note
        .optional()
        .meta({ description: 'Why the request is approved despite `overridable` blockers; stored with the request.' }),
      payment: z.enum(PAYMENT_ACTIONS).optional().meta({
        description: 'What becomes of the difference where something was paid and the lines come to another total.',
      }),
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
      const input = { id, lines: body.lines, overrideReason: body.override_reason, payment: body.payment };
      return { body: wireDecision(await approveOrderRequest(ctx, input)) };
    },
  }),
  api.post('/order-requests/:id/reject', {
    id: 'rejectOrderRequest',
    summary: 'Reject order request',
    description: 'Ends the request with a reason, which whoever sent it is told. It can be reopened.',
    body: z
      .strictObject({
        reason_code: z.enum(REASON_CODES).meta({ description: 'Why it is rejected.' }),
        note: note.nullish().meta({ description: 'The reason in words; needed with `other`.' }),
      })
      .meta(refusing(all(has('reason_code', { const: 'other' }), hasNone('note')))),
    answers: { 200: { description: 'Rejected.', schema: decisionSchema } },
    errors: ['order_request_not_found', 'already_decided'],
    handle: async (ctx, { params: { id }, body }) => {
      const input = { id, reasonCode: body.reason_code, note: body.note ?? null };
      return { body: wireDecision(await rejectOrderRequest(ctx, input)) };
    },
  }),
  api.post('/order-requests/:id/reopen', {
    id: 'reopenOrderRequest',
    summary: 'Reopen order request',
    description: 'Undoes a rejection.',
    answers: { 200: { description: 'Pending again.', schema: decisionSchema } },
    errors: ['order_request_not_found', 'already_decided', 'superseded'],
    handle: async (ctx, { params: { id } }) => ({ body: wireDecision(await reopenOrderRequest(ctx, id)) }),
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
  }),
];
