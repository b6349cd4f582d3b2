import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import { rowIdsOf } from '../platform/enqueue';
import { deliverClaimed } from './deliveries/deliver';
import { claimDeliveries } from './deliveries/store-claim';
import { LEASE_MS } from './limits';
import { keysAreKnown } from './subscriptions/canary';

/** An invocation may have six connections; one is kept free for D1. */
const POSTS_AT_ONCE = 5;
/** How long one invocation goes on with what is due next of its subscriptions. */
const FOLLOWING_POSTS_MS = 30_000;

/**
 * Delivers a batch of queue messages: claims as many as their subscriptions have room for, posts, records. Messages are
 * only hints: a repeated one claims nothing, a malformed one is dropped, and the caller acknowledges all of them. A claim
 * that cannot be posted because of this service is given back without counting an attempt, and its subscription is put
 * on hold.
 */
export async function consumeDeliveries(ctx: Context, messages: readonly unknown[]): Promise<void> {
  requireSystem(ctx);
  const ids = rowIdsOf(ctx, messages);
  if (ids.length === 0) return;
  const now = ctx.now();
  const claim = { now, leaseUntil: now + LEASE_MS, onlyIf: await keysAreKnown(ctx) };
  const { claimed } = await ctx.db.run({ claimed: claimDeliveries(ctx.db, ids, claim) });
  await deliverClaimed(ctx, claimed, { atOnce: POSTS_AT_ONCE, until: now + FOLLOWING_POSTS_MS });
}
