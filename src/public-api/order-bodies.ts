import * as z from 'zod';
import { ORDER_STATUSES, type OrderPatch, type OrderUpsert, REASON_CODES, type Refund } from '../orders/service';
import { toCents } from '../platform/money';
import { readOnlyLineFields } from './order-schemas';
import { p1IdSchema, priceSchema, shopIdSchema } from './schemas';

/** What orders are made and changed by, turned into what the use cases take. */
const ITEMS_MAX = 100;
const QUANTITY_MAX = 9999;
const text = (max: number) => z.string().trim().min(1).max(max).nullable().optional();
const email = z.email({ pattern: z.regexes.unicodeEmail }).max(200).nullable().optional();

const address = {
  address_street: text(200),
  address_city: text(200),
  address_postal_code: text(200),
  address_phone: text(200),
};

/** SPEC, Item fields: `qty` belongs to this call. */
export const orderUpsertSchema = z
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
            quantity: z
              .int()
              .optional()
              .meta({ description: 'Told by GET; may be sent back as long as it is the qty.' }),
            ...readOnlyLineFields(['name', 'quantity', 'price', 'p1_id', 'qty']),
          })
          .refine(({ name, p1_id, product_id }) => Boolean(name || p1_id || product_id), {
            message: 'Send at least one of name, p1_id, product_id.',
            params: { code: 'item_identity_required' },
          })
          .refine(({ quantity, qty }) => quantity === undefined || quantity === qty, {
            path: ['quantity'],
            message: 'qty and quantity differ. Change qty; quantity may be left out.',
            params: { code: 'use_qty' },
          }),
      )
      .min(1)
      .max(ITEMS_MAX),
  })
  .refine(({ customer_name, customer_email }) => Boolean(customer_name || customer_email), {
    message: 'Send customer_name or customer_email, or both.',
    params: { code: 'customer_required' },
  })
  .transform(
    (body): OrderUpsert => ({
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
    }),
  );

export const orderPatchSchema = z
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
    cash_received: z.boolean().optional().meta({
      description: 'With status picked_up alone: true marks an order that is not paid yet as paid (order_marked_paid).',
    }),
  })
  .refine((patch) => Object.keys(patch).length > 0, {
    message: 'Send at least one field.',
    params: { code: 'no_fields' },
  })
  .transform(
    (body): OrderPatch => ({
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
      cashReceived: body.cash_received,
    }),
  );

export const refundSchema = z
  .strictObject({
    amount: priceSchema
      .refine((amount) => amount > 0, { message: 'Send an amount above 0.', params: { code: 'too_small' } })
      .optional()
      .meta({ description: 'EUR; all that was not refunded yet when it is left out.' }),
    reason_code: z.enum(REASON_CODES),
    note: text(1000),
  })
  .transform(
    (body): Refund => ({
      // SAFETY: the price's schema has made sure that it has cents.
      amountCents: body.amount === undefined ? null : (toCents(body.amount) as number),
      reasonCode: body.reason_code,
      note: body.note ?? null,
    }),
  );
