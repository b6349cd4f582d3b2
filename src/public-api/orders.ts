import * as z from 'zod';
import { readDispensing } from '../order-requests/dispensing';
import { changeOrder } from '../orders/change';
import { upsertOrder } from '../orders/create';
import { deleteOrder } from '../orders/erasure';
import { BATCH_MAX } from '../orders/limits';
import { createPaymentLink, getPaymentLink, markOrderPaid } from '../orders/payments/links';
import { refundOrder } from '../orders/payments/refund';
import { findBatch, getOrder, listOrders } from '../orders/read';
import type { VersionedOrder } from '../orders/store';
import { ORDER_PAYMENT_STATUSES, ORDER_STATUSES } from '../orders/tables';
import type { Context } from '../platform/context';
import { textOf } from '../platform/http/validation';
import { idCursor, idCursorSchema } from '../wire/cursors';
import { dispensingSchema, wireDispensing } from '../wire/dispensing';
import { orderPatchSchema, orderUpsertSchema, refundSchema } from '../wire/order-bodies';
import {
  deletedSchema,
  orderSchema,
  paymentLinkSchema,
  suppliedBatchSchema,
  wireOrder,
  wirePaymentLink,
  wireSuppliedBatch,
} from '../wire/orders';
import { etagOf, pageOfData, shopIdSchema, versionsIn } from '../wire/schemas';
import { endpointsOf } from './endpoint/endpoint';
import {
  limitSchema,
  listQuery,
  pageAnswer,
  pageOfPlaces,
  placeOf,
  referenceSchema,
  severalOf,
} from './endpoint/paging';

const api = endpointsOf({ tag: 'Orders', scopes: 'orders', id: 'Order id.' });

function versioned(ctx: Context, order: VersionedOrder) {
  return { headers: { ETag: etagOf(order) }, body: wireOrder(ctx, order) };
}

const orderAgain = async (ctx: Context, { about }: { about: string }) => versioned(ctx, await getOrder(ctx, about));

export const orderEndpoints = [
  api.get('/orders', {
    id: 'listOrders',
    summary: 'List orders',
    description:
      'Newest first; with `updated_after` by change, deleted orders included (`deleted_at`). With `payment_status`, or with any filter beside `updated_after`, a page may hold fewer than `limit`: only next_cursor tells whether there are more.',
    query: z.object({
      ...listQuery,
      status: severalOf(ORDER_STATUSES, 'awaiting_packing,ready_pickup').optional(),
      payment_status: severalOf(ORDER_PAYMENT_STATUSES, 'pending,cash_on_pickup').optional(),
      shop_id: shopIdSchema.optional().describe('Only orders of this shop.'),
      external_id: referenceSchema.describe('Only the order with your own id.'),
      external_reference: referenceSchema.describe('Only orders of requests with this reference.'),
    }),
    answers: pageAnswer(orderSchema),
    errors: ['shop_not_found'],
    handle: async (ctx, { query }) => {
      const { orders, ...places } = await listOrders(ctx, {
        statuses: query.status,
        paymentStatuses: query.payment_status,
        shopId: query.shop_id,
        externalId: query.external_id,
        externalReference: query.external_reference,
        createdAfter: query.created_after,
        createdBefore: query.created_before,
        limit: query.limit,
        from: placeOf(query),
      });
      return { body: pageOfPlaces(orders, (order) => wireOrder(ctx, order), places) };
    },
  }),
  api.get('/orders/:id', {
    id: 'getOrder',
    summary: 'Get order',
    description:
      'The order with its lines, sums, flags and customer. `items` lists what is supplied, not what was ordered.',
    answers: { 200: { description: 'The order.', schema: orderSchema, headers: ['ETag'] } },
    errors: ['order_not_found'],
    reads: 'If-None-Match',
    handle: async (ctx, { params: { id } }) => versioned(ctx, await getOrder(ctx, id)),
  }),
  api.get('/orders/:id/dispensing-record', {
    id: 'getDispensingRecord',
    summary: 'Get dispensing record',
    description:
      "What was supplied on prescription (§ 17 Abs. 6 ApBetrO), beside the PDF, which stays as it was sent. Where `other_product` is true for a line, the whole document needs the pharmacist's own signature, which this service does not make.",
    answers: { 200: { description: 'The record as it stands now.', schema: dispensingSchema } },
    errors: ['order_not_found'],
    handle: async (ctx, { params: { id } }) => ({ body: wireDispensing(await readDispensing(ctx, id)) }),
  }),
  api.get('/batches', {
    id: 'findBatch',
    summary: 'Find who got a batch',
    description:
      'For a recall: each line of an order of which packs of the batch were packed, the newest order first. The names of an erased person are what law keeps (§ 22 ApBetrO), for keys with `prescriptions.read`. Each page is an entry in the audit log.',
    query: z.object({
      batch: textOf(BATCH_MAX).meta({
        description: 'Case and spaces do not matter.',
        example: 'AB12',
      }),
      limit: limitSchema,
      cursor: idCursorSchema,
    }),
    answers: pageAnswer(suppliedBatchSchema),
    handle: async (ctx, { query: { batch, limit, cursor } }) => {
      const { supplied, nextCursor } = await findBatch(ctx, { batch, limit, after: cursor ?? null });
      return { body: pageOfData(supplied.map(wireSuppliedBatch), idCursor(nextCursor)) };
    },
  }),
  api.post('/orders', {
    id: 'upsertOrder',
    summary: 'Create or change an order by your own id',
    description:
      'Identified by shop_id and external_id. The same content again changes nothing and sends no event. Once the order is shipped its lines cannot change, once it is completed or cancelled nothing can.',
    body: orderUpsertSchema,
    answers: {
      201: { description: 'Created.', schema: orderSchema, headers: ['ETag'] },
      200: { description: 'Changed, or unchanged.', schema: orderSchema, headers: ['ETag'] },
    },
    errors: [
      'shop_not_found',
      'customer_required',
      'item_identity_required',
      'unknown_shipping_option',
      'order_locked',
      'insufficient_stock',
      'product_not_in_inventory',
      'refund_exceeds_paid',
      // Only a repeated command gets this error: the order was deleted since.
      'order_not_found',
    ],
    handle: async (ctx, { body }) => {
      const { order, isNew } = await upsertOrder(ctx, body);
      return { status: isNew ? 201 : 200, ...versioned(ctx, order) };
    },
    again: async (ctx, { about }) => {
      const order = await getOrder(ctx, about);
      return { status: order.createdAt === order.updatedAt ? 201 : 200, ...versioned(ctx, order) };
    },
  }),
  api.patch('/orders/:id', {
    id: 'changeOrder',
    summary: 'Change order',
    description:
      'Changes status, flags and fields. A request that changes nothing succeeds and sends no event. An order on hold cannot be handed over or shipped, unless the same request lifts the hold. With `If-Match`, the order is changed only while its version is one that you name.',
    body: orderPatchSchema,
    answers: { 200: { description: 'The order after the change.', schema: orderSchema, headers: ['ETag'] } },
    errors: [
      'order_not_found',
      'unknown_shipping_option',
      'invalid_transition',
      'prescription_not_approved',
      'prescription_not_covering',
      'on_hold',
      'withdrawal_undecided',
      'withdrawal_decided',
      'original_missing',
      'rest_owed',
      'shipping_blocked',
      'order_locked',
      'order_not_payable',
      'refund_exceeds_paid',
      'version_mismatch',
    ],
    reads: 'If-Match',
    handle: async (ctx, { params: { id }, body, ifMatch }) =>
      versioned(ctx, await changeOrder(ctx, id, { ...body, versions: versionsIn(ifMatch) })),
    again: orderAgain,
  }),
  api.post('/orders/:id/mark-paid', {
    id: 'markOrderPaid',
    summary: 'Mark order as paid',
    description:
      'Safe to repeat with the same payment_reference or none; a paid order without one takes it, another one is 409 order_not_payable. Payment links end. From awaiting_payment it becomes awaiting_packing.',
    body: z.strictObject({
      payment_reference: textOf(200).optional().describe('Payment transaction id.'),
    }),
    answers: { 200: { description: 'The order.', schema: orderSchema, headers: ['ETag'] } },
    errors: ['order_not_found', 'order_not_payable'],
    handle: async (ctx, { params: { id }, body }) =>
      versioned(ctx, await markOrderPaid(ctx, id, body.payment_reference ?? null)),
    again: orderAgain,
  }),
  api.post('/orders/:id/refund', {
    id: 'refundOrder',
    summary: 'Refund order',
    description:
      'Records that all or part of the money for a paid order was given back; it moves no money and no stock. Sends order_updated. Once everything is refunded, payment_status is refunded. Not safe to repeat: each call records a further refund while some amount is left.',
    body: refundSchema,
    answers: { 200: { description: 'The order.', schema: orderSchema, headers: ['ETag'] } },
    errors: ['order_not_found', 'not_paid', 'refund_exceeds_paid'],
    handle: async (ctx, { params: { id }, body }) => versioned(ctx, await refundOrder(ctx, id, body)),
    again: orderAgain,
  }),
  api.post('/orders/:id/payment-links', {
    id: 'createPaymentLink',
    summary: 'Create payment link',
    description: "Creates a page with a GiroCode on the shop's own host; earlier open links end.",
    body: z.strictObject({}),
    answers: { 201: { description: 'The link.', schema: paymentLinkSchema } },
    errors: ['order_not_found', 'order_not_payable', 'iban_missing', 'shop_host_missing'],
    handle: async (ctx, { params: { id } }) => ({
      status: 201,
      body: wirePaymentLink(await createPaymentLink(ctx, id)),
    }),
    again: async (ctx, { about }) => ({ status: 201, body: wirePaymentLink(await getPaymentLink(ctx, about)) }),
  }),
  api.delete('/orders/:id', {
    id: 'deleteOrder',
    summary: 'Delete order',
    description: 'Only cancelled orders of which no part has left can be deleted.',
    answers: { 200: { description: 'Deleted.', schema: deletedSchema } },
    errors: ['order_not_found', 'order_not_deletable', 'legal_hold'],
    handle: async (ctx, { params: { id } }) => {
      await deleteOrder(ctx, id);
      return { body: { id, deleted: true } };
    },
    again: async (_, { params: { id } }) => ({ body: { id, deleted: true } }),
  }),
];
