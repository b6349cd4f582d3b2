import * as z from 'zod';
import { eraseCustomerData, exportCustomer, listKeptRecords } from '../order-requests/erasure/erase';
import { findCustomers } from '../orders/read';
import {
  customerExportSchema,
  erasedCustomerSchema,
  foundCustomerSchema,
  wireErased,
  wireFoundCustomer,
  writeCustomerExport,
} from '../wire/customers';
import { pageOfData } from '../wire/schemas';
import { endpointsOf } from './endpoint/endpoint';
import { pageAnswer } from './endpoint/paging';

const api = endpointsOf({ tag: 'Customers', scopes: 'customers', id: 'Customer id.' });

export const customerEndpoints = [
  api.get('/customers', {
    id: 'findCustomers',
    summary: 'Find a customer',
    description: 'The customer with an e-mail address; no data when nobody has it, or when the person was erased.',
    query: z.object({
      email: z.string().trim().min(1).max(200).meta({
        description: 'The whole address; upper and lower case do not matter.',
        example: 'erika@example.com',
      }),
    }),
    answers: pageAnswer(foundCustomerSchema),
    handle: async (ctx, { query: { email } }) => {
      const found = await findCustomers(ctx, email);
      return { body: pageOfData(found.map(wireFoundCustomer), null) };
    },
  }),
  api.get('/customers/:id', {
    id: 'exportCustomer',
    summary: 'Export the data stored about a customer',
    description:
      'Everything that a person who asks must be told: who they are to us, and each order and request of theirs.',
    answers: {
      200: { description: 'The customer with all orders and requests (GDPR Art. 15).', schema: customerExportSchema },
    },
    errors: ['customer_not_found'],
    handle: async (ctx, { params: { id } }) => ({ body: writeCustomerExport(ctx, await exportCustomer(ctx, id)) }),
  }),
  api.delete('/customers/:id', {
    id: 'eraseCustomer',
    summary: 'Erase a customer',
    description:
      'Removes the personal data from the customer, orders and requests, clears the references in past events, and deletes the PDFs (GDPR Art. 17). Pending requests are deleted, which sends order_request_deleted. While orders are open: 409 open_orders. `kept` says what law keeps, and until when.',
    answers: { 200: { description: 'Erased.', schema: erasedCustomerSchema } },
    errors: ['customer_not_found', 'legal_hold', 'open_orders'],
    handle: async (ctx, { params: { id } }) => ({ body: wireErased(id, await eraseCustomerData(ctx, id)) }),
    again: async (ctx, { params: { id } }) => ({ body: wireErased(id, await listKeptRecords(ctx, id)) }),
  }),
];
