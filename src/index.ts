import { app } from './app';
import { sweepJournal } from './audit/journal';
import { sweepPageData } from './auth/staff/account';
import { sweepEmailEntries } from './auth/staff/members';
import { sweepLeft } from './directory/move/left';
import { noteDeadLetters, noteJob } from './health/notes';
import { rewriteUnderRoots } from './health/roots';
import { watch } from './health/watch';
import { sweepKeys } from './idempotency/answer-once';
import { sweepImports } from './inventory/imports/imports';
import { sweepReservations } from './inventory/stock';
import { consumeEmailEvents, sweepEmails } from './messages/sending';
import { endCheck, giveCheckUp } from './order-requests/review/signature-check';
import { sweepSearch } from './order-requests/search/search';
import { sweepRetention } from './order-requests/sweep';
import type { QueueBinding } from './platform/config';
import { type Context, openContext, withDatabase } from './platform/context';
import { newId } from './platform/ids';
import { describeError, log } from './platform/log';
import {
  askForJobs,
  dailyAt,
  everyMinute,
  everyMinuteBetween,
  hourlyAt,
  jobsAskedFor,
  messagesByShard,
  onAsManyAsFit,
  onSundays,
  optimizeDatabase,
  type When,
} from './platform/queue/jobs';
import { areWritesOff, deletionsOf } from './platform/switches';
import {
  beginCheck,
  consumeFetches,
  sweepChecks,
  sweepFetches,
  sweepFileDeletions,
  sweepMarks,
  sweepOrphanFiles,
  sweepTrash,
} from './prescriptions/sweep';
import { sumDeliveries } from './reports/sweep';
import { backUp } from './restore/organization/backup';
import { endUnusedTests, sweepEnds } from './restore/organization/end';
import { sweepExports, writeExports } from './restore/organization/write';
import { sweepRestores } from './restore/record';
import type { Asked } from './signatures/result';
import { checkHosts, sweepTenantEntries } from './tenants/domain-check';
import { endOldEvents } from './webhooks/events/feed';
import { consumeDeliveries, sweepDeliveries } from './webhooks/sweep';

/**
 * A scheduled job. The jobs that are due for one database run in one invocation, so they share D1's limit of 1,000
 * queries. The due jobs for all databases together run in another invocation. The message that starts an invocation may
 * arrive twice, even at the same time, so jobs are idempotent.
 */
interface Job {
  name: string;
  when: When;
  /** Runs once for each database. A failure on one does not affect the others. */
  run: (ctx: Context) => Promise<void>;
  /** Runs once for all databases together. */
  isForAll?: true;
  /** The job moves, deletes or erases data: it does not run while deletions are paused. */
  isDeleting?: true;
}

const JOBS: readonly Job[] = [
  { name: 'sweep-deliveries', when: everyMinute, run: sweepDeliveries },
  { name: 'send-emails', when: everyMinute, run: sweepEmails },
  { name: 'end-old-events', when: everyMinute, run: endOldEvents, isDeleting: true },
  { name: 'sweep-fetches', when: everyMinute, run: sweepFetches },
  { name: 'sweep-signature-checks', when: everyMinute, run: (ctx) => sweepChecks(ctx, giveCheckUp) },
  { name: 'sweep-file-deletions', when: everyMinute, run: sweepFileDeletions, isDeleting: true },
  { name: 'sweep-left-rows', when: everyMinute, run: sweepLeft, isDeleting: true },
  { name: 'check-hosts', when: everyMinute, run: checkHosts },
  { name: 'sweep-idempotency-keys', when: everyMinute, run: sweepKeys },
  { name: 'sweep-page-data', when: hourlyAt(17), run: sweepPageData },
  { name: 'sweep-prescription-marks', when: hourlyAt(32), run: sweepMarks, isDeleting: true },
  { name: 'sweep-imports', when: hourlyAt(32), run: sweepImports, isDeleting: true },
  { name: 'sweep-journal', when: hourlyAt(17), run: sweepJournal, isDeleting: true, isForAll: true },
  { name: 'sweep-restores', when: hourlyAt(17), run: sweepRestores, isDeleting: true, isForAll: true },
  { name: 'write-exports', when: everyMinute, run: writeExports, isForAll: true },
  // The job also reports what the bucket of backups has just refused, so it runs after `write-exports`.
  { name: 'back-up', when: everyMinute, run: backUp, isForAll: true },
  { name: 'sweep-exports', when: hourlyAt(17), run: sweepExports, isDeleting: true, isForAll: true },
  { name: 'sweep-ends', when: hourlyAt(17), run: sweepEnds, isDeleting: true, isForAll: true },
  { name: 'sweep-orphan-files', when: hourlyAt(17), run: sweepOrphanFiles, isDeleting: true, isForAll: true },
  { name: 'sweep-trash', when: hourlyAt(47), run: sweepTrash, isDeleting: true, isForAll: true },
  { name: 'sweep-tenant-entries', when: hourlyAt(32), run: sweepTenantEntries, isDeleting: true },
  { name: 'sweep-email-entries', when: hourlyAt(32), run: sweepEmailEntries, isDeleting: true },
  { name: 'sum-deliveries', when: hourlyAt(2), run: sumDeliveries },
  { name: 'sweep-retention', when: everyMinuteBetween(1, 5), run: sweepRetention, isDeleting: true },
  { name: 'rewrite-under-roots', when: onSundays(everyMinuteBetween(1, 5)), run: rewriteUnderRoots },
  { name: 'sweep-reservations', when: everyMinute, run: sweepReservations },
  { name: 'sweep-search', when: everyMinute, run: sweepSearch },
  { name: 'end-unused-tests', when: dailyAt(5, 4), run: endUnusedTests, isDeleting: true },
  // The job runs after the other jobs of the night have changed the tables.
  { name: 'optimize', when: dailyAt(5, 3), run: optimizeDatabase },
];
/**
 * The function that handles the messages of each queue. Each message is the id of a row. `JOBS` is not listed, because
 * its messages name a database and a minute. A dead-letter queue has no such function.
 */
const CONSUMERS: Readonly<
  Record<Exclude<QueueBinding, 'JOBS'>, (ctx: Context, ids: readonly string[]) => Promise<void>>
> = {
  WEBHOOK_DELIVERIES: consumeDeliveries,
  PRESCRIPTION_FETCHES: consumeFetches,
};
/**
 * The number of seconds after which the queue delivers a bounce report again, if the report came while writes were off.
 * The queue delivers a report again up to three times. Together, these waits are longer than a restore.
 */
const WRITES_OFF_SECONDS = 1800;
/** Whether the time is a full hour, at which paused deletions are logged. */
const isReminderDue = hourlyAt(0);

export default {
  async fetch(request, env, executionCtx) {
    try {
      return await app.fetch(request, env, executionCtx);
    } catch (error) {
      // Only an unsafe configuration gets here, because the app handles all other errors.
      log('error', 'misconfigured', describeError(error));
      return new Response('{"code":"internal_error","status":500}', {
        status: 500,
        headers: { 'Content-Type': 'application/problem+json' },
      });
    }
  },

  /**
   * Acknowledges every message except bounces that could not be handled. Does not throw: all other work has its state
   * in rows, and a sweep finds failed work.
   */
  async queue(batch, env, executionCtx) {
    const bodies = batch.messages.map(({ body }) => body);
    const ctx = systemContext(env, executionCtx);
    const isOff = await areWritesOff(ctx);
    // A bounce is known only from its message, so a failed one is retried.
    if (batch.queue === ctx.config.emailEventsQueue) {
      return isOff ? batch.retryAll({ delaySeconds: WRITES_OFF_SECONDS }) : consumeEmailEvents(ctx, bodies);
    }
    batch.ackAll();
    if (isOff) return;
    const binding = ctx.config.queues.get(batch.queue);
    if (binding === 'JOBS') return runAsked(ctx, bodies);
    if (!binding) {
      ctx.log('error', 'dead_letters', { queue: batch.queue, count: bodies.length });
      return noteDeadLetters(ctx, bodies.length);
    }
    const ofShards = [...messagesByShard(ctx, bodies)];
    await Promise.all(
      ofShards.map(([shard, ids]) => {
        const at = withDatabase(ctx, ctx.databases.at(shard));
        return attempt(at, { job: batch.queue, shard }, () => CONSUMERS[binding](at, ids));
      }),
    );
  },

  async scheduled(controller, env, executionCtx) {
    const ctx = systemContext(env, executionCtx);
    const time = new Date(controller.scheduledTime);
    const watching = attempt(ctx, { job: 'watch' }, watch);
    await remindOfPause(ctx, time);
    const isForAllDue = (await jobsDue(ctx, time)).some(({ isForAll }) => isForAll);
    const unasked = await askForJobs(ctx, time.getTime(), { isForAllDue });
    const ofDatabases = unasked.filter((shard) => shard !== null);
    await onAsManyAsFit(ctx, ofDatabases, (at) => runDue(at, at.db.shard, time));
    if (unasked.includes(null)) await runDue(ctx, null, time);
    await watching;
  },
} satisfies ExportedHandler<Env>;

/**
 * The main Worker's answers to the Worker that checks signatures, which calls through a service binding. A call claims
 * a check or stores its result (`Asked`). The answer to a claim is a `Claim`, or `null` if there is nothing to check.
 * The answer to a result is always `null`. While writes are off, every answer is `null`, and nothing is stored.
 */
export const SignatureChecks = {
  async fetch(request, env, executionCtx) {
    const ctx = systemContext(env, executionCtx);
    const asked = await request.json<Asked>();
    const named = (await areWritesOff(ctx)) ? null : onNamed(ctx, asked.message);
    if (!named) return Response.json(null);
    const { at, id } = named;
    if ('deliveries' in asked) return Response.json(await beginCheck(at, id, asked.deliveries));
    await endCheck(at, { id, attempt: asked.attempt }, asked.found);
    return Response.json(null);
  },
} satisfies ExportedHandler<Env>;

/**
 * Returns the id of the row that a message names, and the context on that row's database. Null if the message names no
 * row.
 */
function onNamed(ctx: Context, message: unknown): { at: Context; id: string } | null {
  const [found] = messagesByShard(ctx, [message]);
  const [shard, [id] = []] = found ?? [];
  return shard === undefined || id === undefined ? null : { at: withDatabase(ctx, ctx.databases.at(shard)), id };
}

function systemContext(env: Env, executionCtx: ExecutionContext): Context {
  const defer = (deferred: Promise<unknown>) => executionCtx.waitUntil(deferred);
  return openContext(env, { actor: { kind: 'system' }, requestId: newId(), defer });
}

async function jobsDue(ctx: Context, time: Date): Promise<Job[]> {
  if (await areWritesOff(ctx)) return [];
  const due = JOBS.filter(({ when }) => when(time));
  return (await deletionsOf(ctx)) === 'paused' ? due.filter(({ isDeleting }) => !isDeleting) : due;
}

async function remindOfPause(ctx: Context, time: Date): Promise<void> {
  if (!isReminderDue(time) || (await deletionsOf(ctx)) !== 'paused') return;
  const paused = JOBS.filter(({ when, isDeleting }) => isDeleting && when(time));
  for (const { name } of paused) ctx.log('warn', 'deletions_paused', { queue: name });
}

/**
 * Runs the jobs that are due at the minute that each message names, even if the message arrives late. Jobs that delete
 * data do not run if deletions are paused now.
 */
async function runAsked(ctx: Context, bodies: readonly unknown[]): Promise<void> {
  const asked = jobsAskedFor(ctx, bodies).map(({ shard, time }) => {
    return runDue(shard === null ? ctx : withDatabase(ctx, ctx.databases.at(shard)), shard, new Date(time));
  });
  await Promise.all(asked);
}

/**
 * Runs the jobs that are due at a time, one after the other.
 * @param shard the number of the context's database, whose jobs run; null to run the jobs for all databases together
 */
async function runDue(ctx: Context, shard: number | null, time: Date): Promise<void> {
  const due = (await jobsDue(ctx, time)).filter(({ isForAll = false }) => isForAll === (shard === null));
  for (const { name, run } of due) await attempt(ctx, { job: name, shard: shard ?? undefined }, run);
}

/** Runs one job, for one database or for all. A failure is logged and counted, and does not stop other jobs. */
async function attempt(
  ctx: Context,
  { job, shard }: { job: string; shard?: number },
  work: (ctx: Context) => Promise<void>,
): Promise<void> {
  let hasFailed = false;
  try {
    await work(ctx);
  } catch (error) {
    hasFailed = true;
    ctx.log('error', 'job_failed', { queue: job, shard, ...describeError(error) });
  }
  await noteJob(ctx, { job, shard }, hasFailed);
}
