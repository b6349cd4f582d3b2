import { requireOperator, requireSystem } from '../platform/access';
import { type Context, withDatabase } from '../platform/context';
import { type Held, writeHeld } from '../platform/files';
import { newId } from '../platform/ids';
import { onceFor } from '../platform/isolate-cache';
import { describeError, logged } from '../platform/log';
import { MINUTE_MS, SECOND_MS } from '../platform/time';
import { isOwnBucket } from '../prescriptions/installation';
import { postWebhook } from '../webhooks/posting/post';
import { branded, signatureHeaders } from '../webhooks/signing/sign';
import { type Checks, cronCheck, judge, worstOf } from './checks';
import {
  type Check,
  type CheckStatus,
  type DatabaseFacts,
  type Facts,
  gatherFacts,
  keepCanaries,
  type Notice,
  readState,
  WATCH,
  type WatchState,
} from './facts';
import { HEARTBEAT_FROM_HOUR } from './limits';
import { sweepNotes } from './notes';

export interface Health {
  status: CheckStatus;
  checks: Checks;
  databases: DatabaseFacts[];
}

/** Returns the current result of every check. */
export async function readHealth(ctx: Context): Promise<Health> {
  requireOperator(ctx);
  const facts = await gatherFacts(ctx);
  const read = facts.bucket?.read;
  // Stores `since`, so that a missing cron can be timed from now on.
  if (read?.etag === null) await writeHeld(ctx, WATCH, read).catch(() => null);
  const checks = judge(facts);
  return { status: worstOf(Object.values(checks)), checks, databases: facts.databases };
}

/**
 * Runs once a minute: records that the cron runs, evaluates all checks, and posts alerts that began or ended and one
 * heartbeat a day. Of two concurrent runs, only one posts.
 */
export async function watch(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const facts = await gatherFacts(ctx);
  const { bucket, now } = facts;
  if (!bucket) return;
  await confirmInstallations(ctx, facts);
  const ran = { ...bucket.read.record, ranAt: now, pausedSince: pausedSince(facts, bucket.read.record) };
  const read = { ...bucket.read, record: ran };
  const checks = judge({ ...facts, bucket: { ...bucket, read } });
  await keepCanaries(ctx, bucket.canaries);
  await tell(ctx, read, checks, (state) => withHeartbeat(state, worstOf(Object.values(checks)), now));
  if (new Date(now).getUTCMinutes() === SWEPT_AT_MINUTE) {
    await sweepNotes(ctx);
    await forgetSent(ctx, ran);
  }
}

const SWEPT_AT_MINUTE = 41;

function pausedSince({ now, deletions }: Facts, state: WatchState): number | null {
  return deletions === 'paused' ? (state.pausedSince ?? now) : null;
}

/**
 * Stores the id of a new database in the bucket, in the first run that finds the database. From then on, a check fails
 * if the database is missing.
 */
async function confirmInstallations(ctx: Context, { databases, bucket }: Facts): Promise<void> {
  for (const { shard, answer } of databases) {
    if (answer?.figures && !bucket?.installations.has(shard))
      await isOwnBucket(withDatabase(ctx, ctx.databases.at(shard)));
  }
}

/** Writes the alerts that these checks begin and end, and posts waiting notices unless another run is posting. */
async function tell(
  ctx: Context,
  { record, etag }: Held<WatchState>,
  checks: Partial<Checks>,
  also = (state: WatchState): WatchState => state,
): Promise<void> {
  const now = ctx.now();
  const before = await withoutSent(ctx, record);
  const told = also(withChecks(before, checks, now));
  const posts = told.waiting.length > 0 && before.postingUntil <= now;
  const after = { ...told, postingUntil: posts ? now + POSTING_MS : before.postingUntil };
  if (!(await writeHeld(ctx, WATCH, { record: after, etag }))) return;
  logNew(ctx, before, after);
  if (posts) await postWaiting(ctx, after);
}

const lookedAt = onceFor((_files: R2Bucket): { at: number } => ({ at: 0 }));

/**
 * Checks after a request, at most once a minute per isolate, whether the cron still runs, because a stopped cron cannot
 * report itself. Reads nothing if no alert receiver is configured.
 */
export function lookAfterCron(ctx: Context): void {
  const last = lookedAt(ctx.files);
  const now = ctx.now();
  if (!ctx.config.alert || Math.abs(now - last.at) < MINUTE_MS) return;
  last.at = now;
  ctx.defer(look(ctx, now));
}

async function look(ctx: Context, now: number): Promise<void> {
  await logged(ctx, ['error', 'cron_not_looked_after'], async () => {
    const read = await readState(ctx);
    const cron = cronCheck(read.record, now);
    if (read.etag !== null && cron.status !== 'ok') await tell(ctx, read, { cron });
  });
}

/** The most notices that wait to be posted. Beyond this number, the oldest are dropped. */
const WAITING_MAX = 100;
/**
 * How long one invocation may post before another one may continue (`POSTING_MS`), and the longest time that one post
 * takes (`POST_MS`).
 */
const POSTING_MS = 25_000;
const POST_MS = 11_000;
const SENT = 'operations/sent/';

const RANK: Record<CheckStatus, number> = { ok: 0, warning: 1, failing: 2 };

/**
 * Returns the state after these checks. A check that is not `ok` begins an alert. A check that gets worse than reported
 * is reported again. A check that is `ok` again ends its alert. Nothing else is reported.
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

/**
 * Returns the state, with a heartbeat to post if one is due. One is due in the first run and then once a day, so that
 * an outside monitor can notice when it is missing.
 */
function withHeartbeat(state: WatchState, status: CheckStatus, at: number): WatchState {
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

/** Logs the notices that are new in `after`. */
function logNew(ctx: Context, before: WatchState, after: WatchState): void {
  const known = new Set(before.waiting.map(({ id }) => id));
  for (const { id, type, check, status, code } of after.waiting) {
    if (known.has(id)) continue;
    const isBad = type === 'alert_began' && status === 'failing';
    ctx.log(isBad ? 'error' : 'warn', type, { code: [check, status, code].filter((each) => each !== null).join(' ') });
  }
}

/** Returns the state without notices that an earlier run has posted. @throws R2's error */
async function withoutSent(ctx: Context, state: WatchState): Promise<WatchState> {
  if (state.waiting.length === 0) return state;
  const { objects } = await ctx.files.list({ prefix: SENT });
  const sent = new Set(objects.map(({ key }) => key.slice(SENT.length)));
  return { ...state, waiting: state.waiting.filter(({ id }) => !sent.has(id)) };
}

/** Deletes the marks of posted notices that are no longer in the state. @throws R2's error */
async function forgetSent(ctx: Context, { waiting }: WatchState): Promise<void> {
  const { objects } = await ctx.files.list({ prefix: SENT });
  const isOver = ({ key }: R2Object) => !waiting.some(({ id }) => key === `${SENT}${id}`);
  const over = objects.filter(isOver).map(({ key }) => key);
  if (over.length > 0) await ctx.files.delete(over);
}

/**
 * Posts waiting notices, oldest first, each signed like a webhook, and marks each in the bucket. If a notice is not
 * accepted, it and all later notices wait for the next run.
 */
async function postWaiting(ctx: Context, { waiting, postingUntil }: WatchState): Promise<void> {
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
  const plain = { 'Content-Type': 'application/json', 'X-Service-Event': type };
  const headers = branded(ctx.config.webhookBrand, { ...plain, ...signature });
  const { failureClass, httpStatus } = await postWebhook({ url: alert.url, headers, body });
  if (failureClass === null) return true;
  ctx.log('error', 'alert_not_posted', { code: failureClass, status: httpStatus ?? undefined });
  return false;
}
