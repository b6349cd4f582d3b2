import { requireRole, requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { DAY_MS } from '../../platform/time';
import { noDelivery, requireSubscription } from '../errors';
import type { EventType } from '../event-types';
import { SUBSCRIPTIONS_MAX } from '../limits';
import { plainHeaders, requestHeaders } from '../posting/post';
import { selectProgress } from '../recovery/store-recover';
import { type StoredSecrets, secretsAt } from '../signing/secrets';
import { selectShown } from '../subscriptions/manage';
import {
  type LogFilter,
  nthLog,
  selectAttempts,
  selectDelivery,
  selectLog,
  selectSigning,
  selectWindowEnd,
} from './store-log';

const PAGE = 50;
/** For how long the progress of a recovery is shown. */
const PROGRESS_MS = DAY_MS;

export type LoggedDelivery = Awaited<ReturnType<typeof selectLog>>[number];

/** Which part of which log. */
export interface LogOf {
  subscriptionId: string;
  filter: LogFilter;
  /** Only deliveries older than this one. */
  before?: string;
  /** Deliveries of a page. */
  limit?: number;
}

/** How often a page looks further where few deliveries match. */
const LOOKS_MAX = 5;

type PageOf = Omit<LogOf, 'subscriptionId'>;

/**
 * Deliveries of a subscription, or of all of the organization together, newest first.
 * @returns `nextBefore` when there may be more: with a filter for which there is no index, a page can be short although older
 *   deliveries match
 * @throws AppError `subscription_not_found`
 */
export async function listDeliveries(
  ctx: Context,
  { subscriptionId, limit = PAGE, ...page }: PageOf & { subscriptionId?: string },
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

/** What became of a test event. @throws AppError `delivery_not_found`, `subscription_not_found` */
export async function readTestDelivery(ctx: Context, input: { subscriptionId: string; eventId: string }) {
  const { subscriptionId, eventId } = input;
  const { deliveries } = await listDeliveries(ctx, { subscriptionId, filter: { status: 'all', eventId }, limit: 1 });
  if (!deliveries[0]) throw noDelivery();
  return deliveries[0];
}

/** Of all subscriptions, which are few. */
async function pageOfAll(ctx: Context, orgId: string, { filter, before, limit = PAGE }: PageOf) {
  const page = { filter, before, limit: limit + 1 };
  const logs = Array.from({ length: SUBSCRIPTIONS_MAX }, (_, n) => nthLog(orgId, n));
  const loaded = await ctx.db.run({
    deliveries: logs.map((at) => selectLog(at, page)),
    windowEnds: logs.map((at) => selectWindowEnd(at, page)),
  });
  // SAFETY: the rows of the statements above.
  const found = (loaded.deliveries as LoggedDelivery[][]).flat().toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const ends = (loaded.windowEnds as { id: string }[][]).flat().map(({ id }) => id);
  // Behind the first of these, one of the logs was not looked at yet.
  const end = ends.toSorted().at(-1);
  const looked = found.filter(({ id }) => end === undefined || id >= end);
  const shown = looked.slice(0, limit);
  return { deliveries: shown, nextBefore: looked.length > limit ? shown.at(-1)?.id : end };
}

/** What `pageOfLog` makes a page of, for the caller's own batch. */
export function logStatements(ctx: Context, orgId: string, input: LogOf) {
  const { subscriptionId, filter, before, limit = PAGE } = input;
  const at = { orgId, subscriptionId };
  const page = { filter, before, limit: limit + 1 };
  return {
    found: selectShown(ctx, orgId, subscriptionId),
    deliveries: selectLog(at, page),
    windowEnd: selectWindowEnd(at, page),
    progress: selectProgress(at, ctx.now() - PROGRESS_MS),
  };
}

type LogRows = { [K in keyof ReturnType<typeof logStatements>]: Awaited<ReturnType<typeof logStatements>[K]> };

/** @throws AppError `subscription_not_found` */
export function pageOfLog({ found, deliveries, windowEnd, progress }: LogRows, limit = PAGE) {
  const shown = deliveries.slice(0, limit);
  return {
    subscription: requireSubscription(found[0]),
    deliveries: shown,
    nextBefore: deliveries.length > limit ? shown.at(-1)?.id : windowEnd[0]?.id,
    progress: progress[0],
  };
}

/** The request of an attempt, built again from stored data: the same input gives the same headers. */
export interface SentRequest {
  /** Null when the subscription's address has changed since. */
  url: string | null;
  headers: Record<string, string>;
  /** Whether the headers include the signatures. Those of a secret that was replaced cannot be computed again. */
  isSigned: boolean;
}

export type ShownAttempt = Awaited<ReturnType<typeof getDelivery>>['attempts'][number];

/**
 * One delivery with its event as sent, and its attempts. @throws AppError `delivery_not_found`,
 * `subscription_not_found`
 */
export async function getDelivery(ctx: Context, input: { subscriptionId: string; deliveryId: string }) {
  const { orgId } = requireRole(ctx, ['owner']);
  const { found, delivery, attempts, signing } = await ctx.db.run({
    found: selectShown(ctx, orgId, input.subscriptionId),
    delivery: selectDelivery(orgId, input.deliveryId),
    attempts: selectAttempts(orgId, input.deliveryId),
    signing: selectSigning(orgId, input.subscriptionId),
  });
  const [subscription, logged, signs] = [requireSubscription(found[0]), delivery[0], requireSubscription(signing[0])];
  if (!logged || logged.subscriptionId !== subscription.id) throw noDelivery();
  const shown = attempts.map(async (attempt) => {
    const wasSent = attempt.failureClass !== 'blocked' && attempt.failureClass !== 'interrupted';
    return { ...attempt, request: wasSent ? await requestOf(ctx, { subscription, logged, attempt, signs }) : null };
  });
  return { subscription, delivery: logged, attempts: await Promise.all(shown) };
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
  return { url, headers, isSigned: secrets !== undefined };
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
