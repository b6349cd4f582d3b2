import { and, eq, gt, gte, type InferSelectModel, sql } from 'drizzle-orm';
import type { AuditAction } from '../../audit/actions';
import { auditByEntity } from '../../audit/store';
import { auditLog } from '../../audit/tables';
import { unset } from '../../platform/data/columns';
import { inList, insertSelect } from '../../platform/data/db';
import type { PageAfter } from '../../platform/data/page';
import {
  type Condition,
  columnsOf,
  encoded,
  idsForEach,
  jsonOf,
  type Named,
  numberedId,
  orm,
  prepared,
  type Value,
} from '../../platform/data/statements';
import { firstIdAt } from '../../platform/ids';
import { once } from '../../platform/isolate-cache';
import { HOUR_MS } from '../../platform/time';
import { isSettled } from '../../tenants/tables';
import { EVENT_TYPES, type EventType, textClasses } from '../event-types';
import { deliveries, deliveryAttempts, events, subscriptions } from '../tables';

/** The number of an organization's next event, in the statement that inserts it. */
export function nextSeq(orgId: Value<string>): Condition {
  return sql`(select coalesce(max(seq), 0) + 1 from ${events} where org_id = ${orgId})`;
}

/**
 * The sequence number in posts of an event: 0 for a test; the number of the `products_updated` that the event repeats a
 * part of, if any; otherwise the event's own number.
 * @param event name of the row
 */
export function sequenceOf(event: string): Condition {
  return sql.raw(`iif(${event}.is_test, 0, coalesce(${event}.chunk_seq, ${event}.seq))`);
}

type NewEvent = Omit<InferSelectModel<typeof events>, 'seq' | 'isTest' | 'chunkSeq'>;

/** Writes the event if `onlyIf` holds within the batch. Writes it once even if D1 runs the batch twice. */
export const insertEvent = prepared((row: Named<NewEvent>, onlyIf: Condition) =>
  insertSelect(
    events,
    { ...columnsOf(events, row), seq: nextSeq(row.orgId), isTest: false, chunkSeq: null },
    sql`where ${onlyIf}`,
  ).onConflictDoNothing(),
);

interface NewEvents extends Pick<NewEvent, 'orgId' | 'type' | 'createdAt'> {
  /** One id for each possible row. */
  ids: readonly string[];
  title: string;
  description: string;
  createdAtText: string;
}

/**
 * Inserts an event for each row of a SELECT, once even if D1 runs the batch twice. The rows have a column `metadata`:
 * JSON objects.
 */
export const insertEvents = prepared((of: Named<NewEvents>, rows: Condition) => insertEach(of, rows));

/** Like `insertEvents`, for order requests: the rows have the columns `metadata` and `integration_id`. */
export const insertRequestEvents = prepared((of: Named<NewEvents>, rows: Condition) =>
  insertEach(of, rows, { isOfRequests: true }),
);

/**
 * Inserts one `products_updated` (a chunk) for all rows of a SELECT, as `metadata.products`; several if one would be
 * too large for D1.
 * @param rows as for `insertEvents`
 */
export const insertChunks = prepared((of: Named<NewEvents>, rows: Condition) =>
  insertEach(
    of,
    sql`select json_object('products', json_group_array(json(metadata))) as metadata from ${chunked(rows)}
      group by chunk order by chunk`,
  ),
);

/**
 * Inserts an event for each row if a subscription takes `product_updated` but not `products_updated`. Put it after
 * `insertChunks`.
 * @param of.chunkIds the ids of the chunks
 */
export const insertBeside = prepared((of: Named<NewEvents & { chunkIds: readonly string[] }>, rows: Condition) => {
  const chunkId = sql`json_extract(${jsonOf(of.chunkIds)}, '$[' || found.chunk || ']')`;
  return insertEach(of, sql`select * from ${chunked(rows)} where ${takesEachProduct(of.orgId)}`, {
    chunkSeq: sql`(select chunk.seq from ${events} as chunk where chunk.id = ${chunkId})`,
  });
});

/** Condition: an organization has a subscription that takes `product_updated` but not `products_updated`. */
export function takesEachProduct(orgId: Value<string> | Condition): Condition {
  return sql`exists (select 1 from ${subscriptions} as subscription where subscription.org_id = ${orgId}
    and subscription.deleted_at is null and subscription.status <> 'disabled'
    and exists (select 1 from json_each(subscription.event_types) where value = 'product_updated')
    and not ${takesChunks(sql`subscription.event_types`)})`;
}

/** Condition: a subscription takes changes of many products as one event (`products_updated`). */
export function takesChunks(eventTypes: Condition): Condition {
  return sql`exists (select 1 from json_each(${eventTypes}) where value = 'products_updated')`;
}

/** The most bytes of metadata in one chunk: D1 stores at most 2 MB in a row. */
const CHUNK_BYTES_MAX = 1_500_000;

function chunked(rows: Condition): Condition {
  return sql`(select metadata, sum(length(cast(metadata as blob))) over (rows unbounded preceding) / ${sql.raw(`${CHUNK_BYTES_MAX}`)}
    as chunk from (${rows}))`;
}

interface Each {
  chunkSeq?: Condition | null;
  isOfRequests?: boolean;
}

function insertEach(of: Named<NewEvents>, rows: Condition, { chunkSeq = null, isOfRequests = false }: Each = {}) {
  const id = sql`json_extract(${jsonOf(of.ids)}, '$[' || found.position || ']')`;
  const body = sql`json_object('id', ${id}, 'org_id', ${of.orgId}, 'event_type', ${of.type}, 'title', ${of.title},
    'description', ${of.description}, 'metadata', json(found.metadata), 'created_at', ${of.createdAtText})`;
  return insertSelect(
    events,
    {
      ...columnsOf(events, of),
      seq: sql`${nextSeq(of.orgId)} + found.position`,
      id,
      body,
      isTest: false,
      chunkSeq,
      ...(isOfRequests
        ? {
            shopId: sql`found.metadata ->> 'shop_id'`,
            source: sql`found.metadata ->> 'source'`,
            integrationId: sql`found.integration_id`,
          }
        : { shopId: null, source: null, integrationId: null }),
    },
    sql`from (select *, row_number() over () - 1 as position from (${rows})) as found
      where found.position < json_array_length(${jsonOf(of.ids)})`,
  ).onConflictDoNothing();
}

/** An upper bound, in ms, for the time between making an event's id and its commit. */
const COMMIT_LAG_MS = HOUR_MS;

/**
 * A number below that of every event of the organization that was created since a time, as a subquery. Numbers are
 * assigned at commit, ids when the event is created. An event whose id is an hour older than `since` was committed
 * before `since`, so its number is lower. At most one hour of events is read in addition. A binary search over the
 * numbers takes about twenty steps.
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

interface FeedPage extends PageAfter<number> {
  /** Epoch ms. */
  since: number;
}

/** Condition: the event is in the feed. Tests, and events that repeat a part of a `products_updated`, are not. */
const isInFeed = sql`is_test = 0 and chunk_seq is null`;

/** The number after which a page begins, so that events older than `since` are not read. */
function startOf({ orgId, after, since }: Named<Omit<FeedPage, 'limit'>> | Omit<FeedPage, 'limit'>): Condition {
  // A reader that keeps up with the events needs no search.
  const isRecent = sql`exists (select 1 from ${events} as seen where seen.org_id = ${orgId} and seen.seq = ${after}
    and seen.created_at >= ${since})`;
  return sql`iif(${isRecent}, ${after}, max(${after}, ${lastSeqBefore(orgId, since)}))`;
}

/** An organization's events after a cursor, oldest first, without test events. */
export const selectEvents = prepared((page: Named<FeedPage>) =>
  orm
    .select({ seq: events.seq, body: events.body })
    .from(events)
    .where(
      and(eq(events.orgId, page.orgId), gt(events.seq, startOf(page)), gte(events.createdAt, page.since), isInFeed),
    )
    .orderBy(events.seq)
    .limit(page.limit),
);

/** The type that has no index, because its inserts must be fast. The feed scans the next `LOOKED_AT` events for it. */
const UNINDEXED: EventType = 'order_request_submitted';
const LOOKED_AT = 1_000;

/** SELECT of the next events that are scanned. */
function lookedAt(page: FeedPage): Condition {
  return sql`select * from ${events} where org_id = ${page.orgId} and seq > ${startOf(page)} order by seq limit ${LOOKED_AT}`;
}

/** Like `selectEvents`, for some types. Events of the type without an index are found only up to `selectFeedEnd`. */
export function selectEventsOf(types: readonly EventType[], page: FeedPage) {
  const isOfPage = sql`created_at >= ${page.since} and ${isInFeed} order by seq limit ${page.limit}`;
  const unindexed = sql.raw(`'${UNINDEXED}'`);
  const indexed = idsForEach(
    types.filter((type) => type !== UNINDEXED),
    sql`select seq as id from ${events} indexed by events_by_type
      where org_id = ${page.orgId} and type = each.value and type <> ${unindexed} and seq > ${startOf(page)} and ${isOfPage}`,
  );
  const looked = sql`select * from (select seq from (${lookedAt(page)}) where type = ${unindexed} and ${isOfPage})`;
  const found = sql`select found.value as seq from ${indexed}${types.includes(UNINDEXED) ? sql` union all ${looked}` : sql``}`;
  return orm
    .select({ seq: sql<number>`page.seq`.as('seq'), body: sql<string>`events.body`.as('body') })
    .from(sql`(${found} order by seq limit ${page.limit}) as page cross join ${events}`)
    .where(sql`${events.orgId} = ${page.orgId} and ${events.seq} = page.seq`)
    .orderBy(sql`page.seq`);
}

/**
 * Reads the number of the last event that a page scans. Returns no row if `types` needs no scan or if the scan reached
 * the end.
 */
export function selectFeedEnd(types: readonly EventType[], page: FeedPage) {
  return orm
    .select({ seq: sql<number>`seq`.as('feed_end') })
    .from(sql`(${lookedAt(page)})`)
    .where(types.includes(UNINDEXED) ? undefined : sql`false`)
    .limit(1)
    .offset(LOOKED_AT - 1);
}

/** The rows whose events an erasure clears. Members whose name ends in `Ids` are subqueries of ids. */
export interface ErasedSubjects {
  orgId: string;
  requestIds: Condition;
  orderIds: Condition;
  prescriptionIds: Condition;
  /** A subquery of the times at which these requests and orders were created, epoch ms. */
  createdAt: Condition;
  /** Epoch ms: no event about any of these rows is earlier. */
  since: number;
}

/** The texts in metadata that an erasure empties, and the event types that have any. */
const erasedTexts = once(() => {
  const found = EVENT_TYPES.flatMap((type) =>
    [...textClasses(type)].flatMap(([name, of]) => (of === 'person' || of === 'health' ? [{ type, name }] : [])),
  );
  return {
    types: `('${[...new Set(found.map(({ type }) => type))].join("', '")}')`,
    names: [...new Set(found.map(({ name }) => name))],
  };
});

/**
 * How many minutes before and after a row or its audit row its event may have been made. The same request makes the
 * event, possibly later (a PDF is stored in between), and the clocks of isolates differ a little.
 */
const [MINUTES_BEFORE, MINUTES_AFTER] = [1, 5];

/** The lower bound of the ids of a minute (`firstIdAt`). */
function idsFrom(minute: Condition): Condition {
  return sql`printf('%08x-%04x', (${minute}) * 60000 >> 16, (${minute}) * 60000 & 65535)`;
}

/**
 * Ids of the events about the erased rows, as a subquery. No index finds these events. Each was made when the row was
 * created or with an audit row about it, so the events of those minutes are scanned by id.
 */
function eventsAbout({ orgId, requestIds, orderIds, prescriptionIds, createdAt, since }: ErasedSubjects): Condition {
  const entities = sql`select * from ${requestIds} union all select * from ${orderIds} union all select * from ${prescriptionIds}`;
  const times = sql`select at from ${auditByEntity} where org_id = ${orgId} and entity_id in (${entities})
    union all select * from ${createdAt}`;
  const minutes = sql`select distinct at / 60000 as minute from (${times}) where at >= ${since}`;
  return sql`(select event.id from (${minutes}) as touched cross join ${events} as event indexed by events_id
    where event.id >= ${idsFrom(sql`touched.minute - ${sql.raw(`${MINUTES_BEFORE}`)}`)}
      and event.id < ${idsFrom(sql`touched.minute + ${sql.raw(`${MINUTES_AFTER + 1}`)}`)}
      and event.org_id = ${orgId} and event.type in ${sql.raw(erasedTexts().types)}
      and (json_extract(event.body, '$.metadata.order_request_id') in ${requestIds}
        or json_extract(event.body, '$.metadata.order_id') in ${orderIds}
        or json_extract(event.body, '$.metadata.prescription_id') in ${prescriptionIds}))`;
}

/**
 * Clears the references in stored envelopes; every other byte stays. The pull feed, the log and open deliveries then
 * send the cleared text: the signature is computed when the text is sent.
 */
export function emptyReferences(erased: ErasedSubjects) {
  // json_replace changes only members that exist and writes the rest as JSON.stringify did: in order, compact.
  const emptied = erasedTexts().names.map((name) => sql`${`$.metadata.${name}`}, ''`);
  const body = sql`json_replace(events.body, ${sql.join(emptied, sql`, `)})`;
  return orm
    .update(events)
    .set({ body })
    .where(sql`events.id in ${eventsAbout(erased)}`);
}

/** Clears the receivers' responses to events about the erased rows, because a response may repeat the request. */
export function emptyAnswers(erased: ErasedSubjects) {
  const affected = sql`(select delivery.id from ${deliveries} as delivery where delivery.event_id in ${eventsAbout(erased)})`;
  return orm
    .update(deliveryAttempts)
    .set({ answerExcerpt: null })
    .where(sql`answer_excerpt is not null and delivery_id in ${affected}`);
}

/** The time limits of retention, epoch ms. */
export interface RetentionBounds {
  createdBefore: number;
  /**
   * An event with a delivery that was created since this time stays: the delivery may continue, and reports have not
   * counted it yet.
   */
  deliveredSince: number;
}

/** Condition: one of the event's deliveries is under way or was created recently. */
function isUnderWay(eventId: Condition, deliveredSince: number): Condition {
  return sql`exists (select 1 from ${deliveries} as delivery where delivery.event_id = ${eventId}
    and (delivery.status = 'delivering' or delivery.created_at >= ${deliveredSince}))`;
}

/**
 * The oldest events to delete. An organization's newest event always stays, because the next number is derived from it.
 */
export function selectEnding({ createdBefore, deliveredSince }: RetentionBounds, limit: number) {
  return orm
    .select({ id: events.id })
    .from(events)
    .where(
      sql`events.id < ${firstIdAt(createdBefore)} and events.seq < (select max(newest.seq) from ${events} as newest where newest.org_id = events.org_id)
        and ${isSettled(events.orgId)} and not ${isUnderWay(sql`events.id`, deliveredSince)}`,
    )
    .orderBy(events.id)
    .limit(limit);
}

/** Those of the events that may still be deleted when the batch runs, as a subquery of ids. */
function ending(eventIds: readonly string[], { deliveredSince }: RetentionBounds): Condition {
  return sql`(select chosen.value from json_each(${JSON.stringify(eventIds)}) as chosen
    where not ${isUnderWay(sql`chosen.value`, deliveredSince)})`;
}

const isWaiting = sql`delivery.status in ('held', 'pending')`;

/** The audit action for deliveries that were deleted because they had waited for too long. */
const WAITED_TOO_LONG = 'subscription.deliveries_expired' satisfies AuditAction;

interface ExpiredRow {
  idPrefix: string;
  at: number;
  dayStart: number;
  requestId: string;
}

/** Inserts an audit row for each subscription whose waiting deliveries are deleted, at most one per day. */
function insertExpired(eventIds: Condition, row: ExpiredRow) {
  return insertSelect(
    auditLog,
    {
      ...unset(auditLog),
      id: numberedId(row.idPrefix, sql`row_number() over ()`),
      orgId: sql`waiting.org_id`,
      at: row.at,
      actorKind: 'system',
      action: WAITED_TOO_LONG,
      entityId: sql`waiting.subscription_id`,
      requestId: row.requestId,
    },
    sql`from (select distinct delivery.org_id, delivery.subscription_id from ${deliveries} as delivery
        where delivery.event_id in ${eventIds} and ${isWaiting}) as waiting
      where not exists (select 1 from ${auditByEntity} where org_id = waiting.org_id
        and entity_id = waiting.subscription_id
        and action = ${WAITED_TOO_LONG} and at >= ${row.dayStart})`,
  );
}

/**
 * Returns the statements that delete these events with their deliveries and attempts. They also write audit rows for
 * subscriptions that lose waiting deliveries.
 */
export function endEvents(eventIds: readonly string[], bounds: RetentionBounds, row: ExpiredRow) {
  const ids = ending(eventIds, bounds);
  const ofThem = sql`select delivery.id from ${deliveries} as delivery where delivery.event_id in ${ids}`;
  const isEmpty = sql`not exists (select 1 from ${deliveries} as delivery where delivery.event_id = events.id)`;
  return {
    waiting: orm.select({ waiting: sql<number>`count(*)`.as('waiting') }).from(sql`(${ofThem} and ${isWaiting})`),
    expired: insertExpired(ids, row),
    attempts: orm.delete(deliveryAttempts).where(sql`delivery_id in (${ofThem})`),
    deliveries: orm.delete(deliveries).where(sql`event_id in ${ids}`),
    events: orm.delete(events).where(sql`id in ${inList(eventIds)} and ${isEmpty}`),
  };
}
