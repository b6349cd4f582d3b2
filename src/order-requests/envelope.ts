import * as z from 'zod';
import type { RequestedLine } from '../orders/create';
import { LINES_MAX, QUANTITY_MAX, REFERENCE_MAX, SOURCE_MAX, TEXT_MAX } from '../orders/limits';
import { totalOf } from '../orders/rules';
import { fault, hasNone, mailbox, refusing } from '../platform/http/validation';
import { AMOUNT_CENTS_MAX, PDF_BYTES_MAX, PRESCRIPTION_URL_LENGTH_MAX } from '../platform/limits';
import { toCents, toEur, toUnitCents } from '../platform/money';
import { readDay } from '../platform/pharmacy-time';
import { PRESCRIPTIONS_MAX, ROUNDING_CENTS } from './limits';

const LINE_BREAK = /[\t\n\r]/;
/** Pattern of one line of text in the OpenAPI document: no control characters (platform/http/json.ts refuses them). */
const LINE_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';
const AMOUNT_MAX = toEur(AMOUNT_CENTS_MAX);

/** One line of text: trimmed; blank and null count as missing. */
function line(max: number, description: string) {
  return trimmed(oneLine(max), description, { maxLength: max });
}

/** One line of text that also passes `inner`. @param documented the limits of `inner`, written as JSON Schema */
function textLine<T extends z.ZodType<string, string>>(
  max: number,
  description: string,
  inner: T,
  documented: Record<string, unknown> = {},
) {
  return trimmed(oneLine(max).pipe(inner), description, { maxLength: max, ...documented });
}

/** One line of text that some platforms send as a number. An integer becomes its digits. */
function code(description: string) {
  const digits = (value: unknown) => (Number.isSafeInteger(value) ? String(value) : value);
  const described = `${description} An integer is taken as its digits.`;
  const documented: Record<string, unknown> = documentedText(described);
  return z.preprocess(digits, line(TEXT_MAX, described)).optional().meta({ override: documented });
}

function oneLine(max: number) {
  return z
    .string()
    .max(max)
    .refine((text) => !LINE_BREAK.test(text), fault('control_character', 'Remove tabs and line breaks.'));
}

function trimmed<T extends z.ZodType<string, string>>(
  schema: T,
  description: string,
  documented: Record<string, unknown>,
) {
  return (
    z
      .preprocess(
        (value) => (typeof value === 'string' ? value.trim() || undefined : (value ?? undefined)),
        schema.optional(),
      )
      // Most fields are missing. This second `optional` accepts a missing field quickly.
      .optional()
      .meta({ description, override: { type: ['string', 'null'], pattern: LINE_PATTERN, ...documented } })
  );
}

/** An amount in EUR, converted to cents. */
function money(description: string, convert = toCents, decimals = 'two') {
  return z
    .number()
    .nonnegative()
    .transform((amount, issues) => {
      const cents = convert(amount);
      if (cents !== null) return cents;
      issues.addIssue({
        code: 'custom',
        ...fault('invalid_amount', `Send EUR with at most ${decimals} decimals, up to 10 million.`),
      });
      return z.NEVER;
    })
    .meta({ description, override: { type: 'number', minimum: 0, maximum: AMOUNT_MAX } });
}

/** An optional member. Null counts as missing. */
function orMissing<T extends z.ZodType>(schema: T, documented: Record<string, unknown>) {
  return z
    .preprocess((value) => value ?? undefined, schema.optional())
    .optional()
    .meta({ override: documented });
}

/** An optional sum in EUR. */
function amount(description: string) {
  return orMissing(money(description), { type: ['number', 'null'], minimum: 0, maximum: AMOUNT_MAX, description });
}

/** JSON Schema of one optional line of text. */
function documentedText(description: string) {
  return { type: ['string', 'null'], maxLength: TEXT_MAX, pattern: LINE_PATTERN, description };
}

const itemFields = {
  name: line(TEXT_MAX, 'Product name.'),
  quantity: z.int().min(1).max(QUANTITY_MAX),
  price: money('Unit price in EUR.', toUnitCents, 'three'),
  p1_id: code('Product id.'),
  product_id: code('Alias for a product id.'),
  prescription: orMissing(z.int().min(0), {}),
};

const itemSchema = z
  .looseObject(itemFields)
  .superRefine((item, issues) => {
    if (item.name || item.p1_id || item.product_id) return;
    issues.addIssue({
      code: 'custom',
      ...fault('item_identity_required', 'Send at least one of name, p1_id, product_id.'),
    });
  })
  .transform(
    (item): RequestItem => ({
      name: item.name ?? null,
      quantity: item.quantity,
      priceCents: item.price,
      p1Id: item.p1_id ?? null,
      productId: item.product_id ?? null,
      ...(item.prescription !== undefined && { prescription: item.prescription }),
    }),
  );

/** One submitted line, normalized. */
export interface RequestItem extends RequestedLine {
  /** Index of the prescription for this line, in `prescriptions` of the body. */
  prescription?: number;
}

/** Returns the largest difference between a sent total and the sum of its items that rounding can explain, in cents. */
export function roundingOf(items: readonly RequestItem[]): number {
  return items.reduce((sum, { quantity }) => sum + ROUNDING_CENTS.piece * quantity + ROUNDING_CENTS.line, 0);
}

/** The members of an item that the contract defines. */
export const ITEM_MEMBERS: ReadonlySet<string> = new Set(Object.keys(itemFields));

/** Refuses an item that has `qty` but no `quantity`, and names the right member. `qty` belongs to the order upsert. */
const itemWithHint = z
  .unknown()
  .superRefine((item, issues) => {
    if (typeof item !== 'object' || item === null || !('qty' in item) || 'quantity' in item) return;
    issues.addIssue({
      code: 'custom',
      path: ['qty'],
      ...fault('use_quantity', 'Use quantity: qty belongs to the order upsert.'),
    });
  })
  .pipe(itemSchema);

export const PAYMENT_STATUSES = ['cash_on_pickup', 'paid', 'pending'] as const;

/** One entry of `prescriptions`: base64 or a URL. */
const listedPrescription = z.looseObject({
  pdf_base64: orMissing(z.string(), {}),
  pdf_url: line(PRESCRIPTION_URL_LENGTH_MAX, ''),
  reference: line(REFERENCE_MAX, ''),
});

/** The members that hold prescriptions. A prescription is sent as base64 or as a URL, either alone or in a list. */
export const prescriptionFields = {
  // The schema does not trim or limit this text, so that prescriptions/pdf.ts can report each fault of the base64.
  prescription_pdf_base64: orMissing(z.string(), {
    type: ['string', 'null'],
    contentEncoding: 'base64',
    contentMediaType: 'application/pdf',
    description: `The PDF in base64 without line breaks, ${PDF_BYTES_MAX / 1024 / 1024} MiB decoded at most.`,
  }),
  prescription_pdf_url: line(PRESCRIPTION_URL_LENGTH_MAX, 'HTTPS address of the PDF; it is fetched after the answer.'),
  prescriptions: orMissing(z.array(listedPrescription).max(PRESCRIPTIONS_MAX), {
    type: ['array', 'null'],
    maxItems: PRESCRIPTIONS_MAX,
    description: 'Several prescriptions, without prescription_pdf_base64 and prescription_pdf_url.',
    items: {
      type: 'object',
      description: 'Needs either pdf_base64 or pdf_url.',
      properties: {
        pdf_base64: { type: ['string', 'null'], description: 'As prescription_pdf_base64.' },
        pdf_url: {
          type: ['string', 'null'],
          maxLength: PRESCRIPTION_URL_LENGTH_MAX,
          pattern: LINE_PATTERN,
          description: 'As prescription_pdf_url.',
        },
        reference: {
          type: ['string', 'null'],
          maxLength: REFERENCE_MAX,
          pattern: LINE_PATTERN,
          description: 'Your reference of the prescription.',
        },
      },
    },
  }),
};

const payloadFields = z
  .looseObject({
    customer_name: line(TEXT_MAX, 'Full name. This or customer_email is needed.'),
    customer_email: trimmed(
      oneLine(TEXT_MAX),
      'E-mail address. Beside a name one that is none is kept as a text, with the warning `email_unusable`.',
      { maxLength: TEXT_MAX, example: 'erika@example.com' },
    ),
    customer_birth_date: textLine(
      10,
      'Date of birth, yyyy-mm-dd.',
      z.string().refine((day) => readDay(day) !== null, fault('invalid_date', 'Send the day as yyyy-mm-dd.')),
      { maxLength: 10, example: '1980-02-29' },
    ),
    prescriber_name: line(TEXT_MAX, 'Who prescribed.'),
    customer_id: line(TEXT_MAX, 'Existing customer id in the service.'),
    address_street: line(TEXT_MAX, 'Street and number.'),
    address_city: line(TEXT_MAX, 'City.'),
    address_postal_code: code('Postal code.'),
    address_phone: line(TEXT_MAX, 'Phone number.'),
    shipping_option: line(TEXT_MAX, "Abholung, Versand, Express, or the name of the shop's delivery service."),
    cash_on_pickup: orMissing(z.boolean(), {
      type: ['boolean', 'null'],
      description: 'Paid when it is collected. Default: `true`.',
    }),
    payment_status: textLine(
      TEXT_MAX,
      'Takes precedence over cash_on_pickup: cash_on_pickup, paid or pending.',
      z.enum(PAYMENT_STATUSES),
      { enum: [...PAYMENT_STATUSES, null] },
    ),
    payment_reference: line(TEXT_MAX, 'Payment transaction id.'),
    total_amount: amount('Order total in EUR.'),
    fee_amount: amount('Fee in EUR, such as shipping; without it, what total_amount has beyond the items.'),
    discount_amount: amount('Discount in EUR, such as a voucher that the platform pays.'),
    ...prescriptionFields,
    items: orMissing(z.array(itemWithHint).max(LINES_MAX), {
      type: ['array', 'null'],
      maxItems: LINES_MAX,
      description: 'Line items; needed unless a prescription is sent.',
      items: {
        type: 'object',
        required: ['quantity', 'price'],
        description: 'Needs one of name, p1_id, product_id.',
        not: hasNone('name', 'p1_id', 'product_id'),
        properties: {
          name: documentedText('Product name.'),
          quantity: { type: 'integer', minimum: 1, maximum: QUANTITY_MAX, description: 'Not qty.' },
          price: {
            type: 'number',
            minimum: 0,
            maximum: AMOUNT_MAX,
            description: 'Unit price in EUR; a third decimal is rounded to the cent.',
          },
          p1_id: documentedText('Product id.'),
          product_id: documentedText('Alias for a product id.'),
          prescription: {
            type: ['integer', 'null'],
            minimum: 0,
            description: 'Index in prescriptions, from 0, of the one that it stands on.',
          },
        },
      },
    }),
  })
  .superRefine((payload, issues) => {
    if (!payload.customer_name && !payload.customer_email) {
      issues.addIssue({
        code: 'custom',
        ...fault('customer_required', 'Send customer_name or customer_email, or both.'),
      });
    }
    const count = payload.prescriptions?.length ?? 0;
    for (const [index, { prescription }] of (payload.items ?? []).entries()) {
      if (prescription === undefined || prescription < count) continue;
      const path = ['items', index, 'prescription'];
      issues.addIssue({ code: 'custom', path, ...fault('too_big', 'Send the index of one of prescriptions, from 0.') });
    }
    const { items = [], fee_amount = 0, discount_amount = 0 } = payload;
    if (items.length > 0 && discount_amount > totalOf(items) + fee_amount + roundingOf(items)) {
      const most = fault('too_big', 'Allowed: at most what items and fee_amount come to.');
      issues.addIssue({ code: 'custom', path: ['discount_amount'], ...most });
    }
  })
  .refine(isReachable, {
    path: ['customer_email'],
    // Runs even if other members have faults, so that one answer names all of them.
    when: () => true,
    ...fault('invalid_format', 'Send an e-mail address, or a customer_name beside it.'),
  });

/**
 * Whether a payload has a name, or a `customer_email` that is an e-mail address. Also true if `customer_email` is
 * missing or is not a text, because other rules of the schema refuse that.
 */
function isReachable(payload: { customer_name?: string; customer_email?: string } | null | undefined): boolean {
  const { customer_name, customer_email } = payload ?? {};
  return Boolean(customer_name) || typeof customer_email !== 'string' || emailIn({ customer_email }) !== null;
}

/** The e-mail address of a payload; null if it is missing, or if the sent text is not an e-mail address. */
export function emailIn({ customer_email: sent }: { customer_email?: string }): string | null {
  return sent !== undefined && mailbox.safeParse(sent).success ? sent : null;
}

/** The members of a payload that the contract defines. */
export const PAYLOAD_MEMBERS: ReadonlySet<string> = new Set(Object.keys(payloadFields.shape));

const payloadSchema = payloadFields.superRefine((payload, issues) => {
  if (payload.items?.length || payload.prescriptions?.length) return;
  if (payload.prescription_pdf_base64?.trim() || payload.prescription_pdf_url) return;
  issues.addIssue({
    code: 'custom',
    path: ['items'],
    ...fault(
      'items_required',
      'Send items, or a prescription in prescription_pdf_base64, prescription_pdf_url or prescriptions.',
    ),
  });
});

/** The order request envelope (contract 5.2), as an integrator may send it. */
export const envelopeSchema = z.looseObject({
  external_reference: line(REFERENCE_MAX, "The caller's reference, for tracing and idempotency."),
  source: line(SOURCE_MAX, 'Platform identifier; `shop:<shop_id>` when missing.'),
  // Neither id is part of the contract. The intake refuses ids that are not the shop's own (contract 5.5, rule 4).
  org_id: line(TEXT_MAX, 'Leave it out: the address decides.'),
  shop_id: line(TEXT_MAX, 'Leave it out: the address decides.'),
  payload: payloadSchema.meta({
    id: 'OrderRequestPayload',
    description: 'Customer, items and prescription. Other fields are kept and not looked at.',
    ...refusing(
      hasNone('customer_name', 'customer_email'),
      hasNone('items', 'prescription_pdf_base64', 'prescription_pdf_url', 'prescriptions'),
    ),
  }),
});

export type Envelope = z.infer<typeof envelopeSchema>;

/**
 * Schema of a body from which the PDF was taken (`takePdfs`). It does not require items, because the body may have had
 * only a PDF.
 */
export const withoutPdfSchema = envelopeSchema.extend({ payload: payloadFields });
