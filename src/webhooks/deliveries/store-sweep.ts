import { and, inArray, sql } from 'drizzle-orm';
import { unset } from '../../platform/data/columns';
import { type Condition, inList, insertSelect } from '../../platform/data/db';
import { orm } from '../../platform/data/statements';
import { isAtWork, isSettled } from '../../tenants/tables';
import { deliveries, deliveryAttempts, subscriptions } from '../tables';
import { deliveryRow } from './rows';
import { goesOnAs, takesPosts } from './store-attempts';
import { nextDue } from './store-claim';

/** The first subscription with a due delivery after another one: one step in the index. */
function firstWaiting(after: Condition): Condition {
  return sql`select min(subscription_id) as id from ${deliveries} where status = 'pending' and ${after}`;
}

/**
 * Due deliveries whose queue message was lost, of each subscription the next few: as many as may be under way at once, so
 * that no subscription keeps the others waiting. Those that the sweep has sent a message for lately are left out.
 * @param before the message of a delivery created or due later may still be on its way; epoch ms
 */
export function selectDue(at: { now: number; before: number; ofEach: number; limit: number }) {
  const isLost = sql`created_at <= ${at.before} and lease_until <= ${at.now} and ${isAtWork(sql`org_id`)}`;
  const waiting = sql`(with recursive waiting(id) as (
      select * from (${firstWaiting(sql`true`)})
      union all
      select (${firstWaiting(sql`subscription_id > waiting.id`)}) from waiting where waiting.id is not null
    ) select waiting.id from waiting join ${subscriptions} as subscription on subscription.id = waiting.id
      where ${takesPosts(at.now)} limit ${at.limit})`;
  return orm
    .select({ id: sql<string>`due.id`.as('due_id') })
    .from(
      sql`${waiting} as waiting join ${deliveries} as due
        on due.id in (${nextDue(sql`waiting.id`, at.before, at.ofEach, isLost)})`,
    )
    .limit(at.limit);
}

/** The sweep has sent messages for these deliveries and sends none again until then. */
export function markSent(ids: readonly string[], until: number) {
  return orm
    .update(deliveries)
    .set({ leaseUntil: until })
    .where(and(inArray(deliveries.id, inList(ids)), sql`status = 'pending'`));
}

/** Deliveries whose lease ended before their attempt was recorded. */
export function selectLeasedOut(now: number, limit: number) {
  return orm
    .select({ id: deliveries.id, trigger: deliveries.trigger, attempt: deliveries.attemptCount })
    .from(deliveries)
    .where(sql`status = 'delivering' and lease_until <= ${now} and ${isSettled(deliveries.orgId)}`)
    .limit(limit);
}

export type LeasedOut = Awaited<ReturnType<typeof selectLeasedOut>>[number];

/** What becomes of a delivery whose attempt was interrupted. */
export interface Interrupted {
  id: string;
  attempt: number;
  /** Epoch ms; null when no attempt follows. */
  nextAttemptAt: number | null;
  /** Of the one more delivery that follows a last attempt; null when there is none. */
  recoveryId: string | null;
}

/** Rows of `interrupted` and of the deliveries that are still as they were when it was decided. */
function stillLeasedOut(interrupted: readonly Interrupted[], now: number): Condition {
  return sql`json_each(${JSON.stringify(interrupted)}) as plan join ${deliveries} as lost on lost.id = plan.value ->> 'id'
    and lost.status = 'delivering' and lost.attempt_count = plan.value ->> 'attempt' and lost.lease_until <= ${now}`;
}

/** Logs each of these attempts as `interrupted`; put `endInterrupted` and `insertRecoveries` after it. */
export function logInterrupted(interrupted: readonly Interrupted[], now: number) {
  const row = {
    ...unset(deliveryAttempts),
    deliveryId: sql`lost.id`,
    attempt: sql`lost.attempt_count`,
    trigger: sql`iif(lost.attempt_count > 1, 'retry', lost.trigger)`,
    startedAt: sql`lost.lease_until`,
    durationMs: 0,
    failureClass: 'interrupted' as const,
  };
  const from = sql`from ${stillLeasedOut(interrupted, now)} where true`;
  return insertSelect(deliveryAttempts, row, from).onConflictDoNothing();
}

export function endInterrupted(interrupted: readonly Interrupted[], now: number) {
  const nextAttemptAt = sql`(select plan.value ->> 'nextAttemptAt' from json_each(${JSON.stringify(interrupted)}) as plan
    where plan.value ->> 'id' = deliveries.id)`;
  return orm
    .update(deliveries)
    .set({
      status: sql`case when ${nextAttemptAt} is null then 'exhausted' else ${goesOnAs} end`,
      nextAttemptAt: sql`coalesce(${nextAttemptAt}, 0)`,
      finishedAt: sql`iif(${nextAttemptAt} is null, ${now}, null)`,
      leaseUntil: 0,
    })
    .where(sql`deliveries.id in (select lost.id from ${stillLeasedOut(interrupted, now)})`);
}

/**
 * One more delivery for each event whose last attempt was interrupted. The log must show that: a claimer that finished
 * late may have recorded a response. The unique index allows only one.
 */
export function insertRecoveries(interrupted: readonly Interrupted[], now: number) {
  const row = deliveryRow({
    id: sql`plan.value ->> 'recoveryId'`,
    orgId: sql`lost.org_id`,
    eventId: sql`lost.event_id`,
    subscriptionId: sql`lost.subscription_id`,
    priority: sql`lost.priority`,
    eventType: sql`lost.event_type`,
    trigger: 'recovery',
    status: sql`iif(subscription.status = 'active', 'pending', 'held')`,
    createdAt: now,
  });
  const from = sql`from json_each(${JSON.stringify(interrupted)}) as plan
    join ${deliveries} as lost on lost.id = plan.value ->> 'id'
    join ${deliveryAttempts} as logged on logged.delivery_id = lost.id and logged.attempt = plan.value ->> 'attempt'
    join ${subscriptions} as subscription on subscription.id = lost.subscription_id
    where plan.value ->> 'recoveryId' is not null and logged.failure_class = 'interrupted'
      and subscription.deleted_at is null and subscription.status <> 'disabled'`;
  return insertSelect(deliveries, row, from).onConflictDoNothing().returning({ id: deliveries.id });
}
