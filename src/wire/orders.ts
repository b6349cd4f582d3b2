import * as z from 'zod';
import { UNITS } from '../catalog/tables';
import { orderRequestsFields } from '../order-requests/fields';
import { orderRequests } from '../order-requests/tables';
import { ordersFields } from '../orders/fields';
import type { PaymentLink } from '../orders/payments/links';
import type { SuppliedBatch } from '../orders/read';
import { supplyOf } from '../orders/rules';
import type { Order } from '../orders/store';
import { type OrderLine, orders } from '../orders/tables';
import { readsPrescriptionsOf, withoutHealth } from '../platform/access';
import type { Context } from '../platform/context';
import { CHANGES } from '../signatures/result';
import { responder, responseShape } from './fields';
import {
  idSchema,
  objectOf,
  p1IdSchema,
  priceSchema,
  shopIdSchema,
  sumSchema,
  timestampSchema,
  wireAmount,
  wired,
} from './schemas';

const respondOrder = responder(ordersFields);

/**
 * Returns an order as JSON.
 * @param ctx the caller's context. Without the scope `prescriptions.read`, details about health are left out
 */
export function wireOrder(ctx: Pick<Context, 'actor'>, order: Order) {
  return respondOrder({
    ...order,
    platformDetails: detailsFor(ctx, order),
    itemsCents: order.totalCents - order.feeCents + order.discountCents,
    items: order.items.map((line, place) => wireLineOf(order, line, place)),
  });
}

/**
 * Returns a line of an order. If the order is supplied in parts, the line says how many packs left and how many follow.
 */
function wireLineOf(order: Order, line: OrderLine, place: number): z.input<typeof lineSchema> {
  if (order.supply === null) return wireLine(line);
  const { owed, expectedOn, supplied } = supplyOf(order, place);
  return {
    ...wireLine(line),
    supplied,
    later: owed > 0 && expectedOn !== null ? { quantity: owed, expected_on: expectedOn } : null,
  };
}

/** Returns the platform's details. Those about health are left out unless the caller may read prescriptions. */
export function detailsFor(
  ctx: Pick<Context, 'actor'>,
  { shopId, platformDetails }: Pick<Order, 'shopId' | 'platformDetails'>,
) {
  return readsPrescriptionsOf(ctx, shopId) ? platformDetails : withoutHealth(platformDetails);
}

export function wireLine(line: OrderLine): z.input<typeof lineSchema> {
  return {
    name: line.name,
    quantity: line.quantity,
    // Named `qty` in the order upsert (contract 5.4).
    qty: line.quantity,
    price: wireAmount(line.priceCents),
    unit: line.unit ?? 'piece',
    p1_id: line.p1Id,
    prescription_required: line.prescriptionRequired,
    product_name: line.productName,
    batches: (line.batches ?? []).map(({ batch, quantity, expiresOn = null }) => {
      return { batch, expires_on: expiresOn, quantity };
    }),
    ...(line.isCoPayment && { co_payment: true as const }),
  };
}

export function wireSuppliedBatch(supplied: SuppliedBatch): z.input<typeof suppliedBatchSchema> {
  const { order, item, expiresOn = null, left } = supplied;
  const what = { expiresOn, unit: item.unit ?? 'piece', productName: item.productName ?? item.name };
  const { id: orderId, number: orderNumber, customerEmail, addressPhone } = order;
  const whose = { orderId, orderNumber, customerEmail, addressPhone };
  return wired(suppliedBatchSchema, { ...supplied, ...what, hasLeft: left === true, ...whose });
}

export function wirePaymentLink(link: PaymentLink): z.input<typeof paymentLinkSchema> {
  return wired(paymentLinkSchema, { ...link, paymentLinkId: link.id, amount: wireAmount(link.amountCents) });
}

/** Schemas of responses about order requests, orders and prescriptions. */

const text = z.string().nullable();
/** Returns the schema of a text or null, with its description. */
const said = (description: string, example?: string) => text.meta({ description, ...(example && { example }) });

export const deletedSchema = objectOf('Deleted', 'A completed deletion.', {
  id: idSchema.describe('Id of what was deleted.'),
  deleted: z.literal(true).describe('Always true.'),
});

const noticeFields = {
  code: z.string().meta({ description: 'Stable code for programs to switch on.', example: 'unmatched_item' }),
  message: z.string().describe('What the problem is.'),
  pointer: z.string().optional().meta({ description: 'Where: JSON Pointer (RFC 6901).', example: '/payload/items/0' }),
};
export const noticeSchema = z.looseObject(noticeFields).meta({
  id: 'Notice',
  description: 'Something that staff should know before they decide; some codes have additional members.',
});

export const decisionSchema = objectOf('Decision', 'A request after its review.', {
  id: idSchema.describe('The request.'),
  status: z.enum(['pending', 'approved', 'rejected']).describe('Its status now.'),
  order_id: idSchema.nullable().describe('The order that an approved request became.'),
  warnings: z
    .array(noticeSchema)
    .optional()
    .describe(
      'Of an approval: how lines differ from what was asked for, where staff would have had to acknowledge it.',
    ),
});

export const requestStatusSchema = z
  .enum(['pending', 'approved', 'rejected', 'deleted'])
  .describe('Status of the request.');

export const blockerSchema = z
  .looseObject({
    ...noticeFields,
    overridable: z.boolean().describe('Whether `override_reason` allows approval in spite of it.'),
    p1_id: p1IdSchema.optional().describe('The product that it is about.'),
    rule: z
      .looseObject({
        category: z.string().describe('Of the products that it is about.'),
        shipping: said('Abholung, bote, versand, or null for any.'),
        from: said('Its first day.'),
        to: said('Its last day.'),
        effect: z.string().describe('blocks, or warns.'),
        text: z.string().describe('What the pharmacy says.'),
      })
      .optional()
      .describe('Of `rule_blocks`: the rule of the pharmacy.'),
    requested: z.int().optional().describe('Pieces that the lines need.'),
    stock_quantity: z.int().optional().describe('Pieces in stock.'),
    covered: z.int().optional().describe('Pieces that the approved prescriptions cover.'),
    prescription_id: idSchema.optional().describe('The prescription that it is about.'),
    sub_indication: z
      .string()
      .nullish()
      .describe('Of `signature_failed` and `signature_unconfirmed`: as in its `signature_report`.'),
    issued_on: z.string().optional().describe('The day that it bears.'),
    question_id: idSchema.optional().describe('Of `question_open`: the question without an answer.'),
    others: z
      .array(
        z.object({
          order_request_id: idSchema.describe('The other request.'),
          status: requestStatusSchema,
          created_at: timestampSchema.describe('When it came.'),
          order_id: idSchema.nullable().describe('The order that it became.'),
          order_number: z.int().nullable().describe('The number of that order.'),
        }),
      )
      .optional()
      .describe(
        'Of `prescription_redeemed`: other requests with the same PDF or signature, newest first, at most 20. It stops the later request; otherwise it is a warning.',
      ),
  })
  .meta({ id: 'Blocker', description: 'Something that keeps a request from being approved.' });

export const prescriptionStatusSchema = z
  .enum(['fetching', 'stored', 'fetch_failed', 'approved', 'set_aside', 'erased'])
  .describe('Status; only a stored PDF can be approved. One set aside does not belong to the request.');

export const orderRequestAnswerSchema = objectOf('OrderRequestAnswer', 'The response to a submitted order request.', {
  id: idSchema.describe('Request id; keep it for support and reconciliation.'),
  status: requestStatusSchema.describe('pending; for a repeated submission, the current status.'),
  message: z.string().describe('Confirmation as text, by the status.'),
  external_reference: said('The reference exactly as it was sent.', 'RX-2026-0001'),
  warnings: z.array(noticeSchema).describe('Warnings for staff; the request was accepted nevertheless.'),
  reserved_until: timestampSchema
    .nullish()
    .describe('Until when its stock is reserved; null: nothing is. Only where the key and the shop reserve.'),
  items: z
    .array(
      z.object({
        p1_id: p1IdSchema.nullable().describe('The product; null: the item names none of the pharmacy.'),
        quantity: z.int().meta({ description: 'As it was sent.', example: 5 }),
        reserved_quantity: z.int().min(0).meta({ description: 'As many of them are reserved now.', example: 5 }),
        reserved_until: timestampSchema.nullable().describe('Until when; null: none is.'),
      }),
    )
    .optional()
    .describe('What is reserved of each item, in their order. Only where the key and the shop reserve.'),
});

export const prescriptionSchema = objectOf('Prescription', 'A prescription; its PDF: `getPrescriptionFile`.', {
  id: idSchema.describe('Prescription id.'),
  status: prescriptionStatusSchema,
  origin: z.enum(['base64', 'url', 'staff']).describe('Where the PDF came from: the body, a link, or staff.'),
  index: z.int().nullable().describe('Its index in `prescriptions` of the request; null for others.'),
  reference: said("The platform's reference of it."),
});

const indications = ['passed', 'failed', 'indeterminate'] as const;
const subIndication = said(
  'Why it is not passed: a sub-indication of ETSI EN 319 102-1.',
  'NO_CERTIFICATE_CHAIN_FOUND',
);

const checkedSignatureSchema = z.object({
  kind: z.enum(['signature', 'seal', 'timestamp']).describe('A seal is that of an organization.'),
  status: z.enum(indications).describe('Of this signature alone.'),
  sub_indication: subIndication,
  signer: said('Whom the certificate names; a pseudonym is marked as one.', 'Erika Mustermann'),
  profession: said('The profession that the certificate attests; null if it says none.', 'Ärztin/Arzt'),
  issuer: said('Who issued the certificate.'),
  algorithm: said('Its key: rsa with its bits, or ec with its curve.', 'rsa:2048'),
  weaknesses: z
    .array(z.enum(['sha1', 'rsa_short']))
    .describe('What is no longer strong enough: SHA-1, RSA below 2,048 bits.'),
  signed_at: timestampSchema.nullable().describe('By its time stamp, else as the signer claims.'),
  qualification: z
    .enum(['qualified', 'qualified_certificate', 'advanced', 'seal', 'not_listed'])
    .describe('By the trusted lists: qualified needs a qualified certificate and device.'),
  revocation: z
    .enum(['good', 'revoked', 'not_checked', 'not_applicable'])
    .describe('Whether its certificate was revoked.'),
  signed_bytes: z.int().nullable().describe('How many bytes of the PDF, from its beginning, were signed.'),
});

const signatureReportSchema = z
  .object({
    status: z
      .enum([...indications, 'none'])
      .describe(
        'none: the PDF has no signature; failed: a signature does not fit the PDF; else that of the signature that counts.',
      ),
    sub_indication: subIndication,
    later_changes: z
      .enum(CHANGES)
      .describe('What came after the signature that counts; other: what is shown may differ from it.'),
    signatures: z.array(checkedSignatureSchema).describe('In the order in which they were made.'),
    checked_at: timestampSchema.describe('When it was checked.'),
  })
  .nullable()
  .meta({
    id: 'SignatureReport',
    description:
      'What the check of the signatures in the PDF found; null until it ends, within 20 seconds. See `/docs`.',
  });

export const prescriptionDetailSchema = prescriptionSchema
  .extend({
    shop_id: shopIdSchema.nullable().describe('The shop whose request or order it belongs to.'),
    order_request_id: idSchema.nullable().describe('The request that it came with.'),
    order_id: idSchema.nullable().describe('The order for which staff filed it; null for one of a request.'),
    created_at: timestampSchema.describe('When it was filed.'),
    sha256: said('SHA-256 of the PDF, hex; null while there is none.'),
    size_bytes: z.int().nullable().describe('Size of the PDF.'),
    file_fault: said('Why a viewer cannot show the PDF: truncated, empty or locked; null if nothing is known.'),
    issued_on: z.iso.date().nullable().describe('The day that it bears, where staff recorded it.'),
    approved_at: timestampSchema.nullable().describe('When it was approved.'),
    approved_lines: z
      .array(z.object({ p1_id: p1IdSchema, quantity: z.int().describe('Pieces.') }))
      .nullable()
      .describe('The products and quantities that the approval covers.'),
    signature: z
      .object({
        provider: z.string().describe('Who made it.'),
        signature_reference: said("The provider's id; null once erased."),
        signed_at: timestampSchema.describe('When it was made.'),
      })
      .nullable()
      .describe('A qualified signature as a program reported it; nobody here has checked it.'),
    signature_report: signatureReportSchema,
  })
  .meta({ id: 'PrescriptionDetail', description: 'A prescription with what is known of its file and its approval.' });

const batchOf = {
  batch: z.string().describe('The batch (Charge).'),
  expires_on: said('Its last day of use, where its code says it.'),
};
const lineBatchSchema = objectOf('LineBatch', 'A batch in a line.', {
  ...batchOf,
  quantity: z.int().describe('How much.'),
});

const lineSchema = objectOf('OrderLine', 'A line of an order.', {
  name: z.string().describe('Product name, as submitted.'),
  quantity: z.int().describe('Pieces.'),
  qty: z.int().describe('The same as quantity: the name that POST /orders takes.'),
  price: priceSchema.describe('Unit price in EUR.'),
  unit: z.enum(UNITS).describe('What quantity and price are of.'),
  p1_id: said('Catalog product id; null when no product matches.'),
  prescription_required: z.boolean().describe('Whether the order needs an approved prescription.'),
  product_name: said('Name of the product that the line is matched to; name is as submitted.'),
  batches: z.array(lineBatchSchema).describe('Its batches.'),
  co_payment: z
    .literal(true)
    .optional()
    .describe("Present where the price is the customer's co-payment for what an insurance pays."),
  supplied: z.int().optional().describe('Only where the order is supplied in parts: pieces that have left.'),
  later: z
    .object({
      quantity: z.int().describe('Pieces.'),
      expected_on: z.iso.date().describe('When they are expected.'),
    })
    .nullish()
    .describe('Only where the order is supplied in parts: what is still to come.'),
});

const submittedItem = z.object({
  name: said('Product name.'),
  quantity: z.int().describe('As sent.'),
  price: priceSchema.describe('Unit price in EUR.'),
  p1_id: said('Product id.'),
  product_id: said('Alias for a product id.'),
  prescription: z.int().nullable().describe('Index of its prescription.'),
  reserved_quantity: z.int().describe('Reserved now.'),
});

const SENT_IN_LINES = ['name', 'quantity', 'price', 'p1_id', 'qty', 'co_payment'];

/**
 * The fields of a line that responses have and requests cannot change. A client may send them back as it received them.
 * They are then ignored.
 */
export const readOnlyLineFields = Object.fromEntries(
  Object.entries(lineSchema.shape)
    .filter(([name]) => !SENT_IN_LINES.includes(name))
    .map(([name, schema]) => [name, schema.optional().describe('Of GET; ignored here.')]),
);

const platformDetailsSchema = z.record(z.string(), z.string()).nullable();

export const orderRequestSchema = objectOf(
  'OrderRequest',
  'An order request with its review.',
  responseShape(orderRequests, orderRequestsFields, {
    id: idSchema,
    shop_id: shopIdSchema,
    items: z.array(submittedItem),
    lines: z.array(lineSchema),
    total_amount: priceSchema.nullable(),
    fee_amount: priceSchema.nullable(),
    discount_amount: priceSchema.nullable(),
    warnings: z.array(noticeSchema),
    blockers: z.array(blockerSchema),
    prescriptions: z.array(prescriptionSchema),
    reserved_until: timestampSchema.nullable(),
    platform_details: platformDetailsSchema,
  }),
);

export const orderSchema = objectOf(
  'Order',
  'An order.',
  responseShape(
    orders,
    ordersFields,
    {
      id: idSchema,
      shop_id: shopIdSchema,
      items: z.array(lineSchema),
      items_amount: sumSchema,
      fee_amount: sumSchema,
      discount_amount: sumSchema,
      total_amount: sumSchema,
      refunded_amount: sumSchema,
      payment_difference: z.number().nullable(),
      platform_details: platformDetailsSchema,
    },
    {
      flags: 'Flags beside the status.',
      customer: 'Who ordered; all null once erased.',
      address: 'Delivery address.',
      totals: 'Sums.',
    },
  ),
);

export const suppliedBatchSchema = objectOf('SuppliedBatch', 'A batch in an order.', {
  ...batchOf,
  quantity: z.int().describe('How many of `unit`.'),
  unit: z.string().describe('As of the line.'),
  has_left: z.boolean().describe('Whether it has left.'),
  order_id: z.string().describe('The order.'),
  order_number: z.int().describe('Its number.'),
  line: z.int().describe('From 0.'),
  product_name: z.string().describe('What was packed.'),
  customer_name: said('Who got it.'),
  customer_email: said('E-mail address.'),
  address_phone: said('Phone number.'),
  prescriber_name: said('Who prescribed.'),
});

export const paymentLinkSchema = objectOf('PaymentLink', 'A page with a GiroCode on which a customer pays.', {
  payment_link_id: idSchema.describe('The link.'),
  url: z.url().describe("A page on the shop's own host."),
  amount: sumSchema.describe('What is to be paid, in EUR.'),
  expires_at: timestampSchema.describe('Until when it can be used.'),
});
