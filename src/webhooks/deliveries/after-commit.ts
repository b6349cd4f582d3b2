import { commit, type Giving, outboxEntry } from '../../platform/commit';
import { type Context, forOrganization } from '../../platform/context';
import { type DueRow, enqueue } from '../../platform/queue/enqueue';
import { QUEUED_UNDER_WAY_MAX } from '../limits';
import type { SubscriptionRef } from './store';
import { cancelDeliveries, holdDeliveries, MOVED_AT_ONCE, noteUnsettled, releaseDeliveries } from './store-fanout';

/** The most delayed messages after one commit. The sweep finds the other deliveries that are due later. */
const DELAYED_MAX = 500;

/**
 * Returns a batch entry that enqueues deliveries after the commit.
 * @param rows the statement that writes the deliveries and returns their columns `DUE`
 */
export function dueDeliveries(rows: Giving<Due>) {
  return outboxEntry([rows], { afterCommit: enqueueDue });
}

export function enqueueDue(ctx: Context, rows: readonly Due[]): Promise<void> {
  return enqueue(ctx, ctx.queues.webhookDeliveries, messagesFor(rows, ctx.now()));
}

export interface Due {
  id: string;
  subscriptionId: string;
  /** Epoch ms; 0 or less if the delivery is due at once. */
  nextAttemptAt: number;
}

/**
 * Returns queue messages for deliveries, oldest first. A subscription gets at most as many messages for due deliveries
 * as it may have attempts under way. When one of these attempts ends, the next delivery follows without a message. A
 * delivery that is due later gets a delayed message.
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

/** The most pages that one run of `settleDeliveries` handles, of all subscriptions together. */
const PAGES_A_RUN = 40;

/** Holds, releases or cancels deliveries that a status change left over. Takes a page of each subscription in turn. */
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

/** Holds, releases or cancels one page of deliveries. @returns how many it changed */
async function settlePage(ctx: Context, { subscriptionId: id, orgId }: SubscriptionRef): Promise<number> {
  const { released, held, cancelled } = await commit(forOrganization(ctx, orgId), {
    released: dueDeliveries(releaseDeliveries(id)),
    held: holdDeliveries(id),
    cancelled: cancelDeliveries(id, ctx.now()),
    unsettled: noteUnsettled(id),
  });
  return released.length + held.meta.changes + cancelled.meta.changes;
}
