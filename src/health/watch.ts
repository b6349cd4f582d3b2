import { requireOperator, requireSystem } from '../platform/access';
import { type Context, withDatabase } from '../platform/context';
import { describeError } from '../platform/log';
import { onceFor } from '../platform/once';
import { MINUTE_MS } from '../platform/time';
import { isOwnBucket } from '../prescriptions/service';
import { forgetSent, logNew, POSTING_MS, postWaiting, withChecks, withHeartbeat, withoutSent } from './alerts';
import { keepCanaries } from './canaries';
import type { CheckStatus } from './check';
import { type Checks, cronCheck, judge, worstOf } from './checks';
import { type DatabaseFacts, type Facts, gatherFacts } from './facts';
import { sweepNotes } from './notes';
import { type Read, readState, type WatchState, writeState } from './state';

export interface Health {
  status: CheckStatus;
  checks: Checks;
  databases: DatabaseFacts[];
}

/** What every check says now. */
export async function readHealth(ctx: Context): Promise<Health> {
  requireOperator(ctx);
  const facts = await gatherFacts(ctx);
  const read = facts.bucket?.read;
  // From now on it is known how long the cron has been away.
  if (read?.etag === null) await writeState(ctx, read, read.state).catch(() => false);
  const checks = judge(facts);
  return { status: worstOf(Object.values(checks)), checks, databases: facts.databases };
}

/**
 * Once a minute: notes that the cron runs, judges all checks, and posts what has begun or ended, and a heartbeat a day. Of two runs
 * at the same moment one tells.
 */
export async function watch(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const facts = await gatherFacts(ctx);
  const { bucket, now } = facts;
  if (!bucket) return;
  await confirmInstallations(ctx, facts);
  const ran = { ...bucket.read.state, ranAt: now, pausedSince: pausedSince(facts, bucket.read.state) };
  const checks = judge({ ...facts, bucket: { ...bucket, read: { ...bucket.read, state: ran } } });
  await keepCanaries(ctx, bucket.canaries);
  await tell(ctx, { ...bucket.read, state: ran }, checks, (state) =>
    withHeartbeat(state, worstOf(Object.values(checks)), now),
  );
  if (new Date(now).getUTCMinutes() === SWEPT_AT_MINUTE) {
    await sweepNotes(ctx);
    await forgetSent(ctx, ran);
  }
}

const SWEPT_AT_MINUTE = 41;

function pausedSince({ now, deletions }: Facts, state: WatchState): number | null {
  return deletions === 'paused' ? (state.pausedSince ?? now) : null;
}

/** A new database gets its id in the bucket with the first run, so that it is missed from then on. */
async function confirmInstallations(ctx: Context, { databases, bucket }: Facts): Promise<void> {
  for (const { shard, answer } of databases) {
    if (answer?.figures && !bucket?.installations.has(shard))
      await isOwnBucket(withDatabase(ctx, ctx.databases.at(shard)));
  }
}

/** Writes what these checks begin and end, and posts what waits unless somebody does so. */
async function tell(
  ctx: Context,
  read: Read,
  checks: Partial<Checks>,
  also = (state: WatchState): WatchState => state,
): Promise<void> {
  const now = ctx.now();
  const before = await withoutSent(ctx, read.state);
  const told = also(withChecks(before, checks, now));
  const posts = told.waiting.length > 0 && before.postingUntil <= now;
  const after = { ...told, postingUntil: posts ? now + POSTING_MS : before.postingUntil };
  if (!(await writeState(ctx, read, after))) return;
  logNew(ctx, before, after);
  if (posts) await postWaiting(ctx, after);
}

const lookedAt = onceFor((_files: R2Bucket): { at: number } => ({ at: 0 }));

/**
 * Behind any request, at most once a minute in an isolate: whether the cron still runs. It cannot say so by itself. Where nobody
 * is told, nothing is read.
 */
export function lookAfterCron(ctx: Context): void {
  const last = lookedAt(ctx.files);
  const now = ctx.now();
  if (!ctx.config.alert || Math.abs(now - last.at) < MINUTE_MS) return;
  last.at = now;
  ctx.defer(look(ctx, now));
}

async function look(ctx: Context, now: number): Promise<void> {
  try {
    const read = await readState(ctx);
    const cron = cronCheck(read.state, now);
    if (read.etag !== null && cron.status !== 'ok') await tell(ctx, read, { cron });
  } catch (error) {
    ctx.log('error', 'cron_not_looked_after', describeError(error));
  }
}
