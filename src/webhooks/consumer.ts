import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import { claimDeliveries } from './deliveries/store-claim';
import { LEASE_MS } from './limits';
import { keysAreKnown } from './posting/canary';
import { deliverClaimed } from './posting/deliver';

/** An invocation may have six connections; one is kept free for D1. */
const POSTS_AT_ONCE = 5;
/** How long one invocation goes on with what is due next of its subscriptions. */
const FOLLOWING_POSTS_MS = 30_000;

/**
 * Delivers what the queue messages of one database name: claims as many as their subscriptions have room for, posts,
 * records. Messages are only hints: a repeated one claims nothing, nor does one for a delivery that has moved to another
 * database, whose sweep finds it within a minute; the caller acknowledges all of them. A claim
 * that cannot be posted because of this service is given back without counting an attempt, and its subscription is put
 * on hold.
 */
export async function consumeDeliveries(ctx: Context, ids: readonly string[]): Promise<void> {
  requireSystem(ctx);
  const now = ctx.now();
  const claim = { ids, now, leaseUntil: now + LEASE_MS };
  const claimed = await ctx.db.rows(claimDeliveries(claim, await keysAreKnown(ctx)));
  await deliverClaimed(ctx, claimed, { atOnce: POSTS_AT_ONCE, until: now + FOLLOWING_POSTS_MS });
}
