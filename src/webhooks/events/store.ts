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

/** SQL for the number of an organization's next event, for the statement that inserts this event. */
export function nextSeq(orgId: Value<string>): Condition {
  return sql`(select coalesce(max(seq), 0) + 1 from ${events} where org_id = ${orgId})`;
}

/**
 * SQL for the sequence number in the posts of an event. It is 0 for a test. For an event that repeats a part of a
 * `products_updated`, it is the number of the `products_updated`. Otherwise, it is the event's own number.
 * @param event name of the event's row
 */
export function sequenceOf(event: string): Condition {
  return sql.raw(`iif(${event}.is_test, 0, coalesce(${event}.chunk_seq, ${event}.seq))`);
}

type NewEvent = Omit<InferSelectModel<typeof events>, 'seq' | 'isTest' | 'chunkSeq'>;

/** Writes the event if `onlyIf` holds within the batch. If D1 runs the batch twice, the event is written once. */
export const insertEvent = prepared((row: Named<NewEvent>, onlyIf: Condition) =>
  insertSelect(
    events,
    { ...columnsOf(events, row), seq: nextSeq(row.orgId), isTest: false, chunkSeq: null },
    sql`where ${onlyIf}`,
  ).onConflictDoNothing(),
);

interface NewEvents extends Pick<NewEvent, 'orgId' | 'type' | 'createdAt'> {
  /** The ids for the new events, at least one for each possible row. */
  ids: readonly string[];
  title: string;
  description: string;
  createdAtText: string;
}

/**
 * Inserts an event for each row of a SELECT. If D1 runs the batch twice, each is inserted once.
 * @param rows the SELECT. Its column `metadata` has JSON objects
 */
export const insertEvents = prepared((of: Named<NewEvents>, rows: Condition) => insertEach(of, rows));

/** As `insertEvents`, for order requests. The rows have the columns `metadata` and `integration_id`. */
export const insertRequestEvents = prepared((of: Named<NewEvents>, rows: Condition) =>
  insertEach(of, rows, { isOfRequests: true }),
);

/**
 * Inserts a `products_updated` event whose `metadata.products` has all rows of a SELECT. If one event would be too
 * large for D1, the rows are divided among several such events (chunks).
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
 * Inserts a `product_updated` event for each row, for subscriptions that take these events but not `products_updated`.
 * Inserts nothing if there is no such subscription. Must come after `insertChunks`.
 * @param of.chunkIds the ids of the events that `insertChunks` inserted from the same rows
 */
export const insertBeside = prepared((of: Named<NewEvents & { chunkIds: readonly string[] }>, rows: Condition) => {
  const chunkId = sql`json_extract(${jsonOf(of.chunkIds)}, '$[' || found.chunk || ']')`;
  return insertEach(of, sql`select * from ${chunked(rows)} where ${takesEachProduct(of.orgId)}`, {
    chunkSeq: sql`(select chunk.seq from ${events} as chunk where chunk.id = ${chunkId})`,
  });
});

/** SQL for whether an organization has a subscription that takes `product_updated` but not `products_updated`. */
export function takesEachProduct(orgId: Value<string> | Condition): Condition {
  return sql`exists (select 1 from ${subscriptions} as subscription where subscription.org_id = ${orgId}
    and subscription.deleted_at is null and subscription.status <> 'disabled'
    and exists (select 1 from json_each(subscription.event_types) where value = 'product_updated')
    and not ${takesChunks(sql`subscription.event_types`)})`;
}

/** SQL for whether a subscription takes changes of many products as one event (`products_updated`). */
export function takesChunks(eventTypes: Condition): Condition {
  return sql`exists (select 1 from json_each(${eventTypes}) where value = 'products_updated')`;
}

/** The most bytes of metadata in one chunk, because D1 stores at most 2 MB in a row. */
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

/** The longest time between the making of an event's id and the commit of the event, in ms. */
const COMMIT_LAG_MS = HOUR_MS;

/**
 * SQL for a number below the numbers of all events that the organization created since a time. An event gets its number
 * at commit, up to an hour after its id is made. The SQL therefore selects the number of the last event whose id is
 * over an hour older than `since`. A binary search finds it in about twenty steps. At most one hour of events is read
 * in addition.
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

/**
 * SQL for whether the feed has the event. The feed lacks tests, and events that repeat a part of a `products_updated`.
 */
const isInFeed = sql`is_test = 0 and chunk_seq is null`;

/** SQL for the number after which a page begins. The page skips events that are older than `since`. */
function startOf({ orgId, after, since }: Named<Omit<FeedPage, 'limit'>> | Omit<FeedPage, 'limit'>): Condition {
  // A reader that keeps up with the events needs no search.
  const isRecent = sql`exists (select 1 from ${events} as seen where seen.org_id = ${orgId} and seen.seq = ${after}
    and seen.created_at >= ${since})`;
  return sql`iif(${isRecent}, ${after}, max(${after}, ${lastSeqBefore(orgId, since)}))`;
}

/** Selects an organization's events after a cursor, oldest first, as the feed has them. */
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

/**
 * The type that has no index, because its inserts must be fast. To find events of this type, the feed scans the next
 * `LOOKED_AT` events.
 */
const UNINDEXED: EventType = 'order_request_submitted';
const LOOKED_AT = 1_000;

/** SQL for the next events that a page scans. */
function lookedAt(page: FeedPage): Condition {
  return sql`select * from ${events} where org_id = ${page.orgId} and seq > ${startOf(page)} order by seq limit ${LOOKED_AT}`;
}

/**
 * As `selectEvents`, for some types. Events of the type without an index (`UNINDEXED`) are found only up to the end of
 * the scan (`selectFeedEnd`).
 */
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
 * Selects the number of the last event that a page scans. No row if `types` needs no scan, or if the scan has reached
 * the newest event.
 */
export function selectFeedEnd(types: readonly EventType[], page: FeedPage) {
  return orm
    .select({ seq: sql<number>`seq`.as('feed_end') })
    .from(sql`(${lookedAt(page)})`)
    .where(types.includes(UNINDEXED) ? undefined : sql`false`)
    .limit(1)
    .offset(LOOKED_AT - 1);
}

/** The rows whose events an erasure clears. Each field whose name ends in `Ids` is SQL for a list of ids. */
export interface ErasedSubjects {
  orgId: string;
  requestIds: Condition;
  orderIds: Condition;
  prescriptionIds: Condition;
  /** SQL for the times (epoch ms) at which the requests and orders were created. */
  createdAt: Condition;
  /** Epoch ms. All events about these rows are from this time or later. */
  since: number;
}

/** The names of the texts in metadata that an erasure empties, and the types of events with such texts. */
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
 * An event may have been made up to `MINUTES_BEFORE` before the time of its row or audit row, or up to `MINUTES_AFTER`
 * after it. One request makes the event and these rows, but a PDF may be stored in between, and the clocks of isolates
 * differ a little.
 */
const [MINUTES_BEFORE, MINUTES_AFTER] = [1, 5];

/** SQL for the lower bound of the ids that were made in a minute (`firstIdAt`). */
function idsFrom(minute: Condition): Condition {
  return sql`printf('%08x-%04x', (${minute}) * 60000 >> 16, (${minute}) * 60000 & 65535)`;
}

/**
 * SQL for the ids of the events about the erased rows. No index finds these events. Each was made when the row was
 * created, or together with an audit row about it. The events of those minutes are therefore scanned by id.
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
 * Empties the texts about people in stored envelopes. Every other byte stays. From then on, the pull feed, the log and
 * open deliveries send the emptied text. The signature matches this text, because it is computed when the text is sent.
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

/** Deletes the receivers' responses to events about the erased rows. A response may repeat the event. */
export function emptyAnswers(erased: ErasedSubjects) {
  const affected = sql`(select delivery.id from ${deliveries} as delivery where delivery.event_id in ${eventsAbout(erased)})`;
  return orm
    .update(deliveryAttempts)
    .set({ answerExcerpt: null })
    .where(sql`answer_excerpt is not null and delivery_id in ${affected}`);
}

/** The times (epoch ms) by which retention decides which events to delete. */
export interface RetentionBounds {
  createdBefore: number;
  /**
   * An event stays if it has a delivery that was created since this time. The delivery may continue, and reports have
   * not counted it yet.
   */
  deliveredSince: number;
}

/** SQL for whether one of the event's deliveries is under way or was created recently. */
function isUnderWay(eventId: Condition, deliveredSince: number): Condition {
  return sql`exists (select 1 from ${deliveries} as delivery where delivery.event_id = ${eventId}
    and (delivery.status = 'delivering' or delivery.created_at >= ${deliveredSince}))`;
}

/**
 * Selects the oldest events to delete. An organization's newest event always stays, because it tells the number of the
 * next one.
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

/** SQL for the ids of those events that may still be deleted when the batch runs. */
function ending(eventIds: readonly string[], { deliveredSince }: RetentionBounds): Condition {
  return sql`(select chosen.value from json_each(${JSON.stringify(eventIds)}) as chosen
    where not ${isUnderWay(sql`chosen.value`, deliveredSince)})`;
}

const isWaiting = sql`delivery.status in ('held', 'pending')`;

/** The audit action for deliveries that were deleted because they had waited too long. */
const WAITED_TOO_LONG = 'subscription.deliveries_expired' satisfies AuditAction;

interface ExpiredRow {
  idPrefix: string;
  at: number;
  dayStart: number;
  requestId: string;
}

/** Inserts an audit row for each subscription that loses waiting deliveries, at most one a day. */
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
 * Returns the statements that delete these events with their deliveries and attempts. Before, an audit row is written
 * for each subscription that loses waiting deliveries.
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
