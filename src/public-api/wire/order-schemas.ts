import * as z from 'zod';
import { ORDER_PAYMENT_STATUSES, ORDER_STATUSES } from '../../orders/service';
import { idSchema, p1IdSchema, priceSchema, shopIdSchema, sumSchema, timestampSchema } from './schemas';

/** Schemas of responses about order requests, orders and prescriptions. */

const text = z.string().nullable();
/** A text or null, with its description. */
const said = (description: string, example?: string) => text.meta({ description, ...(example && { example }) });

export const deletedSchema = z
  .object({
    id: idSchema.meta({ description: 'Id of what was deleted.' }),
    deleted: z.literal(true).meta({ description: 'Always true.' }),
  })
  .meta({ id: 'Deleted', description: 'A completed deletion.' });

export const decisionSchema = z
  .object({
    id: idSchema.meta({ description: 'The request.' }),
    status: z.enum(['pending', 'approved', 'rejected']).meta({ description: 'Its status now.' }),
    order_id: idSchema.nullable().meta({ description: 'The order that an approved request became.' }),
  })
  .meta({ id: 'Decision', description: 'A request after its review.' });

const noticeFields = {
  code: z.string().meta({ description: 'Stable code for programs to switch on.', example: 'unmatched_item' }),
  message: z.string().meta({ description: 'What the problem is.' }),
  pointer: z.string().optional().meta({ description: 'Where: JSON Pointer (RFC 6901).', example: '/payload/items/0' }),
};
export const noticeSchema = z.looseObject(noticeFields).meta({
  id: 'Notice',
  description: 'Something that staff should know before they decide; some codes have additional members.',
});

export const blockerSchema = z
  .looseObject({
    ...noticeFields,
    overridable: z.boolean().meta({ description: 'Whether `override_reason` allows approval in spite of it.' }),
    p1_id: p1IdSchema.optional().meta({ description: 'The product whose stock is too low, or that is not covered.' }),
    requested: z.int().optional().meta({ description: 'Pieces that the lines need.' }),
    stock_quantity: z.int().optional().meta({ description: 'Pieces in stock.' }),
    covered: z.int().optional().meta({ description: 'Pieces that the approved prescriptions cover.' }),
  })
  .meta({ id: 'Blocker', description: 'Something that keeps a request from being approved.' });

export const requestStatusSchema = z
  .enum(['pending', 'approved', 'rejected', 'deleted'])
  .meta({ description: 'Status of the request.' });

export const prescriptionStatusSchema = z
  .enum(['fetching', 'stored', 'fetch_failed', 'approved', 'erased'])
  .meta({ description: 'Status of the prescription; only a stored PDF can be approved.' });

export const orderRequestAnswerSchema = z
  .object({
    id: z.uuid().meta({ description: 'Request id; keep it for support and reconciliation.' }),
    status: z
      .enum(['pending', 'approved', 'rejected', 'deleted'])
      .meta({ description: 'pending; for a repeated submission, the current status.' }),
    message: z.string().meta({ description: 'Confirmation as text, by the status.' }),
    external_reference: said('The reference exactly as it was sent.', 'RX-2026-0001'),
    warnings: z.array(noticeSchema).meta({ description: 'Warnings for staff; the request was accepted nevertheless.' }),
  })
  .meta({ id: 'OrderRequestAnswer', description: 'The response to a submitted order request.' });

export const prescriptionSchema = z
  .object({
    id: idSchema.meta({ description: 'Prescription id.' }),
    status: prescriptionStatusSchema,
    origin: z
      .enum(['base64', 'url', 'staff'])
      .meta({ description: 'Where the PDF came from: the body, a link, or staff.' }),
  })
  .meta({ id: 'Prescription', description: 'A prescription; its PDF is shown in the management interface.' });

export const lineSchema = z
  .object({
    name: z.string().meta({ description: 'Product name, as submitted.' }),
    quantity: z.int().meta({ description: 'Pieces.' }),
    qty: z.int().meta({ description: 'The same as quantity: the name that POST /orders takes.' }),
    price: priceSchema.meta({ description: 'Unit price in EUR.' }),
    p1_id: said('Catalog product id; null when no product matches.'),
    prescription_required: z.boolean().meta({ description: 'Whether the order needs an approved prescription.' }),
    product_name: said('Name of the product that the line is matched to; name is as submitted.'),
  })
  .meta({ id: 'OrderLine', description: 'A line of an order.' });

const submittedItem = z.object({
  name: said('Product name.'),
  quantity: z.int().meta({ description: 'Pieces.' }),
  price: priceSchema.meta({ description: 'Unit price in EUR.' }),
  p1_id: said('Catalog product id.'),
  product_id: said('Alias for a product id.'),
});

const address = {
  address_street: said('Street and number.'),
  address_city: said('City.'),
  address_postal_code: said('Postal code.'),
  address_phone: said('Phone number.'),
};

/**
 * Members of a line that responses contain and requests cannot change: a client may send them back as it received them,
 * and they are ignored.
 */
export function readOnlyLineFields(taken: readonly (keyof typeof lineSchema.shape)[]) {
  const told = Object.entries(lineSchema.shape).filter(([name]) => !taken.some((each) => each === name));
  return Object.fromEntries(
    told.map(([name, schema]) => [name, schema.optional().meta({ description: 'Returned by GET; ignored here.' })]),
  );
}

export const orderRequestSchema = z
  .object({
    id: idSchema.meta({ description: 'Request id.' }),
    status: requestStatusSchema,
    shop_id: shopIdSchema,
    source: z.string().meta({ description: 'The platform that sent it.', example: 'telemed.example' }),
    external_reference: said("The caller's reference.", 'RX-2026-0001'),
    created_at: timestampSchema.meta({ description: 'When it was received.' }),
    items: z.array(submittedItem).meta({ description: 'As submitted.' }),
    lines: z.array(lineSchema).meta({ description: 'As matched to products, or as approved.' }),
    customer_name: said('Full name.'),
    customer_email: said('E-mail address.'),
    customer_id: said('Customer id in the service, as submitted.'),
    ...address,
    shipping_option: said('How the customer wants to get it.', 'Abholung'),
    payment_status: z.enum(['cash_on_pickup', 'paid', 'pending']).meta({ description: 'As submitted.' }),
    payment_reference: said('Payment transaction id.'),
    total_amount: priceSchema.nullable().meta({ description: 'Order total in EUR, as submitted.' }),
    warnings: z.array(noticeSchema).meta({ description: 'What staff should know.' }),
    blockers: z.array(blockerSchema).meta({ description: 'What prevents approval; empty once decided.' }),
    prescriptions: z.array(prescriptionSchema).meta({ description: 'The prescriptions that belong to it.' }),
    needs_info: z.boolean().meta({ description: 'Whether staff wait for information.' }),
    needs_info_note: said('What staff wait for.'),
    reason_code: said('Why it was rejected.'),
    decided_by: said('Key or member who decided.'),
    decided_at: timestampSchema.nullable().meta({ description: 'When it was decided.' }),
    supersedes_id: said('The earlier, rejected request with the same reference.'),
    order_id: said('The order that it became.'),
  })
  .meta({ id: 'OrderRequest', description: 'An order request with its review.' });

export const orderSchema = z
  .object({
    id: idSchema.meta({ description: 'Order id.' }),
    external_id: said('Your own id of the order.', 'SHOP-1001'),
    status: z.enum(ORDER_STATUSES).meta({ description: 'Status of the order; GET /order-statuses lists the steps.' }),
    payment_status: z.enum(ORDER_PAYMENT_STATUSES).meta({ description: 'How it is paid.' }),
    payment_reference: said('Payment transaction id.', 'TX-4711'),
    flags: z
      .object({
        on_hold: z.boolean().meta({ description: 'Whether staff have put it on hold.' }),
        express: z.boolean().meta({ description: 'To be handled first.' }),
        archived: z.boolean().meta({ description: 'Hidden from the daily lists.' }),
      })
      .meta({ description: 'Flags beside the status.' }),
    hold_reason: said('Why it is on hold.'),
    cancel_reason_code: said('Why it was cancelled.'),
    shop_id: shopIdSchema,
    source: z.string().meta({ description: 'The platform or program that it came from.' }),
    external_reference: said('Reference of the order request.'),
    order_request_id: said('The request that became this order.'),
    shipping_option: said('How the customer gets it.', 'Abholung'),
    items: z.array(lineSchema).meta({ description: 'The lines.' }),
    customer: z
      .object({ id: said('Customer id.'), name: said('Full name.'), email: said('E-mail address.') })
      .meta({ description: 'Who ordered; all null once erased.' }),
    address: z
      .object({
        street: said('Street and number.'),
        city: said('City.'),
        postal_code: said('Postal code.'),
        phone: said('Phone number.'),
      })
      .meta({ description: 'Delivery address.' }),
    totals: z
      .object({ total_amount: sumSchema.meta({ description: 'Sum of the lines in EUR.' }) })
      .meta({ description: 'Sums.' }),
    refunded_amount: sumSchema.meta({ description: 'Sum of all refunds, in EUR.' }),
    note: said('Note of staff.'),
    created_at: timestampSchema.meta({ description: 'When it was created.' }),
    updated_at: timestampSchema.meta({ description: 'When it was last changed.' }),
    paid_at: timestampSchema.nullable().meta({ description: 'When it was marked as paid.' }),
  })
  .meta({ id: 'Order', description: 'An order.' });

export const paymentLinkSchema = z
  .object({
    payment_link_id: idSchema.meta({ description: 'The link.' }),
    url: z.url().meta({ description: "A page on the shop's own host." }),
    amount: sumSchema.meta({ description: 'What is to be paid, in EUR.' }),
    expires_at: timestampSchema.meta({ description: 'Until when it can be used.' }),
  })
  .meta({ id: 'PaymentLink', description: 'A page with a GiroCode on which a customer pays.' });
