import type { Context } from '../platform/context';
import { newId } from '../platform/ids';
import { describeError } from '../platform/log';
import { SECOND_MS } from '../platform/time';
import { postWebhook, signatureHeaders } from '../webhooks/service';
import type { Check, CheckStatus } from './check';
import type { Notice, WatchState } from './state';

/** More than that nobody reads. */
const WAITING_MAX = 100;
/** So long one invocation has for its posts before another one may go on, and one post at most. */
export const POSTING_MS = 25_000;
const POST_MS = 11_000;
const SENT = 'operations/sent/';

const RANK: Record<CheckStatus, number> = { ok: 0, warning: 1, failing: 2 };

/**
 * The state after these checks: a check that is other than `ok` begins an alert, one that gets worse than was told tells so once
 * more, and one that is `ok` again ends it. Nothing is told in between.
 */
export function withChecks(state: WatchState, checks: Readonly<Record<string, Check>>, at: number): WatchState {
  const told = { ...state.told };
  const begun: Notice[] = [];
  for (const [name, { status, figure, code = null }] of Object.entries(checks)) {
    const before = told[name];
    if (RANK[status] > RANK[before?.status ?? 'ok'] && status !== 'ok') {
      const since = before?.since ?? at;
      told[name] = { status, since };
      begun.push({ id: newId(), type: 'alert_began', check: name, status, code, figure, since, at });
    } else if (status === 'ok' && before) {
      delete told[name];
      begun.push({ id: newId(), type: 'alert_ended', check: name, status, code, figure, since: before.since, at });
    }
  }
  return { ...state, told, waiting: [...state.waiting, ...begun].slice(-WAITING_MAX) };
}

const HEARTBEAT_FROM_HOUR = 6;

/** Once a day a sign of life, for somebody outside to miss; the first one with the first run. */
export function withHeartbeat(state: WatchState, status: CheckStatus, at: number): WatchState {
  const day = new Date(at).toISOString().slice(0, 10);
  const isDue = state.heartbeatDay === null || new Date(at).getUTCHours() >= HEARTBEAT_FROM_HOUR;
  if (state.heartbeatDay === day || !isDue) return state;
  const rest = { check: null, code: null, figure: Object.keys(state.told).length, since: at, at };
  return {
    ...state,
    heartbeatDay: day,
    waiting: [...state.waiting, { id: newId(), type: 'heartbeat', status, ...rest }],
  };
}

/** Logs what was not told before. */
export function logNew(ctx: Context, before: WatchState, after: WatchState): void {
  const known = new Set(before.waiting.map(({ id }) => id));
  for (const { id, type, check, status, code } of after.waiting) {
    if (known.has(id)) continue;
    const isBad = type === 'alert_began' && status === 'failing';
    ctx.log(isBad ? 'error' : 'warn', type, { code: [check, status, code].filter((each) => each !== null).join(' ') });
  }
}

/** The state without what was posted by an earlier run. @throws R2's error */
export async function withoutSent(ctx: Context, state: WatchState): Promise<WatchState> {
  if (state.waiting.length === 0) return state;
  const { objects } = await ctx.files.list({ prefix: SENT });
  const sent = new Set(objects.map(({ key }) => key.slice(SENT.length)));
  return { ...state, waiting: state.waiting.filter(({ id }) => !sent.has(id)) };
}

/** Forgets what was posted, once no state has it any more. @throws R2's error */
export async function forgetSent(ctx: Context, { waiting }: WatchState): Promise<void> {
  const { objects } = await ctx.files.list({ prefix: SENT });
  const isOver = ({ key }: R2Object) => !waiting.some(({ id }) => key === `${SENT}${id}`);
  const over = objects.filter(isOver).map(({ key }) => key);
  if (over.length > 0) await ctx.files.delete(over);
}

/**
 * Posts what waits, the oldest first, each signed like a webhook, and marks each in the bucket. What is not accepted waits for the
 * next run, and all that is behind it.
 */
export async function postWaiting(ctx: Context, { waiting, postingUntil }: WatchState): Promise<void> {
  for (const notice of waiting) {
    if (ctx.now() + POST_MS > postingUntil || !(await post(ctx, notice))) return;
    await ctx.files.put(`${SENT}${notice.id}`, '').catch((error) => {
      ctx.log('error', 'alert_not_marked', describeError(error));
    });
  }
}

async function post(ctx: Context, notice: Notice): Promise<boolean> {
  const { alert, baseUrl } = ctx.config;
  if (!alert) return true;
  const { id, type, check, status, code, figure, since, at } = notice;
  const times = { since: new Date(since).toISOString(), at: new Date(at).toISOString() };
  const body = JSON.stringify({ id, type, check, status, code, figure, ...times, service: baseUrl });
  const timestamp = Math.floor(ctx.now() / SECOND_MS);
  const signature = await signatureHeaders({ secret: alert.secret, eventId: id, timestamp, body });
  const headers = { 'Content-Type': 'application/json', 'X-Service-Event': type, ...signature };
  const { failureClass, httpStatus } = await postWebhook({ url: alert.url, headers, body });
  if (failureClass === null) return true;
  ctx.log('error', 'alert_not_posted', { code: failureClass, status: httpStatus ?? undefined });
  return false;
}
