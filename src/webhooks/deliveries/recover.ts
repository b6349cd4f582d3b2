import { recordAudit } from '../../audit/record';
import { requireScope } from '../../platform/access';
import { commit, tryCommit } from '../../platform/commit';
import { type Context, forOrganization } from '../../platform/context';
import { newId } from '../../platform/ids';
import { requireSubscription, type Subscription } from '../subscriptions/manage';
import { selectSubscription } from '../subscriptions/store';
import { dueDeliveries } from './after-commit';
import { notRedeliverable } from './redelivery';
import { advanceRecovery, beginRecovery, countUndeliveredSince, insertRecovered, type Under } from './store-recover';

/** How many events one batch looks at. */
const PAGE = 500;
/** Pages of one subscription in one run of the sweep. */
const PAGES_A_RUN = 5;

interface Recovery {
  subscriptionId: string;
  /** Epoch ms. */
  since: number;
}

/** How many events since a time `recover` would send, as far as can be told. @throws AppError `subscription_not_found` */
export async function countUndelivered(
  ctx: Context,
  input: Recovery,
): Promise<{ subscription: Subscription; count: number }> {
  const { orgId } = requireScope(ctx, 'webhooks.read');
  return undeliveredOf(ctx, orgId, input);
}

async function undeliveredOf(ctx: Context, orgId: string, input: Recovery) {
  const { found, undelivered } = await ctx.db.run({
    found: selectSubscription(ctx.db, orgId, input.subscriptionId),
    undelivered: countUndeliveredSince(ctx.db, { orgId, ...input }, input.since),
  });
  return { subscription: requireSubscription(found[0]), count: undelivered[0]?.count ?? 0 };
}

/**
 * Sends every event since a time that was not delivered, the oldest first: what failed, and what happened while the
 * subscription was disabled. The first page is enqueued at once, the others by the sweep. Safe to repeat: what is on its
 * way is not sent again.
 * @returns how many events that are, as `countUndelivered`
 * @throws AppError `not_redeliverable` while the subscription is not active, `subscription_not_found`
 */
export async function recover(ctx: Context, input: Recovery): Promise<{ count: number }> {
  const { orgId } = requireScope(ctx, 'webhooks.write');
  const { subscriptionId, since } = input;
  const { subscription, count } = await undeliveredOf(ctx, orgId, input);
  if (subscription.status !== 'active') throw notRedeliverable();
  const of = { orgId, subscriptionId };
  const begun = await tryCommit(ctx, {
    cursor: beginRecovery(ctx.db, of, since, ctx.now()),
    audit: recordAudit(ctx, { orgId, action: 'subscription.redelivered', entityId: subscriptionId }),
  });
  const after = begun?.cursor[0]?.recoverAfter ?? null;
  // Nothing is missing, or a recovery is under way already.
  if (after === null) return { count: 0 };
  await recoverPage(ctx, { ...of, after });
  return { count };
}

/** @returns where to go on; null when nothing is left, or when another one goes on */
async function recoverPage(ctx: Context, under: Under): Promise<number | null> {
  const ids = Array.from({ length: PAGE }, newId);
  const { cursor } = await commit(ctx, {
    recovered: dueDeliveries(insertRecovered(under, ids, ctx.now())),
    cursor: advanceRecovery(ctx.db, under, PAGE),
  });
  return cursor[0]?.recoverAfter ?? null;
}

/** Goes on with recoveries that need more than one page, for the sweep. */
export async function continueRecoveries(ctx: Context, recovering: readonly Under[]): Promise<void> {
  for (const under of recovering) {
    const of = forOrganization(ctx, under.orgId);
    let after: number | null = under.after;
    for (let pages = 0; pages < PAGES_A_RUN && after !== null; pages += 1) {
      after = await recoverPage(of, { ...under, after });
    }
  }
}
