import { and, eq, gt, gte, type InferInsertModel, type InferSelectModel, sql } from 'drizzle-orm';
import { type Condition, insertSelect } from '../../platform/db';
import { firstIdAt } from '../../platform/ids';
import { columnsOf, encoded, jsonOf, type Named, orm, prepared, type Value } from '../../platform/statements';
import { HOUR_MS } from '../../platform/time';
import { deliveries, deliveryAttempts, events, subscriptions } from '../tables';

/** The delivery's subscription, in a statement about deliveries. */
const isOfSubscription = sql`from ${subscriptions} as subscription where subscription.id = ${deliveries.subscriptionId}`;

/** The delivery's subscription accepts posts now. */
export const isPostedTo: Condition = sql`exists (select 1 ${isOfSubscription}
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
  const value = (name: keyof NewAttempt) => sql`made.value ->> ${name}`;
  const row = {
    deliveryId: value('deliveryId'),
    attempt: value('attempt'),
    trigger: value('trigger'),
    startedAt: value('startedAt'),
    durationMs: value('durationMs'),
    httpStatus: value('httpStatus'),
    failureClass: value('failureClass'),
    answerExcerpt: value('answerExcerpt'),
  };
  return insertSelect(
    deliveryAttempts,
    row,
    sql`from json_each(${jsonOf(attempts)}) as made where true`,
  ).onConflictDoNothing();
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

/** The number of an organization's next event, in the statement that inserts it. */
export function nextSeq(orgId: Value<string>): Condition {
  return sql`(select coalesce(max(seq), 0) + 1 from ${events} where org_id = ${orgId})`;
}

type NewEvent = Pick<InferSelectModel<typeof events>, 'id' | 'orgId' | 'type' | 'body' | 'createdAt'>;

/** The event is written only if the condition holds within the batch; when D1 runs that twice, once. */
export const insertEvent = prepared((row: Named<NewEvent>, onlyIf: Condition) =>
  insertSelect(
    events,
    { ...columnsOf(events, row), seq: nextSeq(row.orgId), isTest: false },
    sql`where ${onlyIf}`,
  ).onConflictDoNothing(),
);

interface NewEvents extends Pick<NewEvent, 'orgId' | 'type' | 'createdAt'> {
  /** As many as there can be rows. */
  ids: readonly string[];
  title: string;
  description: string;
  createdAtText: string;
}

/**
 * An event for each row that a SELECT finds; when D1 runs the batch twice, once.
 * @param rows SELECT of one column `metadata`, JSON objects
 */
export const insertEvents = prepared((of: Named<NewEvents>, rows: Condition) => {
  const body = sql`json_object('id', ids.value, 'org_id', ${of.orgId}, 'event_type', ${of.type}, 'title', ${of.title},
    'description', ${of.description}, 'metadata', json(found.metadata), 'created_at', ${of.createdAtText})`;
  return insertSelect(
    events,
    {
      ...columnsOf(events, of),
      seq: sql`${nextSeq(of.orgId)} + found.position`,
      id: sql`ids.value`,
      body,
      isTest: false,
    },
    sql`from (select metadata, row_number() over () - 1 as position from (${rows})) as found
      join json_each(${jsonOf(of.ids)}) as ids on ids.key = found.position where true`,
  ).onConflictDoNothing();
});

/** Far longer than the time between creating an event's id and its commit. */
const COMMIT_LAG_MS = HOUR_MS;

/**
 * A number below that of every event of the organization created since a time: numbers are assigned at commit, ids when the
 * event is created. An event whose id is an hour older than `since` was committed before `since`, so its number is lower
 * than that of every event created since; at most one hour of events is read in addition. A binary search over the numbers
 * finds it in about twenty steps.
 */
export function lastSeqBefore(orgId: Value<string>, since: Value<number>): Condition {
  const before = encoded(since, (at) => firstIdAt(at - COMMIT_LAG_MS));
  const middle = sql`(low + high) / 2`;
  const isOlder = sql`(select id from ${events} where org_id = ${orgId} and seq >= ${middle} order by seq limit 1)
    < ${before}`;
  return sql`(with recursive search(low, high) as (
    select 0, ${nextSeq(orgId)}
    union all
    select iif(${isOlder}, ${middle} + 1, low), iif(${isOlder}, high, ${middle}) from search where low < high
  ) select max(low) - 1 from search)`;
}

interface FeedPage {
  orgId: string;
  after: number;
  /** Epoch ms. */
  since: number;
  limit: number;
}

/** An organization's events after a cursor, oldest first, without test events. Older ones are skipped by number. */
export const selectEvents = prepared(({ orgId, after, since, limit }: Named<FeedPage>) => {
  // A reader that keeps up needs no search.
  const isRecent = sql`exists (select 1 from ${events} as seen where seen.org_id = ${orgId} and seen.seq = ${after}
    and seen.created_at >= ${since})`;
  return orm
    .select({ seq: events.seq, body: events.body })
    .from(events)
    .where(
      and(
        eq(events.orgId, orgId),
        gt(events.seq, sql`iif(${isRecent}, ${after}, max(${after}, ${lastSeqBefore(orgId, since)}))`),
        gte(events.createdAt, since),
        eq(events.isTest, false),
      ),
    )
    .orderBy(events.seq)
    .limit(limit);
});
