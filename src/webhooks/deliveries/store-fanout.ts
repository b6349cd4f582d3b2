import { sql } from 'drizzle-orm';
import { insertSelect } from '../../platform/data/db';
import {
  type Condition,
  encoded,
  jsonOf,
  type Named,
  numberedId,
  orm,
  prepared,
  type Value,
} from '../../platform/data/statements';
import { isSuspended } from '../../tenants/tables';
import { BULK_EVENTS } from '../event-types';
import { takesChunks } from '../events/store';
import { FIRST_ATTEMPTS_MAX, GIVEN_UP_MAX, UNDER_WAY_MAX } from '../limits';
import { deliveries, events, subscriptions } from '../tables';
import { BEFORE_OTHERS, CLAIMED, countUnderWay, DUE, deliveryRow } from './store';

/**
 * SQL for the priority of the deliveries of an event: 1 for events of products and stock (`BULK_EVENTS`), 0 for all
 * others, which come first.
 */
export function priorityOf(eventType: Condition): Condition {
  return sql`(${eventType} in (${sql.raw(BULK_EVENTS.map((type) => `'${type}'`).join(', '))}))`;
}

/**
 * SQL for whether a subscription takes an event, by its type and integration. A subscription that takes
 * `products_updated` does not get those `product_updated` events that repeat a part of it.
 * @param event name of the event's row
 * @param subscription name of the subscription's row
 */
export function isChosen(event: string, subscription: string): Condition {
  const isTheirs = `${has(`${subscription}.event_types`, `${event}.type`)}
    and (${subscription}.integration_id is null or ${subscription}.integration_id = ${event}.integration_id)`;
  return sql`(${sql.raw(isTheirs)}
    and (${sql.raw(event)}.chunk_seq is null or not ${takesChunks(sql.raw(`${subscription}.event_types`))}))`;
}

/**
 * SQL for whether an event passes a subscription's filters. An event without a shop passes the filter of shops. An
 * event without a platform passes the filter of platforms.
 */
export function passesFilters(event: string, subscription: string): Condition {
  const passes = (filter: string, value: string) =>
    `(${subscription}.${filter} is null or ${event}.${value} is null or ${has(`${subscription}.${filter}`, `${event}.${value}`)})`;
  return sql.raw(`(${passes('shop_ids', 'shop_id')} and ${passes('sources', 'source')})`);
}

function has(list: string, value: string): string {
  return `exists (select 1 from json_each(${list}) where value = ${value})`;
}

/**
 * SQL for whether an id is in a list, in which most ids may belong to no row. The SQL searches a range of an index
 * first, so D1 reads only rows that exist.
 */
function isAmong(ids: Value<readonly string[]>, id: Condition): Condition {
  const first = encoded(ids, (all) => all.toSorted()[0]);
  const last = encoded(ids, (all) => all.toSorted().at(-1));
  return sql`(${id} between ${first} and ${last} and instr(${jsonOf(ids)}, ${id}) > 0)`;
}

interface FanOut {
  /** The ids of the events, at least one, in the order of the events. An id is ignored if its event was not written. */
  eventIds: readonly string[];
  /** The prefix that the ids of the deliveries get (`newIdPrefix`). */
  idPrefix: string;
  now: number;
  leaseUntil: number;
}

/**
 * Inserts a delivery for each event and each subscription that takes it. The delivery is `held` if the subscription is
 * on hold or paused, otherwise due at once. Some due deliveries are inserted as claimed, and the caller posts them.
 * Their receiver must be healthy and must not have asked to wait. At most `FIRST_ATTEMPTS_MAX` are claimed, and only
 * while fewer than `UNDER_WAY_MAX` attempts of the subscription are under way. Deliveries are claimed only if
 * `canStart` holds. If D1 runs the batch twice, the second run inserts nothing.
 */
export const insertFanOut = prepared(({ eventIds, idPrefix, now, leaseUntil }: Named<FanOut>, canStart: Condition) => {
  const order = sql`priority, seq`;
  const matching = sql`(select events.id as event_id, events.org_id, events.type, events.created_at, events.seq,
      ${priorityOf(sql`events.type`)} as priority, subscriptions.id as subscription_id, subscriptions.status,
      subscriptions.is_healthy and coalesce(subscriptions.wait_until, 0) <= ${now} as takes_posts
    from ${events} join ${subscriptions} on subscriptions.org_id = events.org_id
      and (subscriptions.integration_id is null or subscriptions.integration_id = events.integration_id)
    where ${isAmong(eventIds, sql`events.id`)} and subscriptions.deleted_at is null and subscriptions.status <> 'disabled'
      and not exists (select 1 from ${deliveries} as earlier where earlier.event_id = events.id)
      and ${isChosen('events', 'subscriptions')} and ${passesFilters('events', 'subscriptions')})`;
  const ready = sql`(select *, row_number() over (order by ${order}, subscription_id) - 1 as ordinal,
      status = 'active' and takes_posts and ${canStart} and not ${isSuspended(sql`matching.org_id`)} and ${countUnderWay(sql`matching.subscription_id`, now)}
        + row_number() over (partition by subscription_id order by ${order}) <= ${UNDER_WAY_MAX} as is_ready
    from ${matching} as matching)`;
  const found = sql`(select *, is_ready and sum(is_ready) over (order by ordinal) <= ${FIRST_ATTEMPTS_MAX} as starts
    from ${ready})`;
  const row = {
    id: numberedId(idPrefix, sql`found.ordinal`),
    orgId: sql`found.org_id`,
    eventId: sql`found.event_id`,
    subscriptionId: sql`found.subscription_id`,
    priority: sql`found.priority`,
    eventType: sql`found.type`,
    trigger: 'event' as const,
    status: sql`case when found.status <> 'active' then 'held' when found.starts then 'delivering' else 'pending' end`,
    attemptCount: sql`found.starts`,
    nextAttemptAt: 0,
    leaseUntil: sql`iif(found.starts, ${leaseUntil}, 0)`,
    createdAt: sql`found.created_at`,
    finishedAt: null,
  };
  return insertSelect(deliveries, row, sql`from ${found} as found where true`).onConflictDoNothing();
});

/**
 * Selects the deliveries that `insertFanOut` inserted as claimed or as due. Leaves out held deliveries and those to a
 * receiver that asked to wait.
 */
export const selectStarted = prepared(({ idPrefix, now, leaseUntil }: Named<Omit<FanOut, 'eventIds'>>) =>
  orm
    .select({
      ...CLAIMED,
      status: deliveries.status,
      nextAttemptAt: deliveries.nextAttemptAt,
      /** How many attempts of the subscription are under way, with this one. */
      underWay: sql<number>`${countUnderWay(sql`deliveries.subscription_id`, now)}`.as('under_way'),
    })
    .from(deliveries)
    .where(
      sql`deliveries.id between ${idPrefix} and ${idPrefix} || 'g'
        and ((status = 'pending' and not exists (select 1 from ${subscriptions} as subscription
            where subscription.id = deliveries.subscription_id and subscription.wait_until > ${now}))
          or (status = 'delivering' and attempt_count = 1 and lease_until = ${leaseUntil}))`,
    ),
);

export type StartedDelivery = Awaited<ReturnType<typeof selectStarted>>[number];

/**
 * The most deliveries that one statement moves. When a subscription takes no posts, its due deliveries become `held`;
 * when it takes posts again, held ones become due. When it is deleted, both are cancelled. If there are more
 * deliveries, the sweep moves them later (`noteUnsettled`). Nobody has to wait for all of them.
 */
export const MOVED_AT_ONCE = 1_000;

/**
 * SQL for the ids of a subscription's next deliveries with a status, except its probe (the delivery that tries a
 * failing receiver). Selects nothing unless the condition `ofSubscription` holds for the subscription.
 */
function page(subscriptionId: string, status: 'pending' | 'held', ofSubscription: Condition): Condition {
  return sql`(select id from ${deliveries} as waiting where waiting.subscription_id = ${subscriptionId}
      and waiting.status = '${sql.raw(status)}' and waiting.id <> coalesce((select probe_id from ${subscriptions} where id = ${subscriptionId}), '')
      and exists (select 1 from ${subscriptions} where id = ${subscriptionId} and ${ofSubscription})
    order by ${sql.raw(status === 'held' ? 'id' : 'priority, next_attempt_at')} limit ${MOVED_AT_ONCE})`;
}

/**
 * Makes delayed deliveries due now, if their receiver asked to wait. Used when an owner has resumed the subscription or
 * changed its address. The statement reads `wait_until`, so it must come before the statement that ends the wait.
 */
export function hastenDeliveries(subscriptionId: string, now: number) {
  return orm
    .update(deliveries)
    .set({ nextAttemptAt: now })
    .where(
      sql`id in (select id from ${deliveries} as waiting where waiting.subscription_id = ${subscriptionId}
        and waiting.status in ('pending', 'held') and waiting.next_attempt_at > ${now}
        and exists (select 1 from ${subscriptions} where id = ${subscriptionId} and wait_until > ${now}) limit ${MOVED_AT_ONCE})`,
    )
    .returning(DUE);
}

/** Changes the pending deliveries of an inactive subscription to `held`, except its probe. */
export function holdDeliveries(subscriptionId: string) {
  const isStopped = sql`deleted_at is null and status <> 'active'`;
  return orm
    .update(deliveries)
    .set({ status: 'held' })
    .where(sql`id in ${page(subscriptionId, 'pending', isStopped)}`);
}

/**
 * Makes the oldest held deliveries of an active subscription `pending` again. The times of their next attempts stay the
 * same.
 */
export function releaseDeliveries(subscriptionId: string) {
  const isActive = sql`deleted_at is null and status = 'active'`;
  return orm
    .update(deliveries)
    .set({ status: 'pending' })
    .where(sql`id in ${page(subscriptionId, 'held', isActive)}`)
    .returning(DUE);
}

/** Cancels the pending and held deliveries of a deleted subscription. */
export function cancelDeliveries(subscriptionId: string, now: number) {
  const isDeleted = sql`deleted_at is not null`;
  return orm
    .update(deliveries)
    .set({ status: 'cancelled', finishedAt: now })
    .where(
      sql`(id in ${page(subscriptionId, 'pending', isDeleted)} or id in ${page(subscriptionId, 'held', isDeleted)})`,
    );
}

/**
 * Sets `isSettling` of a subscription to whether some of its deliveries do not match its status yet. Must come after
 * the statements that move deliveries.
 */
export function noteUnsettled(subscriptionId: string) {
  const has = (status: 'pending' | 'held') =>
    sql`exists (select 1 from ${deliveries} as waiting where waiting.subscription_id = ${subscriptionId}
      and waiting.status = '${sql.raw(status)}' and waiting.id <> coalesce(probe_id, ''))`;
  const isUnsettled = sql`case when deleted_at is not null then ${has('held')} or ${has('pending')}
    when status = 'active' then ${has('held')} else ${has('pending')} end`;
  return orm
    .update(subscriptions)
    .set({ isSettling: sql`not is_settling` })
    .where(sql`id = ${subscriptionId} and is_settling <> (${isUnsettled})`);
}

/** At most this many of the newest failed deliveries are searched for those of the failure streak (`failingSince`). */
const LOOKED_AT = 1_000;

/**
 * SQL for whether a subscription has missed an event: no delivery of this event to this subscription has succeeded, is
 * under way, or waits.
 */
export function isMissed(eventId: Condition, subscriptionId: Condition): Condition {
  return sql`not exists (select 1 from ${deliveries} as other where other.event_id = ${eventId}
    and other.subscription_id = ${subscriptionId} and other.status in ('pending', 'delivering', 'held', 'succeeded'))`;
}

/**
 * Inserts a delivery for each event that was given up in the failure streak that stopped the subscription. These
 * deliveries come before all waiting ones, oldest first. Nothing is inserted for an active subscription. An event gets
 * at most one automatic delivery (`recovery`), because an event that the receiver cannot take must not be repeated
 * forever. A person may repeat it more often. Only the oldest `GIVEN_UP_MAX` events are included; `recover` repeats the
 * others.
 * @param idPrefix the prefix that the ids of the deliveries get
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
