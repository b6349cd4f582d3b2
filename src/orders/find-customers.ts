import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { selectCustomersByEmail } from './store-customers';

/** The customer with this e-mail address, and how many orders the person has. None for one that was erased. */
export async function findCustomers(ctx: Context, email: string) {
  const { orgId } = requireScope(ctx, 'customers.read');
  const { found } = await ctx.db.run({ found: selectCustomersByEmail(orgId, email.toLowerCase()) });
  return found;
}

export type FoundCustomer = Awaited<ReturnType<typeof findCustomers>>[number];
