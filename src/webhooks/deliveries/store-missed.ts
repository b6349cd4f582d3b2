import { sql } from 'drizzle-orm';
import { type Condition, insertSelect } from '../../platform/data/db';
import { numberedId } from '../../platform/data/statements';
import { GIVEN_UP_MAX } from '../limits';
import { deliveries, subscriptions } from '../tables';
import { BEFORE_OTHERS, DUE, deliveryRow } from './rows';

/** How many of the last failed deliveries are looked at for those of one streak. */
const LOOKED_AT = 1_000;

/** Whether an event has no delivery to a subscription that arrived, is on its way or waits. */
export function isMissed(eventId: Condition, subscriptionId: Condition): Condition {
  return sql`not exists (select 1 from ${deliveries} as other where other.event_id = ${eventId}
    and other.subscription_id = ${subscriptionId} and other.status in ('pending', 'delivering', 'held', 'succeeded'))`;
}

/**
 * One more delivery for each event that a subscription was given up on in the streak of failures that stopped it, the oldest
 * first and before what waits, as long as it is not going. By itself (`recovery`) this
 * happens once for an event, so that one that no receiver can take does not come for ever; a person may repeat it.
 * Of more than `GIVEN_UP_MAX` events the newest are left to `recover`.
 * @param idPrefix of the new deliveries
 */
export function insertGivenUp(
  subscriptionId: string,
  trigger: 'recovery' | 'redelivery',
  { idPrefix, now }: { idPrefix: string; now: number },
) {
  const row = deliveryRow({
    id: numberedId(idPrefix, sql`lost.position`),
    orgId: sql`lost.org_id`,
    eventId: sql`lost.event_id`,
    subscriptionId,
    priority: sql`lost.priority`,
    eventType: sql`lost.event_type`,
    trigger,
    status: 'pending',
    createdAt: now,
  });
  const failed = sql`(select org_id, event_id, event_type, priority, trigger, finished_at from ${deliveries}
    where subscription_id = ${subscriptionId} and status = 'exhausted' order by id desc limit ${LOOKED_AT})`;
  const from = sql`from (select failed.org_id, failed.event_id, failed.event_type, failed.priority, row_number() over (order by failed.event_id) - 1 as position
      from ${failed} as failed join ${subscriptions} as subscription on subscription.id = ${subscriptionId}
      where failed.finished_at >= subscription.failing_since and failed.trigger <> 'test'
        and subscription.status <> 'active' and subscription.deleted_at is null
        and ${isMissed(sql`failed.event_id`, sql`subscription.id`)}
      group by failed.event_id) as lost
    where lost.position < ${GIVEN_UP_MAX}`;
  return insertSelect(deliveries, { ...row, nextAttemptAt: BEFORE_OTHERS }, from)
    .onConflictDoNothing()
    .returning(DUE);
}
