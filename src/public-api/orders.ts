import * as z from 'zod';
import {
  changeOrder,
  createPaymentLink,
  deleteOrder,
  getOrder,
  listOrders,
  markOrderPaid,
  ORDER_STATUSES,
  refundOrder,
  TRANSITIONS,
  upsertOrder,
} from '../orders/service';
import { textOf } from '../platform/http/validation';
import { orderPatchSchema, orderUpsertSchema, refundSchema } from '../wire/order-bodies';
import { deletedSchema, orderSchema, paymentLinkSchema } from '../wire/order-schemas';
import { wireOrder, wirePaymentLink } from '../wire/orders';
import { dataOf, shopIdSchema } from '../wire/schemas';
import { endpointsOf } from './endpoint';
import { idCursorSchema, limitSchema, pageAnswer } from './paging';

const api = endpointsOf({ tag: 'Orders', scopes: 'orders', id: 'Order id.' });

export const orderEndpoints = [
  api.get('/orders', {
    id: 'listOrders',
    summary: 'List orders',
    description: 'Newest first.',
    query: z.object({
      limit: limitSchema,
      cursor: idCursorSchema,
      status: z.enum(ORDER_STATUSES).optional().meta({ description: 'Only orders that stand there.' }),
      shop_id: shopIdSchema.optional().meta({ description: 'Only orders of this shop.' }),
      external_id: z.string().max(200).optional().meta({ description: 'Only the order with your own id.' }),
    }),
    answers: pageAnswer(orderSchema),
    handle: async (ctx, { query }) => {
      const { orders, nextCursor } = await listOrders(ctx, {
        status: query.status,
        shopId: query.shop_id,
        externalId: query.external_id,
        limit: query.limit,
        before: query.cursor ?? null,
      });
      return { body: { data: orders.map(wireOrder), next_cursor: nextCursor } };
    },
  }),
  api.get('/orders/:id', {
    id: 'getOrder',
    summary: 'Get order',
    description:
      'The order with its lines, sums, flags and customer. Its lines are what is supplied, which may differ from what was asked for.',
    answers: { 200: { description: 'The order.', schema: orderSchema } },
    errors: ['order_not_found'],
    handle: async (ctx, { params: { id } }) => ({ body: wireOrder(await getOrder(ctx, id)) }),
  }),
  api.post('/orders', {
    id: 'upsertOrder',
    summary: 'Create or change an order by your own id',
    description:
      'Identified by shop_id and external_id. The same content again changes nothing and sends no event. Once the order is shipped its lines cannot change, once it is completed or cancelled nothing can.',
    body: orderUpsertSchema,
    answers: {
      201: { description: 'Created.', schema: orderSchema },
      200: { description: 'Changed, or unchanged.', schema: orderSchema },
    },
    errors: [
      'shop_not_found',
      'customer_required',
      'item_identity_required',
      'unknown_shipping_option',
      'order_locked',
      'insufficient_stock',
      'refund_exceeds_paid',
    ],
    handle: async (ctx, { body }) => {
      const { order, isNew } = await upsertOrder(ctx, body);
      return { status: isNew ? 201 : 200, body: wireOrder(order) };
    },
  }),
  api.patch('/orders/:id', {
    id: 'changeOrder',
    summary: 'Change order',
    description:
      'Changes status, flags and fields. A request that changes nothing succeeds and sends no event. An order on hold cannot be handed over or shipped, unless the same request lifts the hold.',
    body: orderPatchSchema,
    answers: { 200: { description: 'The order after the change.', schema: orderSchema } },
    errors: [
      'order_not_found',
      'unknown_shipping_option',
      'invalid_transition',
      'prescription_not_approved',
      'prescription_not_covering',
      'on_hold',
      'original_missing',
      'order_locked',
      'order_not_payable',
    ],
    handle: async (ctx, { params: { id }, body }) => ({ body: wireOrder(await changeOrder(ctx, id, body)) }),
  }),
  api.post('/orders/:id/mark-paid', {
    id: 'markOrderPaid',
    summary: 'Mark order as paid',
    description: 'Safe to repeat. Open payment links end.',
    body: z.strictObject({
      payment_reference: textOf(200).optional().meta({ description: 'Payment transaction id.' }),
    }),
    answers: { 200: { description: 'The order.', schema: orderSchema } },
    errors: ['order_not_found', 'order_not_payable'],
    handle: async (ctx, { params: { id }, body }) => ({
      body: wireOrder(await markOrderPaid(ctx, id, body.payment_reference ?? null)),
    }),
  }),
  api.post('/orders/:id/refund', {
    id: 'refundOrder',
    summary: 'Refund order',
    description:
      'Records that all or part of the money for a paid order was given back; it moves no money and no stock. Sends order_updated. Once everything is refunded, payment_status is refunded. Not safe to repeat: each call records a further refund while some amount is left.',
    body: refundSchema,
    answers: { 200: { description: 'The order.', schema: orderSchema } },
    errors: ['order_not_found', 'not_paid', 'refund_exceeds_paid'],
    handle: async (ctx, { params: { id }, body }) => ({ body: wireOrder(await refundOrder(ctx, id, body)) }),
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
  }),
  api.delete('/orders/:id', {
    id: 'deleteOrder',
    summary: 'Delete order',
    description: 'Only cancelled orders can be deleted.',
    answers: { 200: { description: 'Deleted.', schema: deletedSchema } },
    errors: ['order_not_found', 'order_not_deletable'],
    handle: async (ctx, { params: { id } }) => {
      await deleteOrder(ctx, id);
      return { body: { id, deleted: true } };
    },
  }),
  api.get('/order-statuses', {
    id: 'listOrderStatuses',
    summary: 'List order statuses',
    description:
      'Every status and the steps from it. ready_pickup is only for the shipping option Abholung, ready_shipping for all others.',
    answers: {
      200: {
        description: 'The transition table.',
        schema: dataOf(
          z.object({
            status: z.enum(ORDER_STATUSES).meta({ description: 'A status.' }),
            transitions: z.array(z.enum(ORDER_STATUSES)).meta({ description: 'The steps from it.' }),
          }),
        ),
      },
    },
    handle: async () => ({
      body: { data: ORDER_STATUSES.map((status) => ({ status, transitions: TRANSITIONS[status] })) },
    }),
  }),
];
