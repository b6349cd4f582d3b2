import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { auditByEntity } from '../audit/service';
import { members } from '../auth/tables';
import type { Condition } from '../platform/data/db';
import { orm } from '../platform/data/statements';
import { orders, paymentLinks } from './tables';

/** The payment links of an order. */
export function selectLinks(orgId: string, orderId: string) {
  return orm
    .select({
      id: paymentLinks.id,
      status: paymentLinks.status,
      amountCents: paymentLinks.amountCents,
      expiresAt: paymentLinks.expiresAt,
    })
    .from(paymentLinks)
    .where(and(eq(paymentLinks.orderId, orderId), eq(paymentLinks.orgId, orgId)));
}

/** People and keys in the history of an order, its request or its payment links, and who packed it, former members included. */
export function selectNames(orgId: string, orderId: string) {
  const things = sql`select ${orderId} union all select order_request_id from ${orders} where org_id = ${orgId} and id = ${orderId}
    union all select id from ${paymentLinks} where order_id = ${orderId}`;
  const actors = sql`(select actor_id from ${auditByEntity} where org_id = ${orgId} and entity_id in (${things}))`;
  const byOf = (column: typeof orders.packing | typeof orders.supply) =>
    sql`select json_extract(line.value, '$.by') from ${orders}, json_each(${column}) as line
      where orders.org_id = ${orgId} and orders.id = ${orderId}`;
  const packers = sql`(${byOf(orders.packing)} union ${byOf(orders.supply)})`;
  return orm
    .select({ id: members.id, name: sql<string>`${members.name}`.as('member_name') })
    .from(members)
    .where(
      and(
        eq(members.orgId, orgId),
        isNotNull(members.name),
        sql`(${members.id} in ${actors} or ${members.id} in ${packers})`,
      ),
    );
}

/** The products of an order that is not read yet, as a subquery. */
export function productsOf(orgId: string, orderId: string): Condition {
  return sql`(select json_extract(line.value, '$.p1Id') from ${orders}, json_each(${orders.items}) as line
    where orders.org_id = ${orgId} and orders.id = ${orderId})`;
}
