import { requireScope, requireSystem } from '../../platform/access';
import type { Context } from '../../platform/context';
import { newIdPrefix } from '../../platform/ids';
import { DAY_MS } from '../../platform/time';
import type { Envelope, EventType } from '../event-types';
import { EVENTS_KEPT_MS, FEED_DAYS } from '../limits';
import { endEvents, type RetentionBounds, selectEnding, selectEvents, selectEventsOf, selectFeedEnd } from './store';

/** The most searches for one page of the feed, if the page has only events of some types. */
const LOOKS_MAX = 5;

interface FeedPage {
  after: number;
  limit: number;
  /** Only events of these types; if missing, all events. */
  types?: readonly EventType[];
}

/**
 * Returns a page of the pull feed: the events that webhooks send, oldest first, for receivers that missed some. The
 * cursor is the number of the last event. Numbers are assigned at commit, so no later event gets a number below the
 * cursor.
 */
export async function listEvents(ctx: Context, input: FeedPage) {
  const { orgId } = requireScope(ctx, 'events.read');
  const since = ctx.now() - FEED_DAYS * DAY_MS;
  const { types, limit, after } = input;
  // Reads one event more than the page holds, to see whether more follow.
  const page = { orgId, since, after, limit: limit + 1 };
  const rows: Found = types
    ? await eventsOf(ctx, types, page)
    : { found: await ctx.db.rows(selectEvents(page)), end: undefined, isWhole: true };
  const found = rows.found.slice(0, limit);
  const isCut = rows.found.length > limit;
  return {
    // SAFETY: only envelopeText writes bodies.
    events: found.map(({ body }) => JSON.parse(body) as Envelope),
    nextCursor: (isCut ? undefined : rows.end) ?? found.at(-1)?.seq ?? after,
    hasMore: isCut || !rows.isWhole,
  };
}

interface Found {
  found: { seq: number; body: string }[];
  /**
   * The number of the last event that was searched. Undefined if the search ended with the last event in `found`, or
   * found nothing.
   */
  end: number | undefined;
  /** Whether the search has reached the newest event, or has found as many events as the page may have. */
  isWhole: boolean;
}

async function eventsOf(ctx: Context, types: readonly EventType[], page: Parameters<typeof selectEvents>[0]) {
  const all: Found = { found: [], end: undefined, isWhole: false };
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const next = { ...page, after: all.end ?? page.after, limit: page.limit - all.found.length };
    const { found, ends } = await ctx.db.run({ found: selectEventsOf(types, next), ends: selectFeedEnd(types, next) });
    const end = ends[0]?.seq;
    const looked = found.filter(({ seq }) => end === undefined || seq <= end);
    all.found.push(...looked);
    all.end = (looked.length === next.limit ? undefined : end) ?? looked.at(-1)?.seq ?? all.end;
    all.isWhole = looked.length === next.limit || end === undefined;
    if (all.isWhole) break;
  }
  return all;
}

/**
 * An event is not deleted while its newest delivery is younger than this, in ms. The reports have counted any older
 * delivery.
 */
const RECENT_MS = DAY_MS;
/**
 * The most events that one batch deletes. An event has at most five deliveries (without redeliveries) of three attempts
 * each, so a statement deletes a few thousand rows.
 */
const CHUNK = 250;
/**
 * The most chunks of one run. A run deletes up to 2,000 events, every minute: 2.9 million a day. With five events for
 * each order, 100,000 orders a day need a sixth of that. After an outage, the backlog is therefore gone within days.
 */
const CHUNKS_MAX = 8;

type Ended = Record<'events' | 'deliveries' | 'attempts' | 'waiting', number>;

/**
 * Deletes events after 35 days with their deliveries and attempts, oldest first. Each chunk is one batch. If a run is
 * interrupted, the next run continues. An event with an attempt under way, or with a delivery of the last day, is
 * deleted later. Deliveries are also deleted if they still wait because their subscription is paused, disabled or on
 * hold. The audit log names each subscription that loses such deliveries.
 */
export async function endOldEvents(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const now = ctx.now();
  const bounds: RetentionBounds = { createdBefore: now - EVENTS_KEPT_MS, deliveredSince: now - RECENT_MS };
  const ended: Ended = { events: 0, deliveries: 0, attempts: 0, waiting: 0 };
  try {
    let { next } = await ctx.db.run({ next: selectEnding(bounds, CHUNK) });
    for (let chunks = 0; chunks < CHUNKS_MAX && next.length > 0; chunks += 1) {
      const ids = next.map(({ id }) => id);
      next = await endChunk(ctx, ids, bounds, ended);
    }
  } finally {
    for (const [what, count] of Object.entries(ended)) if (count > 0) ctx.log('info', `ended_${what}`, { count });
  }
}

/**
 * Deletes the events of one chunk, and adds to `ended` what was deleted. @returns the ids of the next chunk, read in
 * the same round trip
 */
async function endChunk(ctx: Context, ids: string[], bounds: RetentionBounds, ended: Ended) {
  const at = ctx.now();
  const told = { idPrefix: newIdPrefix(), at, dayStart: at - (at % DAY_MS), requestId: ctx.requestId };
  const done = await ctx.db.run({ ...endEvents(ids, bounds, told), next: selectEnding(bounds, CHUNK) });
  ended.waiting += done.waiting[0]?.waiting ?? 0;
  ended.attempts += done.attempts.meta.changes;
  ended.deliveries += done.deliveries.meta.changes;
  ended.events += done.events.meta.changes;
  return ids.length < CHUNK ? [] : done.next;
}
