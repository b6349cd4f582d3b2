import { commit } from '../../platform/commit';
import { type Context, forOrganization } from '../../platform/context';
import { dueDeliveries } from './after-commit';
import type { SubscriptionRef } from './rows';
import { cancelDeliveries, holdDeliveries, MOVED_AT_ONCE, noteUnsettled, releaseDeliveries } from './store-held';

/** Pages of one run of the sweep, of all subscriptions together. */
const PAGES_A_RUN = 40;

/** Goes on where more waits for a subscription than one batch moves, page by page, each subscription in turn. */
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
