import { and, eq, gt, gte, type InferSelectModel, isNull, sql } from 'drizzle-orm';
import { type Condition, insertSelect } from '../../platform/data/db';
import { columnsOf, encoded, jsonOf, type Named, orm, prepared, type Value } from '../../platform/data/statements';
import { firstIdAt } from '../../platform/ids';
import { HOUR_MS } from '../../platform/time';
import { events, subscriptions } from '../tables';

/** The number of an organization's next event, in the statement that inserts it. */
export function nextSeq(orgId: Value<string>): Condition {
  return sql`(select coalesce(max(seq), 0) + 1 from ${events} where org_id = ${orgId})`;
}

type NewEvent = Pick<InferSelectModel<typeof events>, 'id' | 'orgId' | 'type' | 'body' | 'createdAt'>;

/** The event is written only if the condition holds within the batch; when D1 runs that twice, once. */
export const insertEvent = prepared((row: Named<NewEvent>, onlyIf: Condition) =>
  insertSelect(
    events,
    { ...columnsOf(events, row), seq: nextSeq(row.orgId), isTest: false, chunkSeq: null },
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
export const insertEvents = prepared((of: Named<NewEvents>, rows: Condition) => insertEach(of, rows));

/**
 * One event for all rows that a SELECT finds, as `metadata.products`; another one from a size on that D1 still takes.
 * @param rows as those of `insertEvents`
 */
export const insertChunks = prepared((of: Named<NewEvents>, rows: Condition) =>
  insertEach(
    of,
    sql`select json_object('products', json_group_array(json(metadata))) as metadata from ${chunked(rows)}
      group by chunk order by chunk`,
  ),
);

/**
 * Behind `insertChunks`, for the same rows: an event for each, where a subscription takes `product_updated` and no chunks.
 * @param of.chunkIds the ids of the chunks
 */
export const insertBeside = prepared((of: Named<NewEvents & { chunkIds: readonly string[] }>, rows: Condition) => {
  const chunkId = sql`json_extract(${jsonOf(of.chunkIds)}, '$[' || found.chunk || ']')`;
  return insertEach(
    of,
    sql`select * from ${chunked(rows)} where ${takesEachProduct(of.orgId)}`,
    sql`(select chunk.seq from ${events} as chunk where chunk.id = ${chunkId})`,
  );
});

/** Whether an organization has a subscription that takes `product_updated` and no chunks of them. */
export function takesEachProduct(orgId: Value<string> | Condition): Condition {
  return sql`exists (select 1 from ${subscriptions} as subscription where subscription.org_id = ${orgId}
    and subscription.deleted_at is null and subscription.status <> 'disabled'
    and exists (select 1 from json_each(subscription.event_types) where value = 'product_updated')
    and not ${takesChunks(sql`subscription.event_types`)})`;
}

/** Whether a subscription takes changes of many products as one event. */
export function takesChunks(eventTypes: Condition): Condition {
  return sql`exists (select 1 from json_each(${eventTypes}) where value = 'products_updated')`;
}

/** D1 stores at most 2 MB in a row. */
const CHUNK_BYTES_MAX = 1_500_000;

function chunked(rows: Condition): Condition {
  return sql`(select metadata, sum(length(cast(metadata as blob))) over (rows unbounded preceding) / ${sql.raw(`${CHUNK_BYTES_MAX}`)}
    as chunk from (${rows}))`;
}

function insertEach(of: Named<NewEvents>, rows: Condition, chunkSeq: Condition | null = null) {
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
    },
    sql`from (select *, row_number() over () - 1 as position from (${rows})) as found
      where found.position < json_array_length(${jsonOf(of.ids)})`,
  ).onConflictDoNothing();
}

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
        isNull(events.chunkSeq),
      ),
    )
    .orderBy(events.seq)
    .limit(limit);
});
