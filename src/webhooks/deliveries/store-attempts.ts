import { and, eq, type InferInsertModel, sql } from 'drizzle-orm';
import { valuesIn } from '../../platform/data/columns';
import { type Condition, insertSelect } from '../../platform/data/db';
import { jsonOf, type Named, orm, prepared, type Value } from '../../platform/data/statements';
import { deliveries, deliveryAttempts, subscriptions } from '../tables';

/** The delivery's subscription, in a statement about deliveries. */
const isOfSubscription = sql`from ${subscriptions} as subscription where subscription.id = ${deliveries.subscriptionId}`;

/** The delivery's subscription accepts posts now. */
const isPostedTo: Condition = sql`exists (select 1 ${isOfSubscription}
  and subscription.status = 'active' and subscription.deleted_at is null)`;

/** Whether a row `subscription` takes posts at a time: it is active or tried, and its receiver did not ask to wait. */
export function takesPosts(now: Value<number>): Condition {
  return sql`(subscription.deleted_at is null and coalesce(subscription.wait_until, 0) <= ${now} and (subscription.status = 'active'
    or (subscription.status = 'holding' and subscription.hold_reason = 'receiver_failing')))`;
}

/** The delivery may be posted now: its subscription takes posts, and if that is on hold, this is the one that tries it. */
export function mayBePosted(now: Value<number>): Condition {
  return sql`exists (select 1 ${isOfSubscription} and ${takesPosts(now)}
    and (subscription.status = 'active' or subscription.probe_id = ${deliveries.id}))`;
}

/** The delivery's subscription was deleted. */
const isDeleted = sql`exists (select 1 ${isOfSubscription} and subscription.deleted_at is not null)`;

/**
 * The status of a delivery that is not finished: `pending`, `held` if its subscription accepts no posts now, or ended
 * if the subscription was deleted.
 */
export const goesOnAs = sql`case when ${isPostedTo} then 'pending' when ${isDeleted} then 'cancelled' else 'held' end`;

type NewAttempt = InferInsertModel<typeof deliveryAttempts>;

/** The log rows of some attempts; a second row for the same attempt is ignored. */
export const insertAttempts = prepared(({ attempts }: Named<{ attempts: readonly NewAttempt[] }>) => {
  const row = valuesIn(deliveryAttempts, sql`made.value`);
  const from = sql`from json_each(${jsonOf(attempts)}) as made where true`;
  return insertSelect(deliveryAttempts, row, from).onConflictDoNothing();
});

interface Claim {
  id: string;
  attempt: number;
}

/** Ends attempts that succeeded, where their claims still have their leases. @param endedAt epoch ms */
export const finishSucceeded = prepared(({ claims }: Named<{ claims: readonly (Claim & { endedAt: number })[] }>) => {
  const claim = sql`(select value from json_each(${jsonOf(claims)}) where value ->> 'id' = deliveries.id)`;
  return orm
    .update(deliveries)
    .set({ status: 'succeeded', nextAttemptAt: 0, finishedAt: sql`${claim} ->> 'endedAt'`, leaseUntil: 0 })
    .where(
      and(
        sql`${deliveries.id} in (select value ->> 'id' from json_each(${jsonOf(claims)}))`,
        eq(deliveries.status, 'delivering'),
        sql`deliveries.attempt_count = ${claim} ->> 'attempt'`,
      ),
    );
});

interface Ended extends Claim {
  status: 'pending' | 'succeeded' | 'exhausted';
  nextAttemptAt: number;
  finishedAt: number | null;
}

/**
 * Ends an attempt, if this claim still has its lease. If more attempts follow and the subscription was paused in the
 * meantime, the delivery becomes `held`: as `pending` nobody could claim it, and every sweep would send a message for
 * it. If the subscription was deleted, the delivery ends.
 */
export const finishAttempt = prepared(({ id, attempt, status, nextAttemptAt, finishedAt }: Named<Ended>) =>
  orm
    .update(deliveries)
    .set({
      status: sql`iif(${status} = 'pending', ${goesOnAs}, ${status})`,
      nextAttemptAt: sql`${nextAttemptAt}`,
      finishedAt: sql`${finishedAt}`,
      leaseUntil: 0,
    })
    .where(and(eq(deliveries.id, id), eq(deliveries.attemptCount, attempt), eq(deliveries.status, 'delivering'))),
);
