import { and, eq, gt, gte, type InferSelectModel, sql } from 'drizzle-orm';
import { type Condition, insertSelect } from '../../platform/data/db';
import { columnsOf, encoded, jsonOf, type Named, orm, prepared, type Value } from '../../platform/data/statements';
import { firstIdAt } from '../../platform/ids';
import { HOUR_MS } from '../../platform/time';
import { events } from '../tables';

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
