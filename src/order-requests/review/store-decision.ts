import { and, eq, sql } from 'drizzle-orm';
import { orm } from '../../platform/data/statements';
import { orderRequests } from '../tables';

export function selectDecided(orgId: string, id: string) {
  return orm
    .select({
      id: orderRequests.id,
      status: orderRequests.status,
      /** Null once the person was erased. */
      customer: sql<string | null>`coalesce(${orderRequests.customerName}, ${orderRequests.customerEmail})`.as(
        'customer',
      ),
      /** Set for an approved request. */
      orderId: orderRequests.orderId,
    })
    .from(orderRequests)
    .where(and(eq(orderRequests.orgId, orgId), eq(orderRequests.id, id)));
}

export type DecidedRequest = Awaited<ReturnType<typeof selectDecided>>[number];
