import * as z from 'zod';
import { eraseCustomerData, exportCustomer } from '../order-requests/service';
import { endpoint } from './endpoint';
import { deletedSchema, orderRequestSchema, orderSchema } from './order-schemas';
import { idSchema, timestampSchema } from './schemas';

const params = z.object({ id: idSchema.meta({ description: 'Customer id.' }) });

const exportedRequestSchema = orderRequestSchema.omit({ warnings: true, blockers: true }).extend({
  reason_note: z.string().nullable().meta({ description: 'The reason in words.' }),
  override_reason: z.string().nullable().meta({ description: 'Why the request was approved despite blockers.' }),
  submitted: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'The body as it was sent, without the PDF.' }),
});

export const customerEndpoints = [
  endpoint({
    id: 'exportCustomer',
    method: 'get',
    path: '/customers/:id',
    scope: 'customers.read',
    tag: 'Customers',
    summary: 'Export the data stored about a customer',
    params,
    answers: {
      200: {
        description: 'The customer with all orders and requests (GDPR Art. 15).',
        schema: z
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
          .meta({ id: 'CustomerExport', description: 'Everything that is kept about a person.' }),
      },
    },
    errors: ['customer_not_found'],
    handle: async (ctx, { params: { id } }) => ({ body: await exportCustomer(ctx, id) }),
  }),
  endpoint({
    id: 'eraseCustomer',
    method: 'delete',
    path: '/customers/:id',
    scope: 'customers.write',
    tag: 'Customers',
    summary: 'Erase a customer',
    description:
      'Removes the personal data from the customer, orders and requests, clears the references in past events, and deletes the PDFs (GDPR Art. 17). Pending requests are deleted, which sends order_request_deleted. While the customer has open orders, the response is 409 open_orders.',
    params,
    answers: { 200: { description: 'Erased.', schema: deletedSchema } },
    errors: ['customer_not_found', 'legal_hold', 'open_orders'],
    handle: async (ctx, { params: { id } }) => {
      await eraseCustomerData(ctx, id);
      return { body: { id, deleted: true } };
    },
  }),
];
