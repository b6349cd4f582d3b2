import * as z from 'zod';
import { orderRequestsFields } from '../order-requests/fields';
import type { SentRequest, Withdrawn } from '../order-requests/sender/sender';
import { ordersFields } from '../orders/fields';
import { REFERENCE_MAX, SOURCE_MAX } from '../orders/limits';
import type { ReasonCode } from '../orders/rules';
import type { OrderRow } from '../orders/store';
import {
  ORDER_PAYMENT_STATUSES,
  ORDER_STATUSES,
  type OrderStatus,
  QUESTION_CODES,
  WITHDRAWALS,
} from '../orders/tables';
import { textOf } from '../platform/http/validation';
import { requestStatusSchema } from './orders';
import { idSchema, objectOf, timestampSchema, wired } from './schemas';

/**
 * The reasons for a rejection or cancellation, as platforms get them. The reasons that staff choose from are more
 * detailed.
 */
export const PLATFORM_REASONS = [
  'prescription_missing',
  'prescription_invalid',
  'prescription_expired',
  'prescription_used',
  'out_of_stock',
  'not_available',
  'address_invalid',
  'outside_delivery_area',
  'customer_withdrew',
  'duplicate',
  'expired',
  'other',
] as const;
type PlatformReason = (typeof PLATFORM_REASONS)[number];

const OF_REASON: Record<ReasonCode, PlatformReason> = {
  prescription_missing: 'prescription_missing',
  prescription_unreadable: 'prescription_invalid',
  prescription_expired: 'prescription_expired',
  prescription_signature_invalid: 'prescription_invalid',
  prescription_incomplete: 'prescription_invalid',
  prescription_already_used: 'prescription_used',
  patient_mismatch: 'prescription_invalid',
  item_mismatch: 'prescription_invalid',
  quantity_exceeds_prescription: 'prescription_invalid',
  clinical_concern: 'other',
  out_of_stock: 'out_of_stock',
  not_available: 'not_available',
  address_invalid: 'address_invalid',
  outside_delivery_area: 'outside_delivery_area',
  shipping_not_allowed: 'not_available',
  underage: 'other',
  duplicate_order: 'duplicate',
  payment_problem: 'other',
  suspected_fraud: 'other',
  customer_withdrew: 'customer_withdrew',
  expired: 'expired',
  test: 'other',
  other: 'other',
};

/** Returns the reason that platforms get for a code, or null. A code that staff cannot choose becomes `other`. */
export function platformReason(code: string | null): PlatformReason | null {
  if (code === null) return null;
  return Object.hasOwn(OF_REASON, code) ? OF_REASON[code as ReasonCode] : 'other';
}

/** The schemas and JSON with which the connector describes requests that a platform sent. */

/** The query that finds a request by the reference of its platform. */
export const byReferenceSchema = z.strictObject({
  external_reference: textOf(REFERENCE_MAX)
    .normalize('NFC')
    .describe('Your reference: the newest request with it. Without it, the address takes only POST (405).'),
  source: textOf(SOURCE_MAX).normalize('NFC').optional().describe('Only requests of this source.'),
});

const withdrawalSchema = z
  .enum(WITHDRAWALS)
  .describe(
    '`none`; `requested`: staff have yet to decide about the order; `accepted`: the request is deleted or its order cancelled; `refused`: the order goes on.',
  );

const sentOrderSchema = z.object({
  id: idSchema.describe(ordersFields.id.says),
  number: z
    .int()
    .optional()
    .meta({ description: 'The number to pick it up with; from `ready_pickup` or `ready_shipping` on.', example: 4711 }),
  status: z.enum(ORDER_STATUSES).describe('Status of the order.'),
  payment_status: z.enum(ORDER_PAYMENT_STATUSES).describe(ordersFields.paymentStatus.says),
  carrier: z.string().nullable().meta({ description: ordersFields.carrier.says, example: 'DHL' }),
  tracking_number: z.string().nullable().describe(ordersFields.trackingNumber.says),
  tracking_url: z.url().nullable().describe(ordersFields.trackingUrl.says),
  updated_at: timestampSchema.describe(ordersFields.updatedAt.says),
});

export const sentRequestSchema = objectOf('SentOrderRequest', 'A request as the platform sees it that sent it.', {
  id: idSchema.describe(orderRequestsFields.id.says),
  status: requestStatusSchema,
  needs_info: z.boolean().describe('Whether staff wait for an answer; send it as a supplement.'),
  needs_info_code: z.enum(QUESTION_CODES).nullable().describe('Topic of the newest open question, or null.'),
  external_reference: z.string().nullable().meta({
    description: 'Your reference, without white space around it; null without one.',
    example: 'RX-2026-0001',
  }),
  source: z.string().meta({ description: orderRequestsFields.source.says, example: 'telemed.example' }),
  created_at: timestampSchema.describe(orderRequestsFields.createdAt.says),
  decided_at: timestampSchema.nullable().describe(orderRequestsFields.decidedAt.says),
  reason_code: z.enum(PLATFORM_REASONS).nullable().describe('Why it was rejected, or its order cancelled.'),
  withdrawal: withdrawalSchema,
  reserved_until: timestampSchema.nullish().describe('Until when stock is reserved for it; missing where nothing is.'),
  order: sentOrderSchema.nullable().describe('The order that an approved request became.'),
});

export const withdrawnSchema = objectOf('Withdrawn', 'What a withdrawal came to.', {
  id: idSchema.describe(orderRequestsFields.id.says),
  status: requestStatusSchema,
  withdrawal: withdrawalSchema,
});

/** The statuses in which the person who collects an order may be asked for the order's number. */
const WITH_NUMBER: ReadonlySet<OrderStatus> = new Set([
  'ready_pickup',
  'ready_shipping',
  'shipped',
  'delivered',
  'picked_up',
  'returned',
]);

export function wireSentRequest({ request, order, reserved }: SentRequest): z.input<typeof sentRequestSchema> {
  return wired(sentRequestSchema, {
    ...request,
    needsInfoCode: request.needsInfo ? request.needsInfoCode : null,
    reservedUntil: reserved[0]?.until,
    reasonCode: platformReason(request.reasonCode ?? order?.cancelReasonCode ?? null),
    order: order && wireSentOrder(order),
  });
}

function wireSentOrder(order: OrderRow): z.input<typeof sentOrderSchema> {
  return wired(sentOrderSchema, { ...order, number: WITH_NUMBER.has(order.status) ? order.number : undefined });
}

export function wireWithdrawn({ id, status, withdrawal }: Withdrawn): z.input<typeof withdrawnSchema> {
  return { id, status, withdrawal };
}
