import { dropEmails, emailWish } from '../messages/service';
import type { BatchEntry } from '../platform/commit';
import type { Context } from '../platform/context';
import { inList } from '../platform/data/db';
import { restExpectedOn } from './parts';
import type { OrderRow } from './store';

/**
 * For the batch of a step: what waits to be sent about the one before is dropped, and the customer told of the new one.
 * @param after the order as the step leaves it
 */
export function emailsOfStep(ctx: Context, after: OrderRow): BatchEntry[] {
  if (!ctx.mail) return [];
  const { status, trackingUrl } = after;
  const day = restExpectedOn(after);
  const drop = dropEmails(after.orgId, inList([after.id]), ctx.now());
  if (status === 'ready_pickup' && day !== null) return [drop, ...emailWish(ctx, 'later', after, { day })];
  if (status === 'ready_pickup') return [drop, ...emailWish(ctx, 'ready', after)];
  if (status === 'shipped') return [drop, ...emailWish(ctx, 'shipped', after, trackingUrl ? { trackingUrl } : {})];
  return [drop];
}
