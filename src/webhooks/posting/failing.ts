import { tryCommit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { ifChanged, type Statement } from '../../platform/data/db';
import { DAY_MS } from '../../platform/time';
import { DISABLED_AFTER_DAYS } from '../limits';
import { goingOnAnew, stopping, stoppingIfChanged } from '../subscriptions/status';
import {
  disableFailing,
  type Failing,
  holdFailing,
  markExhausted,
  markFailed,
  pauseGone,
  probe,
  releaseRecovered,
} from './store-failing';

interface Failed {
  subscriptionId: string;
  orgId: string;
  /** Null when there was no response. */
  httpStatus: number | null;
  /** No attempt of this delivery follows. */
  isLast: boolean;
  /** Epoch ms. */
  endedAt: number;
}

/**
 * A failed attempt, and what it means for its subscription. After several deliveries in a row that ended without success it is
 * put on hold: new ones wait as `held`. 410 Gone pauses it (Standard Webhooks: the receiver wants no more posts).
 * @param finished what ends the attempt
 */
export function judgeFailed(
  ctx: Context,
  finished: Statement,
  { subscriptionId: id, orgId, httpStatus, isLast, endedAt }: Failed,
): Statement[] {
  if (!isLast) return ifChanged(finished, (onlyIf) => markFailed({ id }, onlyIf));
  const [change, action, reasonCode] =
    httpStatus === 410
      ? [pauseGone(id, endedAt), 'subscription.paused' as const, 'receiver_gone']
      : [holdFailing(id, endedAt), 'subscription.held' as const, 'receiver_failing'];
  return [
    ...ifChanged(finished, (onlyIf) => markExhausted({ id, endedAt }, onlyIf)),
    ...stoppingIfChanged(ctx, { id, orgId }, change, { action, reasonCode }),
  ];
}

/** Posts again to a receiver on hold that has accepted an attempt. */
export async function goOnWithRecovered(ctx: Context, of: Pick<Failing, 'id' | 'orgId'>): Promise<void> {
  const done = await tryCommit(ctx, goingOnAnew(ctx, of, releaseRecovered(of.id, ctx.now()), 'recovery'));
  if (done) ctx.log('info', 'subscription_released', { subscription_id: of.id, org_id: of.orgId });
}

/** Tells the log of deliveries that were given up, and of the subscriptions that were put on hold for them. */
export function logGivenUp(ctx: Context, givenUp: readonly GivenUp[], results: readonly unknown[]): void {
  for (const { id, subscriptionId, orgId } of givenUp) {
    const of = { subscription_id: subscriptionId, org_id: orgId };
    ctx.log('warn', 'delivery_exhausted', { delivery_id: id, ...of });
  }
  // SAFETY: `holdFailing` alone returns rows with a `held`.
  for (const { held } of results.flat() as { held?: string }[]) {
    if (held === undefined) continue;
    const orgId = givenUp.find(({ subscriptionId }) => subscriptionId === held)?.orgId;
    ctx.log('warn', 'subscription_held', { subscription_id: held, org_id: orgId, code: 'receiver_failing' });
  }
}

interface GivenUp {
  id: string;
  subscriptionId: string;
  orgId: string;
}

/** Goes on with a receiver that accepts again, and gives up on one that failed for days: what waited is kept. */
export async function settleFailing(ctx: Context, failing: Failing): Promise<void> {
  const now = ctx.now();
  if (failing.isHealthy) await goOnWithRecovered(ctx, failing);
  else if ((failing.heldSince ?? now) <= now - DISABLED_AFTER_DAYS * DAY_MS) await disable(ctx, failing, now);
}

/** Tries each failing receiver with the oldest delivery that waits for it. @returns these deliveries */
export async function probeFailing(ctx: Context, failing: readonly Failing[]): Promise<{ id: string }[]> {
  if (failing.length === 0) return [];
  const now = ctx.now();
  const { probes } = await ctx.db.run({
    probes: failing.flatMap(({ id }) => probe(id, now)),
  });
  return (probes as { id: string }[][]).flatMap((rows, index) => (index % 2 === 0 ? [] : rows));
}

/** What then waits is the delivery that was to try it once more, if it has not yet. */
async function disable(ctx: Context, { id, orgId }: Failing, now: number): Promise<void> {
  const audit = { action: 'subscription.disabled' as const, reasonCode: 'receiver_failing' };
  const done = await tryCommit(ctx, {
    stopped: stopping(ctx, { id, orgId }, disableFailing({ id, orgId, now }), audit),
  });
  if (done) ctx.log('warn', 'subscription_disabled', { subscription_id: id, org_id: orgId, code: audit.reasonCode });
}
