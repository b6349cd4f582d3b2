import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { DAY_MS } from '../platform/time';
import { selectEvents } from './deliveries/store';
import type { Envelope } from './events';
import { FEED_DAYS } from './limits';

/**
 * The pull feed: what the webhooks said, oldest first, for whoever missed some. The cursor is the number that the
 * commit gave the last event read, so that none can slip in behind it.
 */
export async function listEvents(ctx: Context, input: { after: number; limit: number }) {
  const { orgId } = requireScope(ctx, 'events.read');
  const since = ctx.now() - FEED_DAYS * DAY_MS;
  const { rows } = await ctx.db.run({ rows: selectEvents(ctx.db, orgId, input.after, since, input.limit) });
  return {
    // SAFETY: bodies are written by envelopeText only.
    events: rows.map(({ body }) => JSON.parse(body) as Envelope),
    nextCursor: rows.at(-1)?.seq ?? input.after,
  };
}
