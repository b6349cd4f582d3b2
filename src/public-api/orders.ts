import { z } from 'zod';
import {
  changeOrder,
  createPaymentLink,
  deleteOrder,
  getOrder,
  listOrders,
  markOrderPaid,
  ORDER_STATUSES,
  REASON_CODES,
  TRANSITIONS,
  upsertOrder,
} from '../orders/service';
import { toCents } from '../platform/money';
import { endpoint } from './endpoint';
import { deletedSchema, orderSchema } from './order-schemas';
import { idSchema, limitSchema, p1IdSchema, priceSchema, shopIdSchema, timestampSchema } from './schemas';

const ITEMS_MAX = 100;
const QUANTITY_MAX = 9999;
const params = z.object({ id: idSchema.meta({ description: 'Order id.' }) });
const text = (max: number) => z.string().trim().min(1).max(max).nullable().optional();
const email = z.email({ pattern: z.regexes.unicodeEmail }).max(200).nullable().optional();

const address = {
  address_street: text(200),
  address_city: text(200),
  address_postal_code: text(200),
  address_phone: text(200),
};

const upsertSchema = z
  .strictObject({
    shop_id: shopIdSchema,
    external_id: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .meta({ description: 'Your own id of the order, unique in the shop.' }),
    source: z.string().trim().min(1).max(100).optional(),
    customer_id: text(200),
    customer_name: text(200),
    customer_email: email,
    ...address,
    shipping_option: text(200),
    cash_on_pickup: z.boolean().nullable().optional(),
    payment_status: z.enum(['cash_on_pickup', 'paid', 'pending']).nullable().optional(),
    payment_reference: text(200),
    items: z
      .array(
        z
          .strictObject({
            name: text(200),
            qty: z.int().min(1).max(QUANTITY_MAX),
            price: priceSchema,
            p1_id: p1IdSchema.nullish(),
            product_id: p1IdSchema.nullish(),
          })
          .refine(({ name, p1_id, product_id }) => Boolean(name || p1_id || product_id), {
            message: 'Send at least one of name, p1_id, product_id.',
            params: { code: 'item_identity_required' },
          }),
      )
      .min(1)
      .max(ITEMS_MAX),
  })
  .refine(({ customer_name, customer_email }) => Boolean(customer_name || customer_email), {
    message: 'Send customer_name or customer_email, or both.',
    params: { code: 'customer_required' },
  });

const patchSchema = z
  .strictObject({
    status: z.enum(ORDER_STATUSES).optional(),
    reason_code: z.enum(REASON_CODES).optional().meta({ description: 'Needed to cancel.' }),
    note: text(1000),
    on_hold: z.boolean().optional(),
    hold_reason: text(200),
    express: z.boolean().optional(),
    archived: z.boolean().optional(),
    shipping_option: text(200),
    customer_name: text(200),
    customer_email: email,
    ...address,
  })
  .refine((patch) => Object.keys(patch).length > 0, {
    message: 'Send at least one field.',
    params: { code: 'no_fields' },
  });

export const orderEndpoints = [
  endpoint({
    id: 'listOrders',
    method: 'get',
    path: '/orders',
    scope: 'orders.read',
    tag: 'Orders',
    summary: 'List orders',
    description: 'Newest first.',
    query: z.object({
      limit: limitSchema,
      cursor: z.string().max(100).default('').meta({ description: 'next_cursor of the page before.' }),
      status: z.enum(ORDER_STATUSES).optional(),
      shop_id: shopIdSchema.optional(),
      external_id: z.string().max(200).optional(),
    }),
    answers: {
      200: {
        description: 'One page; next_cursor is null at the end.',
        schema: z.object({ data: z.array(orderSchema), next_cursor: z.string().nullable() }),
      },
    },
    errors: ['validation_failed'],
    handle: async (ctx, { query }) => {
      const { orders, nextCursor } = await listOrders(ctx, {
        status: query.status,
        shopId: query.shop_id,
        externalId: query.external_id,
        limit: query.limit,
        before: query.cursor,
      });
      return { body: { data: orders, next_cursor: nextCursor } };
    },
  }),
  endpoint({
    id: 'getOrder',
    method: 'get',
    path: '/orders/:id',
    scope: 'orders.read',
    tag: 'Orders',
    summary: 'Get order',
    params,
    answers: { 200: { description: 'The order.', schema: orderSchema } },
    errors: ['order_not_found'],
    handle: async (ctx, { params: { id } }) => ({ body: await getOrder(ctx, id) }),
  }),
  endpoint({
    id: 'upsertOrder',
    method: 'post',
    path: '/orders',
    scope: 'orders.write',
    tag: 'Orders',
    summary: 'Create or change an order by your own id',
    description: 'Known by shop_id and external_id. The same content again changes nothing and sends nothing.',
    body: upsertSchema,
    bodyExample: {
      shop_id: '019aa0b0-1f00-7aaa-8c01-0c9be1b2a301',
      external_id: 'SHOP-1001',
      customer_email: 'erika@example.com',
      items: [{ p1_id: 'P1-10023', qty: 2, price: 4.95 }],
    },
    answers: {
      201: { description: 'Made.', schema: orderSchema },
      200: { description: 'Changed, or as it was.', schema: orderSchema },
    },
    errors: [
      'shop_not_found',
      'customer_required',
      'item_identity_required',
      'unknown_shipping_option',
      'order_locked',
      'insufficient_stock',
    ],
    handle: async (ctx, { body }) => {
      const { order, isNew } = await upsertOrder(ctx, {
        shopId: body.shop_id,
        externalId: body.external_id,
        source: body.source ?? 'api',
        customerId: body.customer_id ?? null,
        customerName: body.customer_name ?? null,
        customerEmail: body.customer_email ?? null,
        addressStreet: body.address_street ?? null,
        addressCity: body.address_city ?? null,
        addressPostalCode: body.address_postal_code ?? null,
        addressPhone: body.address_phone ?? null,
        shippingOption: body.shipping_option ?? null,
        paymentStatus: body.payment_status ?? ((body.cash_on_pickup ?? true) ? 'cash_on_pickup' : 'pending'),
        paymentReference: body.payment_reference ?? null,
        items: body.items.map((item) => ({
          name: item.name ?? null,
          quantity: item.qty,
          // SAFETY: the price's schema has made sure that it has cents.
          priceCents: toCents(item.price) as number,
          p1Id: item.p1_id ?? null,
          productId: item.product_id ?? null,
        })),
      });
      return { status: isNew ? 201 : 200, body: order };
    },
  }),
  endpoint({
    id: 'changeOrder',
    method: 'patch',
    path: '/orders/:id',
    scope: 'orders.write',
    tag: 'Orders',
    summary: 'Change order',
    description: 'Status, flags and fields. What changes nothing is answered and sends nothing.',
    params,
    body: patchSchema,
    bodyExample: { status: 'ready_pickup' },
    answers: { 200: { description: 'The order after the change.', schema: orderSchema } },
    errors: ['order_not_found', 'invalid_transition', 'prescription_not_approved'],
    handle: async (ctx, { params: { id }, body }) => ({
      body: await changeOrder(ctx, id, {
        status: body.status,
        reasonCode: body.reason_code,
        note: body.note,
        onHold: body.on_hold,
        holdReason: body.hold_reason,
        express: body.express,
        archived: body.archived,
        shippingOption: body.shipping_option,
        customerName: body.customer_name,
        customerEmail: body.customer_email,
        addressStreet: body.address_street,
        addressCity: body.address_city,
        addressPostalCode: body.address_postal_code,
        addressPhone: body.address_phone,
      }),
    }),
  }),
  endpoint({
    id: 'markOrderPaid',
    method: 'post',
    path: '/orders/:id/mark-paid',
    scope: 'orders.write',
    tag: 'Orders',
    summary: 'Mark order as paid',
    description: 'Safe to repeat. Open payment links end.',
    params,
    body: z.strictObject({ payment_reference: z.string().trim().min(1).max(200).optional() }),
    bodyExample: { payment_reference: 'TX-4711' },
    answers: { 200: { description: 'The order.', schema: orderSchema } },
    errors: ['order_not_found', 'order_not_payable'],
    handle: async (ctx, { params: { id }, body }) => ({
      body: await markOrderPaid(ctx, id, body.payment_reference ?? null),
    }),
  }),
  endpoint({
    id: 'createPaymentLink',
    method: 'post',
    path: '/orders/:id/payment-links',
    scope: 'orders.write',
    tag: 'Orders',
    summary: 'Create payment link',
    description: "A page on the shop's own host with a GiroCode; earlier open ones end.",
    params,
    body: z.strictObject({}),
    bodyExample: {},
    answers: {
      201: {
        description: 'The link.',
        schema: z
          .object({ payment_link_id: idSchema, url: z.url(), amount: priceSchema, expires_at: timestampSchema })
          .meta({ id: 'PaymentLink' }),
      },
    },
    errors: ['order_not_found', 'order_not_payable', 'iban_missing', 'shop_host_missing'],
    handle: async (ctx, { params: { id } }) => {
      const link = await createPaymentLink(ctx, id);
      return {
        status: 201,
        body: { payment_link_id: link.paymentLinkId, url: link.url, amount: link.amount, expires_at: link.expiresAt },
      };
    },
  }),
  endpoint({
    id: 'deleteOrder',
    method: 'delete',
    path: '/orders/:id',
    scope: 'orders.write',
    tag: 'Orders',
    summary: 'Delete order',
    description: 'Only a cancelled one.',
    params,
    answers: { 200: { description: 'Deleted.', schema: deletedSchema } },
    errors: ['order_not_found', 'order_not_deletable'],
    handle: async (ctx, { params: { id } }) => {
      await deleteOrder(ctx, id);
      return { body: { id, deleted: true } };
    },
  }),
  endpoint({
    id: 'listOrderStatuses',
    method: 'get',
    path: '/order-statuses',
    scope: 'orders.read',
    tag: 'Orders',
    summary: 'List order statuses',
    description: 'Every status and the steps from it. ready_pickup is for Abholung, ready_shipping for the others.',
    answers: {
      200: {
        description: 'The transition table.',
        schema: z.object({
          data: z.array(z.object({ status: z.enum(ORDER_STATUSES), transitions: z.array(z.enum(ORDER_STATUSES)) })),
        }),
      },
    },
    errors: [],
    handle: async () => ({
      body: { data: ORDER_STATUSES.map((status) => ({ status, transitions: TRANSITIONS[status] })) },
    }),
  }),
];
