import { recordAudit } from '../../audit/record';
import { requireRole, requireScope } from '../../platform/access';
import { commit, tryCommit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { notFound } from '../../platform/errors/errors';
import { newId } from '../../platform/ids';
import { DAY_MS } from '../../platform/time';
import { dueDeliveries } from '../deliveries/after-commit';
import { notRedeliverable, requireSubscription } from '../errors';
import type { EventType } from '../event-types';
import { FAILURES_SHOWN, LOG_PAGE_SIZE, PROGRESS_SHOWN_MS, SUBSCRIPTIONS_MAX } from '../limits';
import { plainHeaders, requestHeaders } from '../posting/post';
import { probeWith } from '../posting/store';
import { selectProgress } from '../recovery/store';
import { branded, type StoredSecrets, secretsAt } from '../signing/sign';
import { selectCallbacks, selectShopNames, selectSubscriptions } from '../subscriptions/store';
import { type Subscription, seesCallbacks, selectShown } from '../subscriptions/subscriptions';
import * as store from './store';

export type LoggedDelivery = Awaited<ReturnType<typeof store.selectLog>>[number];

/** The subscription and the page to read of its log. */
interface LogOf {
  subscriptionId: string;
  filter: store.LogFilter;
  /** The id of a delivery. The page has only older deliveries. */
  before?: string;
  /** Page size. */
  limit?: number;
}

/** The most queries that one page makes if few deliveries match its filter. */
const LOOKS_MAX = 5;

type PageOf = Omit<LogOf, 'subscriptionId'>;

/**
 * Lists deliveries of one subscription, or of all subscriptions of the organization, newest first.
 * @returns a page, and `nextBefore` if older deliveries may match. Without an index for the filter, the page may be
 *   shorter than `limit`
 * @throws AppError `subscription_not_found`
 */
export async function listDeliveries(
  ctx: Context,
  { subscriptionId, limit = LOG_PAGE_SIZE, ...page }: PageOf & { subscriptionId?: string },
) {
  const { orgId } = requireScope(ctx, 'webhooks.read');
  const look = async (input: PageOf) =>
    subscriptionId === undefined
      ? pageOfAll(ctx, orgId, input)
      : pageOfLog(await ctx.db.run(logStatements(ctx, orgId, { ...input, subscriptionId })), input.limit);
  let { deliveries, nextBefore } = await look({ ...page, limit });
  for (let looks = 1; looks < LOOKS_MAX && nextBefore && deliveries.length < limit; looks += 1) {
    const more = await look({ ...page, before: nextBefore, limit: limit - deliveries.length });
    deliveries = [...deliveries, ...more.deliveries];
    nextBefore = more.nextBefore;
  }
  return { deliveries, nextBefore };
}

/** Returns the delivery of a test event. @throws AppError `delivery_not_found`, `subscription_not_found` */
export async function readTestDelivery(ctx: Context, input: { subscriptionId: string; eventId: string }) {
  const { subscriptionId, eventId } = input;
  const { deliveries } = await listDeliveries(ctx, { subscriptionId, filter: { status: 'all', eventId }, limit: 1 });
  if (!deliveries[0]) throw notFound('delivery_not_found');
  return deliveries[0];
}

/** Returns a page of the logs of all subscriptions of the organization, merged. An organization has only a few. */
async function pageOfAll(ctx: Context, orgId: string, { filter, before, limit = LOG_PAGE_SIZE }: PageOf) {
  const page = { filter, before, limit: limit + 1 };
  const logs = Array.from({ length: SUBSCRIPTIONS_MAX }, (_, n) => store.nthLog(orgId, n));
  const loaded = await ctx.db.run({
    deliveries: logs.map((at) => store.selectLog(at, page)),
    windowEnds: logs.map((at) => store.selectWindowEnd(at, page)),
  });
  // SAFETY: these are the rows of the statements above.
  const found = (loaded.deliveries as LoggedDelivery[][]).flat().toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const ends = (loaded.windowEnds as { id: string }[][]).flat().map(({ id }) => id);
  // One of the logs was read only down to the highest of these ids, so older deliveries may be missing.
  const end = ends.toSorted().at(-1);
  const looked = found.filter(({ id }) => end === undefined || id >= end);
  const shown = looked.slice(0, limit);
  return { deliveries: shown, nextBefore: looked.length > limit ? shown.at(-1)?.id : end };
}

/** Returns the statements for the rows of `pageOfLog`. The caller runs them in its own batch. */
function logStatements(ctx: Context, orgId: string, input: LogOf) {
  const { subscriptionId, filter, before, limit = LOG_PAGE_SIZE } = input;
  const at = { orgId, subscriptionId };
  const page = { filter, before, limit: limit + 1 };
  return {
    found: selectShown(ctx, orgId, subscriptionId),
    deliveries: store.selectLog(at, page),
    windowEnd: store.selectWindowEnd(at, page),
    progress: selectProgress(at, ctx.now() - PROGRESS_SHOWN_MS),
  };
}

type LogRows = { [K in keyof ReturnType<typeof logStatements>]: Awaited<ReturnType<typeof logStatements>[K]> };

/** Returns a page of a subscription's log from the rows that were read. @throws AppError `subscription_not_found` */
function pageOfLog({ found, deliveries, windowEnd, progress }: LogRows, limit = LOG_PAGE_SIZE) {
  const shown = deliveries.slice(0, limit);
  return {
    subscription: requireSubscription(found[0]),
    deliveries: shown,
    nextBefore: deliveries.length > limit ? shown.at(-1)?.id : windowEnd[0]?.id,
    progress: progress[0],
  };
}

/** The request of an attempt. It is not stored, but computed from stored data. */
interface SentRequest {
  /** Null if the address of the subscription has changed since the attempt. */
  url: string | null;
  headers: Record<string, string>;
  /**
   * Whether the headers include the signatures. If the secret was replaced, the signatures cannot be computed again.
   */
  isSigned: boolean;
}

export type ShownAttempt = Awaited<ReturnType<typeof getDelivery>>['attempts'][number];

/**
 * Returns one delivery with its event as it is sent, its attempts, and the last failed attempt of its subscription.
 * @throws AppError `delivery_not_found`, `subscription_not_found`
 */
export async function getDelivery(ctx: Context, input: { subscriptionId: string; deliveryId: string }) {
  const { orgId } = requireRole(ctx, ['owner']);
  const { found, delivery, attempts, signing, last } = await ctx.db.run({
    found: selectShown(ctx, orgId, input.subscriptionId),
    delivery: store.selectDelivery(orgId, input.deliveryId),
    attempts: store.selectAttempts(orgId, input.deliveryId),
    signing: store.selectSigning(orgId, input.subscriptionId),
    last: store.selectLastFailed(orgId, input.subscriptionId),
  });
  const [subscription, logged, signs] = [requireSubscription(found[0]), delivery[0], requireSubscription(signing[0])];
  if (!logged || logged.subscriptionId !== subscription.id) throw notFound('delivery_not_found');
  const shown = attempts.map(async (attempt) => {
    const wasSent = attempt.failureClass !== 'blocked' && attempt.failureClass !== 'interrupted';
    return { ...attempt, request: wasSent ? await requestOf(ctx, { subscription, logged, attempt, signs }) : null };
  });
  return { subscription, delivery: logged, attempts: await Promise.all(shown), lastFailed: last[0] };
}

interface Sent {
  subscription: { url: string };
  logged: { id: string; eventId: string; eventType: EventType; sequence: number; trigger: string; body: string };
  attempt: { attempt: number; startedAt: number };
  signs: StoredSecrets & { secretChangedAt: number | null; urlChangedAt: number | null };
}

async function requestOf(ctx: Context, { subscription, logged, attempt, signs }: Sent): Promise<SentRequest> {
  const { startedAt } = attempt;
  const secrets = isBefore(startedAt, signs.secretChangedAt) ? undefined : await openable(ctx, signs, startedAt);
  const isTest = logged.trigger === 'test';
  const sent = { ...logged, deliveryId: logged.id, attempt: attempt.attempt, startedAt, isTest };
  const headers = secrets ? await requestHeaders({ ...sent, ...secrets }) : plainHeaders(sent);
  const url = isBefore(startedAt, signs.urlChangedAt) ? null : subscription.url;
  return { url, headers: branded(ctx.config.webhookBrand, headers), isSigned: secrets !== undefined };
}

function isBefore(at: number, changedAt: number | null): boolean {
  return changedAt !== null && at < changedAt;
}

async function openable(ctx: Context, stored: StoredSecrets, at: number) {
  try {
    return await secretsAt(ctx.config, stored, at);
  } catch {
    return undefined;
  }
}

/** The length of the period whose attempts the figures cover, in ms. */
const PERIOD_MS = DAY_MS;
const EACH = Array.from({ length: SUBSCRIPTIONS_MAX }, (_, n) => n);

export type Health = Awaited<ReturnType<typeof readHealth>>[number]['health'];
export type StatusChange = Awaited<ReturnType<typeof readSubscription>>['history'][number];

/**
 * Returns the organization's subscriptions, each with its figures of the last 24 hours and the last change of its
 * status.
 */
export async function readHealth(ctx: Context) {
  return (await readWebhooks(ctx)).subscriptions;
}

/**
 * Returns the result of `readHealth`, the callbacks of integrations, and the shops for the filter. One batch reads all
 * of them. This is possible because each of these lists has a limit.
 */
export async function readWebhooks(ctx: Context) {
  const { orgId } = requireScope(ctx, 'webhooks.read');
  const since = ctx.now() - PERIOD_MS;
  const loaded = await ctx.db.run({
    shops: selectShopNames(orgId),
    callbacks: selectCallbacks(orgId),
    found: selectSubscriptions(orgId),
    figures: EACH.map((n) => store.selectHealth(store.nthOf(orgId, n), since)),
    changes: EACH.map((n) => store.selectLastChange(orgId, store.nthOf(orgId, n))),
  });
  // SAFETY: these are the rows of the statements above.
  const figures = loaded.figures as Awaited<ReturnType<typeof store.selectHealth>>[];
  const changes = loaded.changes as Awaited<ReturnType<typeof store.selectLastChange>>[];
  const subscriptions = loaded.found.flatMap((subscription, n) => {
    const health = figures[n]?.[0];
    return health ? [{ subscription, health: healthOf(health), lastChange: changes[n]?.[0] }] : [];
  });
  return { subscriptions, shops: loaded.shops, callbacks: loaded.callbacks };
}

/**
 * Returns one subscription with its figures, the changes of its status (newest first), and a page of its log. One batch
 * reads all of this.
 * @throws AppError `subscription_not_found`
 */
export async function readSubscription(ctx: Context, input: LogOf) {
  const { orgId } = requireScope(ctx, 'webhooks.read');
  const target = store.oneOf(orgId, input.subscriptionId);
  const { health, history, ...log } = await ctx.db.run({
    ...logStatements(ctx, orgId, input),
    health: store.selectHealth(target, ctx.now() - PERIOD_MS),
    history: store.selectHistory(orgId, target),
  });
  const page = pageOfLog(log);
  // SAFETY: the statement always returns one row.
  return { ...page, health: healthOf(health[0] as Selected), history };
}

type Selected = Awaited<ReturnType<typeof store.selectHealth>>[number];

/** Computes the figures of attempts in the period. An attempt that never reached a receiver has no response time. */
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
    // If nothing was attempted in the period, earlier failures are shown.
    failures: failuresOf(recent.length > 0 ? recent : outcomes),
  };
}

const HOURS = 24;

/** Counts attempts by the hour in which they began. The last entry has the last 60 minutes. */
function hoursOf(outcomes: readonly store.Outcome[]) {
  const hours = Array.from({ length: HOURS }, () => ({ succeeded: 0, failed: 0 }));
  for (const { failureClass, hoursAgo } of outcomes) {
    for (const ago of hoursAgo) {
      const hour = hours[Math.min(Math.max(HOURS - 1 - ago, 0), HOURS - 1)];
      if (hour) hour[failureClass === null ? 'succeeded' : 'failed'] += 1;
    }
  }
  return hours;
}

/** Returns the most frequent failures and how often each occurred. `httpStatus` is null if there was no response. */
function failuresOf(outcomes: readonly store.Outcome[]) {
  return outcomes
    .flatMap(({ failureClass, httpStatus, durationsMs }) =>
      failureClass === null ? [] : [{ failureClass, httpStatus, count: durationsMs.length }],
    )
    .toSorted((a, b) => b.count - a.count)
    .slice(0, FAILURES_SHOWN);
}

function countOf(outcomes: readonly store.Outcome[]): number {
  return outcomes.reduce((sum, { durationsMs }) => sum + durationsMs.length, 0);
}

/** Returns a percentile by nearest rank; null without values. @param sorted the values, lowest first */
function percentileOf(sorted: readonly number[], percent: number): number | null {
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? null;
}

/**
 * Returns why nothing is posted to a subscription. Null if it is active, or if a person paused it.
 * @param last the last change of its status
 */
export function stopReasonOf(
  { status, holdReason }: Pick<Subscription, 'status' | 'holdReason'>,
  last: { reasonCode: store.StopReason | null } | undefined,
): store.StopReason | null {
  return status === 'paused' ? (last?.reasonCode ?? null) : holdReason;
}

/**
 * Sends the event of an ended delivery again, as a new delivery. If a delivery is held because its receiver fails, that
 * delivery itself is tried at once, and no new one is made. A test event is not sent again, because a new test can be
 * made instead.
 * @returns the id of the delivery that is on its way now
 * @throws AppError `delivery_not_found`; `not_redeliverable` while the event is on its way, or if its subscription
 *   takes no posts
 */
export async function redeliver(ctx: Context, deliveryId: string): Promise<{ deliveryId: string }> {
  const { orgId } = requireScope(ctx, 'webhooks.write');
  const id = newId();
  const of = { orgId, deliveryId, withCallbacks: seesCallbacks(ctx) };
  const audit = (entityId: string) => recordAudit(ctx, { orgId, action: 'delivery.redelivered', entityId });
  const made = await tryCommit(ctx, {
    delivery: dueDeliveries(store.insertRedelivery(of, id, ctx.now())),
    audit: audit(id),
  });
  if (made) return { deliveryId: id };
  const refused = async () => {
    const delivery = await ctx.db.rows(store.selectDelivery(orgId, deliveryId, of.withCallbacks));
    return delivery.length === 0 ? notFound('delivery_not_found') : notRedeliverable();
  };
  const { chosen, released } = probeWith(of, ctx.now());
  await commit(ctx, { chosen, delivery: dueDeliveries(released), audit: audit(deliveryId) }, { refused });
  return { deliveryId };
}
