import { dropEmails, emailWish } from '../messages/service';
import type { BatchEntry } from '../platform/commit';
import type { Context } from '../platform/context';
import { inList } from '../platform/data/db';
import { owedCount } from './parts';
import type { OrderRow } from './store';

/**
 * For the batch of a step: what waits to be sent about the one before is dropped, and the customer told of the new one.
 * @param after the order as the step leaves it
 */
export function emailsOfStep(ctx: Context, after: OrderRow): BatchEntry[] {
  if (!ctx.mail) return [];
  const { status, expectedOn, trackingUrl } = after;
  const isInParts = owedCount(after) > 0;
  const drop = dropEmails(after.orgId, inList([after.id]), ctx.now());
  if (status === 'ready_pickup' && !isInParts) return [drop, ...emailWish(ctx, 'ready', after)];
  if (status === 'ready_pickup' && expectedOn) return [drop, ...emailWish(ctx, 'later', after, { day: expectedOn })];
  if (status === 'shipped') return [drop, ...emailWish(ctx, 'shipped', after, trackingUrl ? { trackingUrl } : {})];
  return [drop];
}
