import { requireSystem } from '../../platform/access';
import type { Context } from '../../platform/context';
import { newIdPrefix } from '../../platform/ids';
import { DAY_MS } from '../../platform/time';
import { EVENTS_KEPT_MS } from '../limits';
import { endEvents, type RetentionBounds, selectEnding } from './store-retention';

/** A delivery that somebody requested within the last day is not deleted yet: by then reports have counted it. */
const RECENT_MS = DAY_MS;
/**
 * An event has at most five deliveries, redeliveries aside, of three attempts each: a few thousand rows per statement.
 */
const CHUNK = 250;
/**
 * 2,000 events per minute, 2.9 million a day. This is nearly six times what 100,000 orders a day cause at five events
 * each, so a backlog after an outage is worked off within days.
 */
const CHUNKS_MAX = 8;

type Ended = Record<'events' | 'deliveries' | 'attempts' | 'waiting', number>;

/**
 * Deletes events after 35 days, with their deliveries and attempts, the oldest first. Each chunk is one batch, so that
 * an interrupted run leaves only whole chunks behind and the next run continues. Events with an attempt under way, or
 * with a delivery of the last day, are left until later. Deliveries that still wait by then (their subscription is paused, disabled or on hold) are
 * deleted too, and the audit log records it.
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

/** @returns the next chunk, read in the same round trip */
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
