import { and, eq, isNull, sql } from 'drizzle-orm';
import { namedColumns, orm } from '../platform/data/statements';
import { customers, orders } from './tables';

/** @param email folded; at most one customer has it */
export function selectCustomersByEmail(orgId: string, email: string) {
  const counted = sql<number>`(select count(*) from ${orders} as own where own.customer_id = customers.id and own.deleted_at is null)`;
  return orm
    .select({
      ...namedColumns({
        id: customers.id,
        name: customers.name,
        email: customers.email,
        createdAt: customers.createdAt,
      }),
      orders: counted.as('orders'),
    })
    .from(customers)
    .where(and(eq(customers.orgId, orgId), eq(customers.email, email), isNull(customers.erasedAt)));
}
