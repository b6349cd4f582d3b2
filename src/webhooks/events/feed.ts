import { requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { DAY_MS } from '../../platform/time';
import type { Envelope, EventType } from '../event-types';
import { FEED_DAYS } from '../limits';
import { selectEvents, selectEventsOf, selectFeedEnd } from './store';

/** How often a page looks further for events of a rare type. */
const LOOKS_MAX = 5;

interface FeedPage {
  after: number;
  limit: number;
  /** Only events of these types; all without it. */
  types?: readonly EventType[];
}

/**
 * The pull feed: all events that webhooks send, oldest first, for receivers that missed some. The cursor is the number
 * that the last event got at commit, so no event can appear before it later.
 */
export async function listEvents(ctx: Context, input: FeedPage) {
  const { orgId } = requireScope(ctx, 'events.read');
  const since = ctx.now() - FEED_DAYS * DAY_MS;
  const { types, ...page } = input;
  const rows = types
    ? await eventsOf(ctx, types, { orgId, since, ...page })
    : endingWithLast(await ctx.db.rows(selectEvents({ orgId, since, ...page })));
  return {
    // SAFETY: only envelopeText writes bodies.
    events: rows.found.map(({ body }) => JSON.parse(body) as Envelope),
    nextCursor: rows.end ?? input.after,
  };
}

interface Found {
  found: { seq: number; body: string }[];
  /** The number of the last event that was looked at. */
  end: number | undefined;
}

function endingWithLast(found: Found['found']): Found {
  return { found, end: found.at(-1)?.seq };
}

async function eventsOf(ctx: Context, types: readonly EventType[], page: Parameters<typeof selectEvents>[0]) {
  const all: Found = { found: [], end: undefined };
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const next = { ...page, after: all.end ?? page.after, limit: page.limit - all.found.length };
    const { found, ends } = await ctx.db.run({ found: selectEventsOf(types, next), ends: selectFeedEnd(types, next) });
    const end = ends[0]?.seq;
    const looked = found.filter(({ seq }) => end === undefined || seq <= end);
    all.found.push(...looked);
    all.end = (looked.length === next.limit ? undefined : end) ?? looked.at(-1)?.seq ?? all.end;
    if (looked.length === next.limit || end === undefined) break;
  }
  return all;
}
