import { and, eq, type InferInsertModel, inArray, type SQL, sql } from 'drizzle-orm';
import { has, unset, valuesIn } from '../../platform/data/columns';
import { inList, insertSelect } from '../../platform/data/db';
import { type Condition, encoded, jsonOf, type Named, orm, prepared, type Value } from '../../platform/data/statements';
import { ATTEMPTS_MAX } from '../../platform/limits';
import { isAtWork, isSettled } from '../../tenants/tables';
import { sequenceOf } from '../events/store';
import { QUEUED_UNDER_WAY_MAX } from '../limits';
import { deliveries, deliveryAttempts, events, subscriptions } from '../tables';

/** A message may arrive this many ms before its delivery is due, because a queue's delay is in whole seconds. */
const EARLY_MESSAGE_MS = 2_000;

/**
 * SQL for a value of the delivery's event. It is a scalar subquery, because an UPDATE returns only columns of its own
 * table. It writes table names out, because Drizzle omits them in a statement about one table.
 */
function ofEvent<T>(value: Condition) {
  return sql<T>`(select ${value} from ${events} as event where event.id = deliveries.event_id)`;
}

const fromSubscription = sql`from ${subscriptions} as subscription where subscription.id = deliveries.subscription_id`;

function ofSubscription<T>(column: string) {
  return sql<T>`(select subscription.${sql.raw(column)} ${fromSubscription})`.as(`subscription_${column}`);
}

/** The columns of a claimed delivery: the data for the post, and the identity of the claim. */
export const CLAIMED = {
  id: deliveries.id,
  orgId: deliveries.orgId,
  eventId: deliveries.eventId,
  subscriptionId: deliveries.subscriptionId,
  trigger: deliveries.trigger,
  attempt: deliveries.attemptCount,
  leaseUntil: deliveries.leaseUntil,
  // An earlier version of this service made deliveries without a type.
  eventType: sql<string>`coalesce(${deliveries.eventType}, ${ofEvent(sql`event.type`)})`.as('type_of_event'),
  body: ofEvent<string>(sql`event.body`).as('event_body'),
  /** The value of `X-Service-Sequence`. */
  sequence: ofEvent<number>(sequenceOf('event')).as('event_sequence'),
  url: ofSubscription<string>('url'),
  secretCiphertext: ofSubscription<string>('secret_ciphertext'),
  previousSecretCiphertext: ofSubscription<string | null>('previous_secret_ciphertext'),
  previousSecretUntil: ofSubscription<number | null>('previous_secret_until'),
  /** Whether the receiver is healthy, 1 or 0. */
  isHealthy: ofSubscription<number>('is_healthy'),
  /** Status of the subscription. It is `holding` if the claimed attempt tries a failing receiver. */
  subscriptionStatus: ofSubscription<string>('status'),
};

export type ClaimedDelivery = Awaited<ReturnType<typeof claimDeliveries>>[number];

interface Claim {
  now: number;
  leaseUntil: number;
}

/**
 * Claims deliveries. Two claimers never get the same attempt, because one write raises the count and sets the lease.
 */
function claimWhere(which: Condition, { now, leaseUntil }: Named<Claim>, onlyIf: Condition) {
  return orm
    .update(deliveries)
    .set({
      status: 'delivering',
      attemptCount: sql`${deliveries.attemptCount} + 1`,
      leaseUntil: sql`${leaseUntil}`,
    })
    .where(and(which, mayBePosted(now), isAtWork(deliveries.orgId), onlyIf))
    .returning(CLAIMED);
}

/**
 * SQL for the number of a subscription's attempts that are under way.
 * @param of a further condition on the delivery, whose row is called `open`
 */
export function countUnderWay(subscriptionId: Condition, now: Value<number>, of: Condition = sql`true`): Condition {
  return sql`(select count(*) from ${deliveries} as open where open.subscription_id = ${subscriptionId}
    and open.status = 'delivering' and open.lease_until > ${now} and ${of})`;
}

const isOfProducts = sql`open.priority > 0`;

/**
 * Claims due deliveries for one attempt each. A subscription may then have at most `QUEUED_UNDER_WAY_MAX` attempts
 * under way. Product events may take all but one of these, so they never delay an order. The other deliveries stay
 * pending until an attempt of the subscription ends (`claimNext`). Nothing is claimed unless `onlyIf` holds.
 */
export const claimDeliveries = prepared(
  ({ ids, now, leaseUntil }: Named<Claim & { ids: readonly string[] }>, onlyIf: Condition) => {
    const due = sql`(select id, subscription_id, priority,
      row_number() over (partition by subscription_id order by priority, id) as place,
      row_number() over (partition by subscription_id, priority order by id) as place_of_priority
    from ${deliveries} where id in ${inList(ids)} and status = 'pending' and next_attempt_at <= ${now} + ${EARLY_MESSAGE_MS}
      and attempt_count < ${ATTEMPTS_MAX})`;
    const free = sql`deliveries.id in (select due.id from ${due} as due
    where due.place + ${countUnderWay(sql`due.subscription_id`, now)} <= ${QUEUED_UNDER_WAY_MAX}
      and (due.priority = 0 or due.place_of_priority
        + ${countUnderWay(sql`due.subscription_id`, now, isOfProducts)} <= ${QUEUED_UNDER_WAY_MAX - 1}))`;
    return claimWhere(free, { now, leaseUntil }, onlyIf);
  },
);

interface Next {
  /** A condition on each delivery. */
  of?: Condition;
  /** Whether product events may be delivered now. The condition is checked once, not for each waiting delivery. */
  isProductsTurn?: Condition;
}

/** SQL for the ids of a subscription's due deliveries, in the order in which they are tried. */
function nextDue(
  subscriptionId: Condition,
  now: Value<number>,
  limit: number | SQL,
  { of = sql`true`, isProductsTurn = sql`true` }: Next,
): Condition {
  const ofPriority = (priority: number) => sql`select * from (select id, priority, next_attempt_at from ${deliveries}
    where subscription_id = ${subscriptionId} and status = 'pending' and priority = ${priority}
      and next_attempt_at <= ${now} and ${of} order by next_attempt_at, id limit ${limit})`;
  return sql`select id from (${ofPriority(0)} union all ${ofPriority(1)} where ${isProductsTurn})
    order by priority, next_attempt_at, id limit ${limit}`;
}

/** How many attempts have just ended, by subscription id. */
export type Freed = Readonly<Record<string, number>>;

/**
 * SQL for the due deliveries that follow attempts that have just ended. A delivery of a product event is among them
 * only if no other delivery of a product event is under way.
 * @returns rows of `id` and `subscription_id`
 */
function nextToClaim(freed: Value<Freed>, now: Value<number>): Condition {
  const most = encoded(freed, (counts) => Math.max(0, ...Object.values(counts)));
  const isProductsTurn = sql`${countUnderWay(sql`freed.key`, now, isOfProducts)} < ${QUEUED_UNDER_WAY_MAX - 1}`;
  return sql`(select id, subscription_id from (
      select due.id, due.subscription_id, freed.value as count,
        row_number() over (partition by due.subscription_id order by due.priority, due.next_attempt_at, due.id) as place
      from json_each(${jsonOf(freed)}) as freed
        join ${subscriptions} as subscription on subscription.id = freed.key and ${takesPosts(now)}
        join ${deliveries} as due on due.id in (${nextDue(sql`freed.key`, now, most, { isProductsTurn })})
    ) where place <= count)`;
}

/**
 * Claims one due delivery for each attempt that has just ended, so the number under way never grows. Nothing is claimed
 * unless `onlyIf` holds.
 */
export const claimNext = prepared(({ freed, now, leaseUntil }: Named<Claim & { freed: Freed }>, onlyIf: Condition) =>
  claimWhere(sql`deliveries.id in (select id from ${nextToClaim(freed, now)})`, { now, leaseUntil }, onlyIf),
);

/** Selects the deliveries that `claimNext` would claim now. */
export const selectNext = prepared(({ freed, now }: Named<{ freed: Freed; now: number }>) =>
  orm
    .select({
      id: sql<string>`next.id`.as('next_id'),
      subscriptionId: sql<string>`next.subscription_id`.as('next_subscription_id'),
    })
    .from(sql`${nextToClaim(freed, now)} as next`),
);

/** The FROM and WHERE clauses that find the subscription of a delivery, for statements about deliveries. */
const isOfSubscription = sql`from ${subscriptions} as subscription where subscription.id = ${deliveries.subscriptionId}`;

/** SQL for whether the delivery's subscription is active. */
const isPostedTo: Condition = sql`exists (select 1 ${isOfSubscription}
  and subscription.status = 'active' and subscription.deleted_at is null)`;

/**
 * SQL for whether posts to the row `subscription` are allowed now. The subscription must be active, or on hold because
 * its receiver fails. A wait that the receiver asked for must be over.
 */
function takesPosts(now: Value<number>): Condition {
  return sql`(subscription.deleted_at is null and coalesce(subscription.wait_until, 0) <= ${now} and (subscription.status = 'active'
    or (subscription.status = 'holding' and subscription.hold_reason = 'receiver_failing')))`;
}

/**
 * SQL for whether the delivery may be posted now. Its subscription must take posts. If the subscription is on hold,
 * only its probe may be posted.
 */
function mayBePosted(now: Value<number>): Condition {
  return sql`exists (select 1 ${isOfSubscription} and ${takesPosts(now)}
    and (subscription.status = 'active' or subscription.probe_id = ${deliveries.id}))`;
}

/** SQL for whether the delivery's subscription was deleted. */
const isDeleted = sql`exists (select 1 ${isOfSubscription} and subscription.deleted_at is not null)`;

/**
 * SQL for the status that an unfinished delivery gets: `cancelled` if its subscription was deleted, `held` if it is not
 * active, otherwise `pending`.
 */
export const resumedStatus = sql`case when ${isPostedTo} then 'pending' when ${isDeleted} then 'cancelled' else 'held' end`;

type NewAttempt = InferInsertModel<typeof deliveryAttempts>;

/** Inserts the log rows of attempts. A second row for the same attempt is ignored. */
export const insertAttempts = prepared(({ attempts }: Named<{ attempts: readonly NewAttempt[] }>) => {
  const row = valuesIn(deliveryAttempts, sql`made.value`);
  const from = sql`from json_each(${jsonOf(attempts)}) as made where true`;
  return insertSelect(deliveryAttempts, row, from).onConflictDoNothing();
});

interface HeldClaim {
  id: string;
  attempt: number;
}

/** Ends attempts that succeeded, unless another claim of the delivery has followed. `endedAt` is in epoch ms. */
export const finishSucceeded = prepared(
  ({ claims }: Named<{ claims: readonly (HeldClaim & { endedAt: number })[] }>) => {
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
  },
);

interface Ended extends HeldClaim {
  status: 'pending' | 'succeeded' | 'exhausted';
  nextAttemptAt: number;
  finishedAt: number | null;
}

/**
 * Ends an attempt, unless another claim of the delivery has followed. If more attempts are due but the subscription is
 * no longer active, the delivery becomes `held`. As `pending`, nobody could claim it, and every sweep would send a
 * message for it. If the subscription was deleted, the delivery is cancelled.
 */
export const finishAttempt = prepared(({ id, attempt, status, nextAttemptAt, finishedAt }: Named<Ended>) =>
  orm
    .update(deliveries)
    .set({
      status: sql`iif(${status} = 'pending', ${resumedStatus}, ${status})`,
      nextAttemptAt: sql`${nextAttemptAt}`,
      finishedAt: sql`${finishedAt}`,
      leaseUntil: 0,
    })
    .where(has(deliveries, { id, attemptCount: attempt, status: 'delivering' })),
);

/**
 * SQL for the lowest id of a subscription with a pending delivery that meets a condition. Takes one step in the index.
 */
function firstWaiting(after: Condition): Condition {
  return sql`select min(subscription_id) as id from ${deliveries} where status = 'pending' and ${after}`;
}

/**
 * Selects due deliveries whose queue message was lost. Selects at most as many of each subscription as may be under
 * way, so that no subscription delays the others. Leaves out deliveries for which the sweep has sent a message
 * recently.
 * @param before epoch ms. The message of a delivery that was created or became due later may still be on its way
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
        on due.id in (${nextDue(sql`waiting.id`, at.before, at.ofEach, { of: isLost })})`,
    )
    .limit(at.limit);
}

/**
 * Records that the sweep has sent messages for these deliveries. The sweep sends no more messages for them before
 * `until` (epoch ms).
 */
export function markSent(ids: readonly string[], until: number) {
  return orm
    .update(deliveries)
    .set({ leaseUntil: until })
    .where(and(inArray(deliveries.id, inList(ids)), sql`status = 'pending'`));
}

/** Selects the deliveries whose lease has ended although their attempt was not recorded. */
export function selectLeasedOut(now: number, limit: number) {
  return orm
    .select({ id: deliveries.id, trigger: deliveries.trigger, attempt: deliveries.attemptCount })
    .from(deliveries)
    .where(sql`status = 'delivering' and lease_until <= ${now} and ${isSettled(deliveries.orgId)}`)
    .limit(limit);
}

export type LeasedOut = Awaited<ReturnType<typeof selectLeasedOut>>[number];

/** The next step for a delivery whose attempt was interrupted. */
export interface Interrupted {
  id: string;
  attempt: number;
  /** Epoch ms; null if no attempt follows. */
  nextAttemptAt: number | null;
  /** The id of the recovery delivery that follows the last attempt; null if none follows. */
  recoveryId: string | null;
}

/** SQL for those of the attempts that are still claimed and whose lease has expired. */
function stillLeasedOut(interrupted: readonly Interrupted[], now: number): Condition {
  return sql`json_each(${JSON.stringify(interrupted)}) as plan join ${deliveries} as lost on lost.id = plan.value ->> 'id'
    and lost.status = 'delivering' and lost.attempt_count = plan.value ->> 'attempt' and lost.lease_until <= ${now}`;
}

/** Logs these attempts as `interrupted`. Must come before `endInterrupted` and `insertRecoveries`. */
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
      status: sql`case when ${nextAttemptAt} is null then 'exhausted' else ${resumedStatus} end`,
      nextAttemptAt: sql`coalesce(${nextAttemptAt}, 0)`,
      finishedAt: sql`iif(${nextAttemptAt} is null, ${now}, null)`,
      leaseUntil: 0,
    })
    .where(sql`deliveries.id in (select lost.id from ${stillLeasedOut(interrupted, now)})`);
}

/**
 * Inserts a recovery delivery for each event whose last attempt is logged as interrupted. None is inserted if the
 * claimer finished late and has recorded a response. A unique index allows only one for each event and subscription.
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

export interface SubscriptionRef {
  orgId: string;
  subscriptionId: string;
}

type DeliveryRow = InferInsertModel<typeof deliveries>;
type NewDelivery = {
  [K in 'id' | 'orgId' | 'eventId' | 'subscriptionId' | 'priority' | 'eventType' | 'status']:
    | NonNullable<DeliveryRow[K]>
    | SQL;
} & {
  trigger: DeliveryRow['trigger'];
  createdAt: number | SQL;
};

/** Returns the row of a delivery that has not been tried yet. */
export function deliveryRow<T extends NewDelivery>(delivery: T) {
  return { ...delivery, attemptCount: 0, nextAttemptAt: 0, leaseUntil: 0, finishedAt: null };
}

/** The `nextAttemptAt` of a delivery that comes before all deliveries that wait for their first attempt. */
export const BEFORE_OTHERS = -1;

/** The columns of a delivery that `dueDeliveries` needs from the statement that writes it. */
export const DUE = {
  id: deliveries.id,
  subscriptionId: deliveries.subscriptionId,
  nextAttemptAt: deliveries.nextAttemptAt,
};
