import { and, eq } from 'drizzle-orm';
import { orm } from '../../platform/data/statements';
import { orderRequests } from '../tables';

export function selectDecided(orgId: string, id: string) {
  return orm
    .select({
      id: orderRequests.id,
      status: orderRequests.status,
      customerName: orderRequests.customerName,
      customerEmail: orderRequests.customerEmail,
      orderId: orderRequests.orderId,
    })
    .from(orderRequests)
    .where(and(eq(orderRequests.orgId, orgId), eq(orderRequests.id, id)));
}
