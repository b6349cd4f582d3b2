import * as z from 'zod';
import type { RequestItem } from '../../order-requests/service';
import { LINES_MAX, QUANTITY_MAX, TEXT_MAX } from '../../orders/limits';
import { ORDER_STATUSES, type OrderPatch, type OrderUpsert, REASON_CODES, type Refund } from '../../orders/service';
import { all, EMPTY, has, hasNone, NOT_EMPTY, none, refusing } from '../../platform/json-schema';
import { AMOUNT_CENTS_MAX, toEur } from '../../platform/money';
import { readOnlyLineFields } from './order-schemas';
import { p1IdSchema, priceSchema, shopIdSchema } from './schemas';
import { centsOf } from './values';

/** Request bodies of orders, and their conversion to the input of use cases. */

const text = (max: number, description: string) =>
  z.string().trim().min(1).max(max).nullable().optional().meta({ description });
const email = z
  .email({ pattern: z.regexes.unicodeEmail })
  .max(200)
  .nullable()
  .optional()
  .meta({ description: 'E-mail address.', example: 'erika@example.com' });

const address = {
  address_street: text(TEXT_MAX, 'Street and number.'),
  address_city: text(TEXT_MAX, 'City.'),
  address_postal_code: text(TEXT_MAX, 'Postal code.'),
  address_phone: text(TEXT_MAX, 'Phone number.'),
};
const SHIPPING = "Abholung, Versand, Express, or the name of the shop's delivery service.";

/** `qty` is the name in contract 5.4; only this call uses it. */
export const orderUpsertSchema = z
  .strictObject({
    shop_id: shopIdSchema,
    external_id: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .meta({ description: 'Your own id of the order, unique within the shop.' }),
    source: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'The program that sends it; `api` when missing.' }),
    customer_id: text(TEXT_MAX, 'Existing customer id in the service.'),
    customer_name: text(TEXT_MAX, 'Full name. This or customer_email is needed.'),
    customer_email: email,
    ...address,
    shipping_option: text(TEXT_MAX, SHIPPING),
    cash_on_pickup: z
      .boolean()
      .nullable()
      .optional()
      .meta({ description: 'Whether it is paid at pickup; true when missing.' }),
    payment_status: z
      .enum(['cash_on_pickup', 'paid', 'pending'])
      .nullable()
      .optional()
      .meta({ description: 'Takes precedence over cash_on_pickup.' }),
    payment_reference: text(TEXT_MAX, 'Payment transaction id.'),
    items: z
      .array(
        z
          .strictObject({
            name: text(TEXT_MAX, 'Product name.'),
            qty: z.int().min(1).max(QUANTITY_MAX).meta({ description: 'Pieces.', example: 2 }),
            price: priceSchema.meta({ description: 'Unit price in EUR.' }),
            p1_id: p1IdSchema.nullish().meta({ description: 'Catalog product id.' }),
            product_id: p1IdSchema.nullish().meta({ description: 'Alias for a product id.' }),
            quantity: z
              .int()
              .optional()
              .meta({ description: 'Returned by GET; may be sent back, and must then equal qty.' }),
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
          })
          .meta(refusing(hasNone('name', 'p1_id', 'product_id'))),
      )
      .min(1)
      .max(LINES_MAX)
      .meta({ description: 'The lines. Each needs one of name, p1_id, product_id.' }),
  })
  .refine(({ customer_name, customer_email }) => Boolean(customer_name || customer_email), {
    message: 'Send customer_name or customer_email, or both.',
    params: { code: 'customer_required' },
  })
  .meta(refusing(hasNone('customer_name', 'customer_email')))
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
        priceCents: centsOf(item.price),
        p1Id: item.p1_id ?? null,
        productId: item.product_id ?? null,
      })),
    }),
  );

const FLAGS = {
  on_hold: z.boolean().optional().meta({ description: 'Puts the order on hold, or lifts the hold.' }),
  express: z.boolean().optional().meta({ description: 'To be handled first.' }),
  archived: z.boolean().optional().meta({ description: 'Hidden from the daily lists.' }),
};
const FLAG_NAMES = ['on_hold', 'express', 'archived'] as const;

/** A flag that is sent twice, with different values. */
const DIFFERING_FLAGS = FLAG_NAMES.flatMap((flag) =>
  [true, false].map((value) => all(has(flag, { const: value }), has('flags', has(flag, { const: !value })))),
);

export const orderPatchSchema = z
  .strictObject({
    status: z
      .enum(ORDER_STATUSES)
      .optional()
      .meta({ description: 'The next step; GET /order-statuses lists the steps from each status.' }),
    reason_code: z
      .enum(REASON_CODES)
      .optional()
      .meta({ description: 'Why it is cancelled; required for a cancellation.' }),
    note: text(1000, 'Note of staff.'),
    ...FLAGS,
    flags: z
      .strictObject(FLAGS)
      .refine((flags) => Object.keys(flags).length > 0, {
        message: 'Send at least one flag, or leave flags out.',
        params: { code: 'no_fields' },
      })
      .meta(NOT_EMPTY)
      .optional()
      .meta({ description: 'The flags as GET gives them; one that is sent beside it, too, must be the same.' }),
    hold_reason: text(TEXT_MAX, 'Why it is on hold.'),
    shipping_option: text(TEXT_MAX, SHIPPING),
    customer_name: text(TEXT_MAX, 'Full name.'),
    customer_email: email,
    ...address,
    cash_received: z.boolean().optional().meta({
      description: 'Only with status picked_up: true marks an unpaid order as paid (order_marked_paid).',
    }),
  })
  .refine((patch) => Object.keys(patch).length > 0, {
    message: 'Send at least one field.',
    params: { code: 'no_fields' },
  })
  .superRefine((patch, issues) => {
    for (const flag of FLAG_NAMES) {
      const [beside, within] = [patch[flag], patch.flags?.[flag]];
      if (beside === undefined || within === undefined || beside === within) continue;
      const message = `${flag} and flags.${flag} differ. Send one of them.`;
      issues.addIssue({ code: 'custom', path: ['flags', flag], message, params: { code: 'flags_differ' } });
    }
  })
  .meta(
    refusing(
      EMPTY,
      all(has('status', { const: 'cancelled' }), none(has('reason_code', {}))),
      all(has('cash_received', {}), none(has('status', { const: 'picked_up' }))),
      ...DIFFERING_FLAGS,
    ),
  )
  .transform(
    (body): OrderPatch => ({
      status: body.status,
      reasonCode: body.reason_code,
      note: body.note,
      onHold: body.on_hold ?? body.flags?.on_hold,
      holdReason: body.hold_reason,
      express: body.express ?? body.flags?.express,
      archived: body.archived ?? body.flags?.archived,
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

/** Zod writes no condition of `refine` into the document. */
function aboveZero({ jsonSchema }: { jsonSchema: { minimum?: number; exclusiveMinimum?: number; maximum?: number } }) {
  delete jsonSchema.minimum;
  Object.assign(jsonSchema, { exclusiveMinimum: 0, maximum: toEur(AMOUNT_CENTS_MAX) });
}

export const refundSchema = z
  .strictObject({
    amount: priceSchema
      .refine((amount) => amount > 0, { message: 'Send an amount above 0.', params: { code: 'too_small' } })
      .meta({ override: aboveZero })
      .optional()
      .meta({ description: 'EUR; when missing, everything that is not refunded yet.' }),
    reason_code: z.enum(REASON_CODES).meta({ description: 'Why the money was given back.' }),
    note: text(1000, 'Note of staff.'),
  })
  .transform(
    (body): Refund => ({
      amountCents: body.amount === undefined ? null : centsOf(body.amount),
      reasonCode: body.reason_code,
      note: body.note ?? null,
    }),
  );

/** A line of an order request as edited by staff. */
export const editedLineSchema = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(TEXT_MAX)
      .nullish()
      .meta({ description: 'Product name. This or p1_id is needed.' }),
    quantity: z.int().min(1).max(QUANTITY_MAX).meta({ description: 'Pieces.', example: 2 }),
    price: priceSchema.meta({ description: 'Unit price in EUR.' }),
    p1_id: p1IdSchema.nullish().meta({ description: 'Catalog product id.' }),
    product_id: p1IdSchema.nullish().meta({ description: 'Alias of p1_id.' }),
    qty: z.int().optional().meta({ description: 'Returned by GET; may be sent back, and must then equal quantity.' }),
    ...readOnlyLineFields(['name', 'quantity', 'price', 'p1_id', 'qty']),
  })
  .refine(({ name, p1_id, product_id }) => Boolean(name || p1_id || product_id), {
    message: 'Send name or p1_id.',
    params: { code: 'item_identity_required' },
  })
  .refine(({ quantity, qty }) => qty === undefined || qty === quantity, {
    path: ['qty'],
    message: 'qty and quantity differ. Change quantity; qty may be left out.',
    params: { code: 'use_quantity' },
  })
  .meta(refusing(hasNone('name', 'p1_id', 'product_id')))
  .meta({ id: 'EditedLine', description: 'A line as staff changed it.' });

export function editedLineOf(line: z.output<typeof editedLineSchema>): RequestItem {
  return {
    name: line.name ?? null,
    quantity: line.quantity,
    priceCents: centsOf(line.price),
    p1Id: line.p1_id ?? null,
    productId: line.product_id ?? null,
  };
}
