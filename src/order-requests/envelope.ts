import { z } from 'zod';
import { toCents } from '../platform/money';

/** The order request envelope (SPEC, Resources), as an integrator may send it. */
export const ITEMS_MAX = 100;
const QUANTITY_MAX = 9999;
const REFERENCE_MAX = 200;
const SOURCE_MAX = 100;
const TEXT_MAX = 200;
const URL_MAX = 2048;

const LINE_BREAK = /[\t\n\r]/;

/** One line of text: trimmed; blank and null count as missing. */
function line(max: number) {
  return z.preprocess(
    (value) => (typeof value === 'string' ? value.trim() || undefined : (value ?? undefined)),
    z
      .string()
      .max(max)
      .refine((text) => !LINE_BREAK.test(text), fault('control_character', 'Remove tabs and line breaks.'))
      .optional(),
  );
}

function money() {
  return z
    .number()
    .nonnegative()
    .transform((amount, issues) => {
      const cents = toCents(amount);
      if (cents === null) {
        issues.addIssue({
          code: 'custom',
          ...fault('invalid_amount', 'Send EUR with at most two decimals, up to 10 million.'),
        });
        return z.NEVER;
      }
      return cents;
    });
}

/** Null counts as missing. */
function orMissing<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => value ?? undefined, schema.optional());
}

function fault(code: string, message: string) {
  return { params: { code }, message };
}

const itemSchema = z
  .looseObject({
    name: line(TEXT_MAX),
    quantity: z.int().min(1).max(QUANTITY_MAX),
    price: money(),
    p1_id: line(TEXT_MAX),
    product_id: line(TEXT_MAX),
  })
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
    }),
  );

/** One submitted line, normalised. */
export interface RequestItem {
  name: string | null;
  quantity: number;
  priceCents: number;
  p1Id: string | null;
  productId: string | null;
}

/** Says "use quantity" where an integrator knows the order upsert's `qty`. */
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

const payloadSchema = z
  .looseObject({
    customer_name: line(TEXT_MAX),
    customer_email: line(TEXT_MAX).pipe(z.email({ pattern: z.regexes.unicodeEmail }).optional()),
    customer_id: line(TEXT_MAX),
    address_street: line(TEXT_MAX),
    address_city: line(TEXT_MAX),
    address_postal_code: line(TEXT_MAX),
    address_phone: line(TEXT_MAX),
    shipping_option: line(TEXT_MAX),
    cash_on_pickup: orMissing(z.boolean()),
    payment_status: line(TEXT_MAX).pipe(z.enum(PAYMENT_STATUSES).optional()),
    payment_reference: line(TEXT_MAX),
    total_amount: orMissing(money()),
    // Neither trimmed nor capped here: pdf.ts says exactly what is wrong with it.
    prescription_pdf_base64: orMissing(z.string()),
    prescription_pdf_url: line(URL_MAX),
    items: orMissing(z.array(itemWithHint).max(ITEMS_MAX)),
  })
  .superRefine((payload, issues) => {
    if (!payload.customer_name && !payload.customer_email) {
      issues.addIssue({
        code: 'custom',
        ...fault('customer_required', 'Send customer_name or customer_email, or both.'),
      });
    }
    const hasPrescription = Boolean(payload.prescription_pdf_base64?.trim() || payload.prescription_pdf_url);
    if (!payload.items?.length && !hasPrescription) {
      issues.addIssue({
        code: 'custom',
        path: ['items'],
        ...fault('items_required', 'Send items, or a prescription in prescription_pdf_base64 or prescription_pdf_url.'),
      });
    }
  });

export const envelopeSchema = z.looseObject({
  external_reference: line(REFERENCE_MAX),
  source: line(SOURCE_MAX),
  // Not part of the contract; refused when they disagree with the shop's address (SPEC, rule 4).
  org_id: line(TEXT_MAX),
  shop_id: line(TEXT_MAX),
  payload: payloadSchema,
});

export type Envelope = z.infer<typeof envelopeSchema>;
