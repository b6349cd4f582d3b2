import * as z from 'zod';
import { eraseCustomerData, exportCustomer } from '../order-requests/service';
import { customerExportSchema, wireCustomerExport } from '../wire/customers';
import { deletedSchema } from '../wire/order-schemas';
import { idSchema } from '../wire/schemas';
import { endpoint } from './endpoint';

const params = z.object({ id: idSchema.meta({ description: 'Customer id.' }) });

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
        schema: customerExportSchema,
      },
    },
    errors: ['customer_not_found'],
    handle: async (ctx, { params: { id } }) => ({ body: wireCustomerExport(await exportCustomer(ctx, id)) }),
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
