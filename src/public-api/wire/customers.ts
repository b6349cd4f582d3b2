import * as z from 'zod';
import type { CustomerExport, ReviewedRequest } from '../../order-requests/service';
import { orderRequestSchema, orderSchema } from './order-schemas';
import { wireOrder } from './orders';
import { wireRequest } from './requests';
import { idSchema, timestampSchema } from './schemas';
import { wireTime } from './values';

const exportedRequestSchema = orderRequestSchema.omit({ warnings: true, blockers: true }).extend({
  reason_note: z.string().nullable().meta({ description: 'The reason in words.' }),
  override_reason: z.string().nullable().meta({ description: 'Why the request was approved despite blockers.' }),
  submitted: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'The body as it was sent, without the PDF.' }),
});

export const customerExportSchema = z
  .object({
    customer: z
      .object({
        id: idSchema.meta({ description: 'Customer id.' }),
        name: z.string().nullable().meta({ description: 'Full name.' }),
        email: z.string().nullable().meta({ description: 'E-mail address.' }),
        legal_hold: z.boolean().meta({ description: 'Whether the data must be kept.' }),
        created_at: timestampSchema.meta({ description: 'When the customer was first known.' }),
      })
      .meta({ description: 'The person.' }),
    orders: z.array(orderSchema).meta({ description: 'All orders.' }),
    order_requests: z.array(exportedRequestSchema).meta({ description: 'All order requests.' }),
  })
  .meta({ id: 'CustomerExport', description: 'Everything that is kept about a person.' });

export function wireCustomerExport(kept: CustomerExport): z.input<typeof customerExportSchema> {
  const { customer, orders, requests } = kept;
  return {
    customer: {
      id: customer.id,
      name: customer.name,
      email: customer.email,
      legal_hold: customer.legalHold,
      created_at: wireTime(customer.createdAt),
    },
    orders: orders.map(wireOrder),
    order_requests: requests.map(wireExportedRequest),
  };
}

function wireExportedRequest(reviewed: ReviewedRequest): z.input<typeof exportedRequestSchema> {
  const { warnings: _, blockers: __, ...kept } = wireRequest(reviewed);
  const { reasonNote, overrideReason, payload } = reviewed.request;
  return {
    ...kept,
    reason_note: reasonNote,
    override_reason: overrideReason,
    // SAFETY: the body was validated against the schema of submissions before it was stored.
    submitted: payload === null ? null : (JSON.parse(payload) as Record<string, unknown>),
  };
}
