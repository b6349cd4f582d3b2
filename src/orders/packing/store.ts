import { and, eq, isNull, sql } from 'drizzle-orm';
import { withPzn } from '../../inventory/service';
import type { Condition } from '../../platform/data/db';
import { orm } from '../../platform/data/statements';
import { productsOf } from '../store-detail';
import { orders } from '../tables';

/** The products of an order that is not read yet, and those with a PZN, as a subquery of ids. */
export function productsOfOrPzn(orgId: string, orderId: string, pzn: string | null): Condition {
  const own = productsOf(orgId, orderId);
  return pzn === null ? own : sql`(select * from ${own} union ${withPzn(pzn)})`;
}

export function selectOrderByNumber(orgId: string, number: number) {
  return orm
    .select({ id: orders.id, number: orders.number, shopId: orders.shopId, status: orders.status })
    .from(orders)
    .where(and(eq(orders.orgId, orgId), eq(orders.number, number), isNull(orders.deletedAt)));
}
