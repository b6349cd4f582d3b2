import { requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { DAY_MS } from '../../platform/time';
import { SUBSCRIPTIONS_MAX } from '../limits';
import type { Subscription } from '../subscriptions/manage';
import { selectCallbacks, selectShopNames, selectSubscriptions } from '../subscriptions/store';
import { type LogOf, logStatements, pageOfLog } from './log';
import {
  nthOf,
  type Outcome,
  oneOf,
  type StopReason,
  selectHealth,
  selectHistory,
  selectLastChange,
} from './store-health';

/** What the figures of attempts are about. */
const PERIOD_MS = DAY_MS;
const FAILURES_SHOWN = 4;
const EACH = Array.from({ length: SUBSCRIPTIONS_MAX }, (_, n) => n);

export type Health = Awaited<ReturnType<typeof readHealth>>[number]['health'];
export type StatusChange = Awaited<ReturnType<typeof readSubscription>>['history'][number];

/** The organization's subscriptions, each with its figures of the last 24 hours and the last change of its status. */
export async function readHealth(ctx: Context) {
  return (await readWebhooks(ctx)).subscriptions;
}

/** The same, with the callbacks of integrations and the shops to filter by. Their number is limited, so all of it is one batch. */
export async function readWebhooks(ctx: Context) {
  const { orgId } = requireScope(ctx, 'webhooks.read');
  const since = ctx.now() - PERIOD_MS;
  const loaded = await ctx.db.run({
    shops: selectShopNames(orgId),
    callbacks: selectCallbacks(orgId),
    found: selectSubscriptions(orgId),
    figures: EACH.map((n) => selectHealth(nthOf(orgId, n), since)),
    changes: EACH.map((n) => selectLastChange(orgId, nthOf(orgId, n))),
  });
  // SAFETY: the rows of the statements above.
  const figures = loaded.figures as Awaited<ReturnType<typeof selectHealth>>[];
  const changes = loaded.changes as Awaited<ReturnType<typeof selectLastChange>>[];
  const subscriptions = loaded.found.flatMap((subscription, n) => {
    const health = figures[n]?.[0];
    return health ? [{ subscription, health: healthOf(health), lastChange: changes[n]?.[0] }] : [];
  });
  return { subscriptions, shops: loaded.shops, callbacks: loaded.callbacks };
}

/**
 * One subscription with its figures, the changes of its status (newest first) and a page of its log: one batch.
 * @throws AppError `subscription_not_found`
 */
export async function readSubscription(ctx: Context, input: LogOf) {
  const { orgId } = requireScope(ctx, 'webhooks.read');
  const target = oneOf(orgId, input.subscriptionId);
  const { health, history, ...log } = await ctx.db.run({
    ...logStatements(ctx, orgId, input),
    health: selectHealth(target, ctx.now() - PERIOD_MS),
    history: selectHistory(orgId, target),
  });
  const page = pageOfLog(log);
  // SAFETY: the statement always gives one row.
  return { ...page, health: healthOf(health[0] as Selected), history };
}

type Selected = Awaited<ReturnType<typeof selectHealth>>[number];

/** Figures of the attempts of the period. Times of answers leave out what never reached a receiver. */
function healthOf({ outcomes, ...health }: Selected) {
  const recent = outcomes.filter(({ isRecent }) => isRecent);
  const durations = recent
    .filter(({ failureClass }) => failureClass !== 'blocked' && failureClass !== 'interrupted')
    .flatMap(({ durationsMs }) => durationsMs)
    .toSorted((a, b) => a - b);
  const successes = outcomes.map(({ lastSuccessAt }) => lastSuccessAt).filter((at) => at !== null);
  return {
    ...health,
    attempts: countOf(recent),
    succeeded: countOf(recent.filter(({ failureClass }) => failureClass === null)),
    hours: hoursOf(recent),
    p50Ms: percentileOf(durations, 50),
    p95Ms: percentileOf(durations, 95),
    lastSuccessAt: successes.length === 0 ? null : Math.max(...successes),
    // While nothing is attempted, those from before.
    failures: failuresOf(recent.length > 0 ? recent : outcomes),
  };
}

const HOURS = 24;

/** Attempts by the hour in which they began, the last 60 minutes at the end. */
function hoursOf(outcomes: readonly Outcome[]) {
  const hours = Array.from({ length: HOURS }, () => ({ succeeded: 0, failed: 0 }));
  for (const { failureClass, hoursAgo } of outcomes) {
    for (const ago of hoursAgo) {
      const hour = hours[Math.min(Math.max(HOURS - 1 - ago, 0), HOURS - 1)];
      if (hour) hour[failureClass === null ? 'succeeded' : 'failed'] += 1;
    }
  }
  return hours;
}

/** What the receiver said, or that it said nothing, and how often; the most frequent first. */
function failuresOf(outcomes: readonly Outcome[]) {
  return outcomes
    .flatMap(({ failureClass, httpStatus, durationsMs }) =>
      failureClass === null ? [] : [{ failureClass, httpStatus, count: durationsMs.length }],
    )
    .toSorted((a, b) => b.count - a.count)
    .slice(0, FAILURES_SHOWN);
}

function countOf(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((sum, { durationsMs }) => sum + durationsMs.length, 0);
}

/** By nearest rank. @param sorted ascending */
function percentileOf(sorted: readonly number[], percent: number): number | null {
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? null;
}

/** Why nothing is posted to it; null while it is active, or when somebody paused it. @param last change of its status */
export function stopReasonOf(
  { status, holdReason }: Pick<Subscription, 'status' | 'holdReason'>,
  last: { reasonCode: StopReason | null } | undefined,
): StopReason | null {
  return status === 'paused' ? (last?.reasonCode ?? null) : holdReason;
}
