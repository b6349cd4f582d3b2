import * as z from 'zod';
import type { CustomerExport, ReviewedRequest } from '../order-requests/service';
import { customersFields } from '../orders/fields';
import { customers } from '../orders/tables';
import { responder, responseShape } from './fields';
import { orderRequestSchema, orderSchema } from './order-schemas';
import { wireOrder } from './orders';
import { wireRequest } from './requests';
import { idSchema } from './schemas';

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
      .object(responseShape(customers, customersFields, { id: idSchema }))
      .meta({ description: 'The person.' }),
    orders: z.array(orderSchema).meta({ description: 'All orders.' }),
    order_requests: z.array(exportedRequestSchema).meta({ description: 'All order requests.' }),
  })
  .meta({ id: 'CustomerExport', description: 'Everything that is kept about a person.' });

const respondCustomer = responder(customersFields);

export function wireCustomerExport({
  customer,
  orders,
  requests,
}: CustomerExport): z.input<typeof customerExportSchema> {
  return {
    customer: respondCustomer(customer),
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
