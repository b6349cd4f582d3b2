import * as z from 'zod';
import type { RequestItem } from '../order-requests/envelope';
import type { OrderPatch } from '../orders/change';
import type { OrderUpsert } from '../orders/create';
import { FLAG_FIELDS, ordersFields, PATCHED_FIELDS, UPSERTED_FIELDS } from '../orders/fields';
import { BATCH_MAX, BATCHES_MAX, LINES_MAX, QUANTITY_MAX, TEXT_MAX } from '../orders/limits';
import type { Refund } from '../orders/payments/refund';
import { REASON_CODES, TRACKING_URL } from '../orders/rules';
import { ORDER_STATUSES, orders } from '../orders/tables';
import { all, EMPTY, fault, has, hasNone, mailbox, none, refusing, textOf } from '../platform/http/validation';
import { AMOUNT_CENTS_MAX, URL_LENGTH_MAX } from '../platform/limits';
import { toEur } from '../platform/money';
import { bodyShape, fromBody, textSchema as text } from './fields';
import { readOnlyLineFields } from './orders';
import { centsOf, notEmpty, p1IdSchema, priceSchema, shopIdSchema } from './schemas';

/** Request bodies of orders, and their conversion to the inputs of use cases. */

const email = mailbox.max(200).nullish().meta({ description: 'E-mail address.', example: 'erika@example.com' });

const FLAGS = bodyShape(orders, ordersFields, FLAG_FIELDS);
const withdrawal = z.literal('refused').optional().describe(ordersFields.withdrawal.asks);
const trackingUrl = z
  .string()
  .max(URL_LENGTH_MAX)
  .regex(TRACKING_URL, 'Send an https:// address, with other characters than printable ASCII percent-encoded.')
  .nullish()
  .meta({ description: ordersFields.trackingUrl.says, example: ordersFields.trackingUrl.example });

/** Returns the schema of an optional amount in EUR. It is parsed to cents. */
const charge = (says: string) => priceSchema.transform(centsOf).optional().describe(says);
const charges = {
  fee_amount: charge(ordersFields.feeCents.asks),
  discount_amount: charge(ordersFields.discountCents.asks),
};

const { note, ...patched } = bodyShape(orders, ordersFields, PATCHED_FIELDS, {
  ...charges,
  customer_email: email,
  tracking_url: trackingUrl,
  withdrawal,
});
const { shipping_option, payment_reference, fee_amount, discount_amount, ...person } = bodyShape(
  orders,
  ordersFields,
  UPSERTED_FIELDS.filter((key) => key !== 'items'),
  { ...charges, customer_email: email },
);

/** Null for each text field that an upsert may omit. An omitted field thereby becomes empty. */
const NOTHING_SENT = Object.fromEntries(
  Object.keys({ ...person, shipping_option, payment_reference }).map((name) => [name, null]),
);

type Count = z.ZodType<number | undefined>;
type Counts = Record<'qty' | 'quantity', Count>;

/**
 * Returns the schema of a line as callers send it. `count` is the name of the field with the number of pieces. GET
 * returns this number under both names, so a caller may also send the field of the other name.
 * @param says the texts that differ between the calls
 */
function lineSchemaOf(count: keyof Counts, says: { name: string; alias: string; missing: string }) {
  const other = count === 'qty' ? 'quantity' : 'qty';
  const pieces: Count = z.int().min(1).max(QUANTITY_MAX).meta({ description: 'Pieces.', example: 2 });
  const description = `Returned by GET; may be sent back, and must then equal ${count}.`;
  const echo: Count = z.int().optional().describe(description);
  return z
    .strictObject({
      name: text(TEXT_MAX, says.name),
      ...({ [count]: pieces } as Counts),
      price: priceSchema.describe('Unit price in EUR.'),
      p1_id: p1IdSchema.nullish().describe('Product id.'),
      product_id: p1IdSchema.nullish().describe(says.alias),
      co_payment: z
        .boolean()
        .optional()
        .describe("The price is the customer's co-payment; only of what requires a prescription."),
      ...({ [other]: echo } as Counts),
      ...readOnlyLineFields,
    })
    .refine(
      ({ name, p1_id, product_id }) => Boolean(name || p1_id || product_id),
      fault('item_identity_required', says.missing),
    )
    .refine((line) => line[other] === undefined || line[other] === line[count], {
      path: [other],
      message: `qty and quantity differ. Change ${count}; ${other} may be left out.`,
      params: { code: `use_${count}` },
    })
    .meta(refusing(hasNone('name', 'p1_id', 'product_id')))
    .transform(
      (line): RequestItem => ({
        name: line.name ?? null,
        // SAFETY: required under this name.
        quantity: line[count] as number,
        priceCents: centsOf(line.price),
        p1Id: line.p1_id ?? null,
        productId: line.product_id ?? null,
        ...(line.co_payment && { isCoPayment: true }),
      }),
    );
}

/** A line of an order request as staff have changed it. */
export const editedLineSchema = lineSchemaOf('quantity', {
  name: 'Product name. This or p1_id is needed.',
  alias: 'Alias of p1_id.',
  missing: 'Send name or p1_id.',
}).meta({ id: 'EditedLine', description: 'A line as staff changed it.' });

/** A line in an upsert. Only there, the pieces are called `qty` (contract 5.4). */
const upsertedLineSchema = lineSchemaOf('qty', {
  name: 'Product name.',
  alias: 'Alias for a product id.',
  missing: 'Send at least one of name, p1_id, product_id.',
});

export const orderUpsertSchema = z
  .strictObject({
    shop_id: shopIdSchema,
    external_id: textOf(200).normalize('NFC').describe('Your own id of the order, unique within the shop.'),
    source: textOf(100).optional().describe('The program that sends it; `api` when missing.'),
    customer_id: text(TEXT_MAX, 'Existing customer id in the service.'),
    ...person,
    customer_name: text(TEXT_MAX, 'Full name. This or customer_email is needed.'),
    shipping_option,
    cash_on_pickup: z.boolean().nullish().describe('Whether it is paid at pickup; true when missing.'),
    payment_status: z
      .enum(['cash_on_pickup', 'paid', 'pending'])
      .nullish()
      .describe('Takes precedence over cash_on_pickup.'),
    payment_reference,
    fee_amount,
    discount_amount,
    items: z
      .array(upsertedLineSchema)
      .min(1)
      .max(LINES_MAX)
      .describe('The lines. Each needs one of name, p1_id, product_id.'),
  })
  .refine(
    ({ customer_name, customer_email }) => Boolean(customer_name || customer_email),
    fault('customer_required', 'Send customer_name or customer_email, or both.'),
  )
  .meta(refusing(hasNone('customer_name', 'customer_email')))
  .transform(
    (body): OrderUpsert => ({
      // SAFETY: each value was checked under the wire name of its field.
      ...(fromBody(ordersFields, { ...NOTHING_SENT, ...body }) as Omit<OrderUpsert, 'items'>),
      source: body.source ?? 'api',
      customerId: body.customer_id ?? null,
      paymentStatus: body.payment_status ?? ((body.cash_on_pickup ?? true) ? 'cash_on_pickup' : 'pending'),
      items: body.items,
    }),
  );

// SAFETY: the keys of FLAGS.
const FLAG_NAMES = Object.keys(FLAGS) as (keyof typeof FLAGS)[];

/** JSON schemas of bodies that have a flag twice, with different values. */
const DIFFERING_FLAGS = FLAG_NAMES.flatMap((flag) =>
  [true, false].map((value) => all(has(flag, value), has('flags', has(flag, !value)))),
);

export const orderPatchSchema = notEmpty(
  z.strictObject({
    status: z
      .enum(ORDER_STATUSES)
      .optional()
      .describe('The next step; an answer 409 lists the steps that are possible in `allowed`.'),
    reason_code: z.enum(REASON_CODES).optional().describe('Why it is cancelled; required for a cancellation.'),
    note,
    ...FLAGS,
    flags: notEmpty(z.strictObject(FLAGS), 'Send at least one flag, or leave flags out.')
      .optional()
      .describe('The flags as GET gives them; one that is sent beside it, too, must be the same.'),
    ...patched,
    batches: z
      .array(
        z.strictObject({
          line: z.int().min(0).max(LINES_MAX).describe('Its place, from 0.'),
          batch: textOf(BATCH_MAX).nullable().describe('The batch (Charge); null: none.'),
          quantity: z.int().min(1).max(QUANTITY_MAX).optional().describe('Missing: the rest of the line.'),
        }),
      )
      .max(BATCHES_MAX)
      .optional()
      .describe('What was packed; it replaces the batches of the same lines.'),
    override_reason: text(TEXT_MAX, 'Why it goes so although `shipping_blocked` speaks against it; kept as a note.'),
    cash_received: z
      .boolean()
      .optional()
      .describe('Only with status picked_up: true marks an unpaid order as paid (order_marked_paid).'),
  }),
)
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
    ({ status, reason_code, override_reason, cash_received, batches, flags, ...body }): OrderPatch => ({
      status,
      reasonCode: reason_code,
      overrideReason: override_reason ?? undefined,
      // SAFETY: each value was checked under the wire name of its field.
      ...(fromBody(ordersFields, { ...body, ...flags }) as OrderPatch),
      cashReceived: cash_received,
      batches,
    }),
  );

/** Adds limits to the JSON schema of an amount, because Zod leaves out what `refine` checks. */
function aboveZero({ jsonSchema }: { jsonSchema: { minimum?: number; maximum?: number } }) {
  Object.assign(jsonSchema, { minimum: toEur(1), maximum: toEur(AMOUNT_CENTS_MAX) });
}

export const refundSchema = z
  .strictObject({
    amount: priceSchema
      .refine((amount) => amount !== 0, fault('too_small', 'Send an amount above 0.'))
      .meta({ override: aboveZero })
      .optional()
      .describe('EUR; when missing, everything that is not refunded yet.'),
    reason_code: z.enum(REASON_CODES).describe('Why the money was given back.'),
    note: text(1000, 'Note of staff.'),
  })
  .transform(
    (body): Refund => ({
      amountCents: body.amount === undefined ? null : centsOf(body.amount),
      reasonCode: body.reason_code,
      note: body.note ?? null,
    }),
  );
