import * as z from 'zod';
import { ORDER_PAYMENT_STATUSES, ORDER_STATUSES } from '../orders/service';
import { idSchema, priceSchema, shopIdSchema, timestampSchema } from './schemas';

/** Answers about order requests, orders and prescriptions. */
const text = z.string().nullable();

export const deletedSchema = z.object({ id: idSchema, deleted: z.literal(true) }).meta({ id: 'Deleted' });

export const decisionSchema = z
  .object({
    id: idSchema,
    status: z.enum(['pending', 'approved', 'rejected']),
    order_id: idSchema.nullable(),
  })
  .meta({ id: 'Decision' });

const noticeSchema = z
  .looseObject({ code: z.string(), message: z.string(), pointer: z.string().optional() })
  .meta({ id: 'Notice' });

export const orderRequestAnswerSchema = z
  .object({
    id: z.uuid().meta({ description: 'Request id; keep it for support and reconciliation.' }),
    status: z
      .enum(['pending', 'approved', 'rejected', 'deleted'])
      .meta({ description: 'pending; a repetition shows the current one.' }),
    message: z.string(),
    external_reference: text,
    warnings: z.array(noticeSchema),
  })
  .meta({ id: 'OrderRequestAnswer' });

export const prescriptionSchema = z
  .object({
    id: idSchema,
    status: z.enum(['fetching', 'stored', 'fetch_failed', 'approved', 'erased']),
    origin: z.enum(['base64', 'url', 'staff']),
  })
  .meta({ id: 'Prescription' });

const lineSchema = z
  .object({
    name: z.string(),
    quantity: z.int(),
    qty: z.int().meta({ description: 'The same as quantity: the name that POST /orders takes.' }),
    price: priceSchema,
    p1_id: text,
    prescription_required: z.boolean(),
    product_name: text.meta({ description: 'Name of the product that the line is matched to; name is as submitted.' }),
  })
  .meta({ id: 'OrderLine' });

/** Members of a line that calls tell and do not change: they are taken as they were read, and ignored. */
export function readOnlyLineFields(taken: readonly (keyof typeof lineSchema.shape)[]) {
  const told = Object.entries(lineSchema.shape).filter(([name]) => !taken.some((each) => each === name));
  return Object.fromEntries(
    told.map(([name, schema]) => [name, schema.optional().meta({ description: 'Told by GET; ignored here.' })]),
  );
}

export const orderRequestSchema = z
  .object({
    id: idSchema,
    status: z.enum(['pending', 'approved', 'rejected', 'deleted']),
    shop_id: shopIdSchema,
    source: z.string(),
    external_reference: text,
    created_at: timestampSchema,
    items: z
      .array(z.object({ name: text, quantity: z.int(), price: priceSchema, p1_id: text, product_id: text }))
      .meta({ description: 'As submitted.' }),
    lines: z.array(lineSchema).meta({ description: 'As matched to products, or as approved.' }),
    customer_name: text,
    customer_email: text,
    customer_id: text,
    address_street: text,
    address_city: text,
    address_postal_code: text,
    address_phone: text,
    shipping_option: text,
    payment_status: z.enum(['cash_on_pickup', 'paid', 'pending']),
    payment_reference: text,
    total_amount: priceSchema.nullable(),
    warnings: z.array(noticeSchema),
    blockers: z.array(noticeSchema.extend({ overridable: z.boolean() })),
    prescriptions: z.array(prescriptionSchema),
    needs_info: z.boolean(),
    needs_info_note: text,
    reason_code: text,
    decided_by: text,
    decided_at: timestampSchema.nullable(),
    supersedes_id: text,
    order_id: text,
  })
  .meta({ id: 'OrderRequest' });

export const orderSchema = z
  .object({
    id: idSchema,
    external_id: text,
    status: z.enum(ORDER_STATUSES),
    payment_status: z.enum(ORDER_PAYMENT_STATUSES),
    payment_reference: text,
    flags: z.object({ on_hold: z.boolean(), express: z.boolean(), archived: z.boolean() }),
    hold_reason: text,
    cancel_reason_code: text,
    shop_id: shopIdSchema,
    source: z.string(),
    external_reference: text,
    order_request_id: text,
    shipping_option: text,
    items: z.array(lineSchema),
    customer: z.object({ id: text, name: text, email: text }),
    address: z.object({ street: text, city: text, postal_code: text, phone: text }),
    totals: z.object({ total_amount: priceSchema }),
    refunded_amount: priceSchema.meta({ description: 'Given back of what was paid, all refunds together.' }),
    note: text,
    created_at: timestampSchema,
    updated_at: timestampSchema,
    paid_at: timestampSchema.nullable(),
  })
  .meta({ id: 'Order' });
