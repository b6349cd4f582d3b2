import { requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { DAY_MS } from '../../platform/time';
import type { Envelope } from '../event-types';
import { FEED_DAYS } from '../limits';
import { selectEvents } from './store';

/**
 * The pull feed: all events that webhooks send, oldest first, for receivers that missed some. The cursor is the number
 * that the last event got at commit, so no event can appear before it later.
 */
export async function listEvents(ctx: Context, input: { after: number; limit: number }) {
  const { orgId } = requireScope(ctx, 'events.read');
  const since = ctx.now() - FEED_DAYS * DAY_MS;
  const rows = await ctx.db.rows(selectEvents({ orgId, since, ...input }));
  return {
    // SAFETY: only envelopeText writes bodies.
    events: rows.map(({ body }) => JSON.parse(body) as Envelope),
    nextCursor: rows.at(-1)?.seq ?? input.after,
  };
}
