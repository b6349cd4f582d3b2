import { type OutboxEntry, outboxEntry } from '../../platform/commit';
import { actingAs, type Context, evenIfMoving } from '../../platform/context';
import { newIdPrefix } from '../../platform/ids';
import { enqueueDue } from '../deliveries/after-commit';
import { insertFanOut, type StartedDelivery, selectStarted } from '../deliveries/store-fanout';
import { FIRST_ATTEMPTS_MAX, LEASE_MS } from '../limits';
import { keysAreKnown } from './canary';
import { deliverClaimed } from './deliver';
import { giveWayToPosts } from './give-way';

/** Work after a response may take 30 s, of which the last post may take ten. */
const FOLLOWING_POSTS_MS = 10_000;

/**
 * What becomes of the events of a batch, all of them together. The deliveries are written at its end: those that are
 * claimed from their first moment are posted as soon as it is committed, without the queue; the others get a message.
 */
export async function fanOut(ctx: Context, eventIds: readonly string[]): Promise<OutboxEntry> {
  await giveWayToPosts(ctx);
  const now = ctx.now();
  const leaseUntil = now + LEASE_MS;
  const made = { eventIds, idPrefix: newIdPrefix(), now, leaseUntil };
  return outboxEntry([insertFanOut(made, await keysAreKnown(ctx)), selectStarted(made)], { afterCommit: start });
}

async function start(ctx: Context, started: readonly StartedDelivery[]): Promise<void> {
  const claimed = started.filter(({ status }) => status === 'delivering');
  // Where attempts are under way, each that ends goes on with what is due next: a message would find no room.
  const due = started.filter(({ status, underWay }) => status === 'pending' && underWay === 0);
  // What happens to a delivery is nobody's act: it is not logged as that of whoever caused the event.
  const system = { ...actingAs(evenIfMoving(ctx), { kind: 'system' }), formId: undefined };
  await Promise.all([
    deliverClaimed(system, claimed, { atOnce: FIRST_ATTEMPTS_MAX, until: ctx.now() + FOLLOWING_POSTS_MS }),
    enqueueDue(ctx, due),
  ]);
}
