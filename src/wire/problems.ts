import * as z from 'zod';
import { InsufficientStock, OutOfStock } from '../inventory/ledger';
import { AlreadyDecided, OpenOrders, ReferenceConflict } from '../order-requests/errors';
import { NotApprovable } from '../order-requests/review/assessment';
import { InvalidTransition } from '../orders/rules';
import { ShippingBlocked } from '../orders/shipping';
import { ORDER_STATUSES } from '../orders/tables';
import type { AppError } from '../platform/errors/errors';
import { PrescriptionNotStored } from '../prescriptions/review';
import { blockerSchema, prescriptionStatusSchema, requestStatusSchema } from './orders';
import { wireBlocker, wireShippingNotice } from './requests';
import { idSchema, timestampSchema, wireTimeOrNull } from './schemas';

const orderStatus = z.enum(ORDER_STATUSES);

/** The additional fields that the problem documents of some codes have (RFC 9457 §3.2). */
export const MEMBERS = {
  already_decided: {
    current_status: requestStatusSchema,
    decided_by: z.string().nullable().describe('Key or member who decided.'),
    decided_at: timestampSchema.nullable().describe('When it was decided.'),
    order_id: z.string().nullable().describe('The order that the request became.'),
  },
  not_approvable: {
    blockers: z.array(blockerSchema).min(1).describe('What prevents approval.'),
  },
  shipping_blocked: {
    blockers: z.array(blockerSchema).min(1).describe('What speaks against it.'),
  },
  invalid_transition: {
    current_status: orderStatus.describe('Status of the order.'),
    allowed: z.array(orderStatus).describe('The steps that are possible.'),
  },
  prescription_not_stored: { current_status: prescriptionStatusSchema },
  out_of_stock: { stock_quantity: z.int().min(0).max(0).describe('Pieces in stock.') },
  insufficient_stock: {
    stock_quantity: z.int().min(0).optional().describe('Pieces in stock; missing when several products are affected.'),
  },
  open_orders: {
    order_ids: z.array(z.string()).min(1).describe('The orders that are still open.'),
  },
  external_reference_conflict: {
    existing: z
      .object({ id: idSchema.describe('Id of the request.'), status: requestStatusSchema })
      .describe('The request that has this external_reference.'),
    differs: z.array(z.string()).describe('Names of the fields that differ.'),
  },
};

export type MembersOf<Code extends keyof typeof MEMBERS> = z.input<z.ZodObject<(typeof MEMBERS)[Code]>>;

/** Returns the details of an error as additional fields of its problem document. */
export function wireMembers(error: AppError): object {
  if (error instanceof AlreadyDecided) {
    const { status, decidedBy, decidedAt, orderId } = error.request;
    return {
      current_status: status,
      decided_by: decidedBy,
      decided_at: wireTimeOrNull(decidedAt),
      order_id: orderId,
    } satisfies MembersOf<'already_decided'>;
  }
  if (error instanceof NotApprovable) {
    return { blockers: error.blockers.map(wireBlocker) } satisfies MembersOf<'not_approvable'>;
  }
  if (error instanceof ShippingBlocked) {
    const blockers = error.blockers.map((each) => {
      const { code, message, pointer } = each;
      return {
        code,
        message,
        pointer: pointer.replace('/lines', '/items'),
        overridable: true,
        ...wireShippingNotice(each),
      };
    });
    return { blockers } satisfies MembersOf<'shipping_blocked'>;
  }
  if (error instanceof InvalidTransition) {
    return { current_status: error.from, allowed: [...error.allowed] } satisfies MembersOf<'invalid_transition'>;
  }
  if (error instanceof PrescriptionNotStored) {
    return { current_status: error.status } satisfies MembersOf<'prescription_not_stored'>;
  }
  if (error instanceof OutOfStock) return { stock_quantity: 0 } satisfies MembersOf<'out_of_stock'>;
  if (error instanceof InsufficientStock) {
    return { stock_quantity: error.stockQuantity } satisfies MembersOf<'insufficient_stock'>;
  }
  if (error instanceof OpenOrders) return { order_ids: [...error.orderIds] } satisfies MembersOf<'open_orders'>;
  if (error instanceof ReferenceConflict) {
    const { existing, differs } = error;
    return { existing, differs: [...differs] } satisfies MembersOf<'external_reference_conflict'>;
  }
  return {};
}
