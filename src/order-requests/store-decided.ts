import { and, eq } from 'drizzle-orm';
import type { Database } from '../platform/db';
import { orderRequests } from './tables';

export function selectDecided(db: Database, orgId: string, id: string) {
  return db.orm
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
