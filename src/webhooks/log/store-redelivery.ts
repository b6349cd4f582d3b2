import { sql } from 'drizzle-orm';
import { insertSelect, mustChangeOneRow } from '../../platform/data/db';
import { DUE, deliveryRow } from '../deliveries/rows';
import { deliveries, subscriptions } from '../tables';

/** A new delivery for the event of one; the batch is undone unless that has ended and its subscription is active. */
export function insertRedelivery(
  of: { orgId: string; deliveryId: string; withCallbacks: boolean },
  id: string,
  now: number,
) {
  const row = deliveryRow({
    id,
    orgId: of.orgId,
    eventId: sql`earlier.event_id`,
    subscriptionId: sql`earlier.subscription_id`,
    priority: sql`earlier.priority`,
    eventType: sql`earlier.event_type`,
    trigger: 'redelivery',
    status: 'pending',
    createdAt: now,
  });
  const write = insertSelect(
    deliveries,
    row,
    sql`from ${deliveries} as earlier
      join ${subscriptions} as subscription on subscription.id = earlier.subscription_id
      where earlier.id = ${of.deliveryId} and earlier.org_id = ${of.orgId}
        and earlier.status in ('succeeded', 'exhausted', 'cancelled') and earlier.trigger <> 'test'
        and subscription.status = 'active' and subscription.deleted_at is null
        and (${of.withCallbacks ? 1 : 0} or subscription.integration_id is null)`,
  )
    // A batch that D1 is sent twice finds its own row.
    .onConflictDoUpdate({ target: deliveries.id, set: { createdAt: now } })
    .returning(DUE);
  return mustChangeOneRow(write);
}
