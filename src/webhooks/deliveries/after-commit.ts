import { commit, type Giving, outboxEntry } from '../../platform/commit';
import { type Context, forOrganization } from '../../platform/context';
import { type DueRow, enqueue } from '../../platform/queue/enqueue';
import { QUEUED_UNDER_WAY_MAX } from '../limits';
import type { SubscriptionRef } from './rows';
import { cancelDeliveries, holdDeliveries, MOVED_AT_ONCE, noteUnsettled, releaseDeliveries } from './store-fanout';

/** The most delayed deliveries of one commit that get a message; the sweep finds the others. */
const DELAYED_MAX = 500;

/** Enqueues deliveries after the commit. @param rows the statement that writes them and returns the columns `DUE` */
export function dueDeliveries(rows: Giving<Due>) {
  return outboxEntry([rows], { afterCommit: enqueueDue });
}

export function enqueueDue(ctx: Context, rows: readonly Due[]): Promise<void> {
  return enqueue(ctx, ctx.queues.webhookDeliveries, messagesFor(rows, ctx.now()));
}

export interface Due {
  id: string;
  subscriptionId: string;
  /** Epoch ms, or 0. */
  nextAttemptAt: number;
}

/**
 * Returns queue messages for deliveries, oldest first. A subscription gets only as many messages for due deliveries as
 * attempts may be under way, because each attempt continues with the next delivery when it ends. A delivery that is due
 * later gets a delayed message.
 */
export function messagesFor(due: readonly Due[], now: number): DueRow[] {
  const inOrder = due.toSorted((a, b) => a.nextAttemptAt - b.nextAttemptAt || (a.id < b.id ? -1 : 1));
  const atOnce = Map.groupBy(
    inOrder.filter(({ nextAttemptAt }) => nextAttemptAt <= now),
    ({ subscriptionId }) => subscriptionId,
  );
  return [
    ...[...atOnce.values()]
      .flatMap((of) => of.slice(0, QUEUED_UNDER_WAY_MAX))
      .map(({ id }) => ({ id, delaySeconds: 0 })),
    ...inOrder
      .filter(({ nextAttemptAt }) => nextAttemptAt > now)
      .slice(0, DELAYED_MAX)
      .map(({ id, nextAttemptAt }) => ({ id, delaySeconds: Math.ceil((nextAttemptAt - now) / 1000) })),
  ];
}

/** The most pages that one run of the sweep moves, for all subscriptions together. */
const PAGES_A_RUN = 40;

/** Moves deliveries that one batch could not move after a status change, page by page, each subscription in turn. */
export async function settleDeliveries(ctx: Context, unsettled: readonly SubscriptionRef[]): Promise<void> {
  let left = PAGES_A_RUN;
  for (let round = [...unsettled]; round.length > 0 && left > 0; ) {
    const next: SubscriptionRef[] = [];
    for (const each of round.slice(0, left)) {
      left -= 1;
      if ((await settlePage(ctx, each)) >= MOVED_AT_ONCE) next.push(each);
    }
    round = next;
  }
}

/** @returns how many deliveries it moved */
async function settlePage(ctx: Context, { subscriptionId: id, orgId }: SubscriptionRef): Promise<number> {
  const { released, held, cancelled } = await commit(forOrganization(ctx, orgId), {
    released: dueDeliveries(releaseDeliveries(id)),
    held: holdDeliveries(id),
    cancelled: cancelDeliveries(id, ctx.now()),
    unsettled: noteUnsettled(id),
  });
  return released.length + held.meta.changes + cancelled.meta.changes;
}
