import { app } from './app';
import { sweepJournal } from './audit/sweep';
import { sweepPageData } from './auth/sweep';
import { sweepRetention } from './order-requests/sweep';
import { type Context, openContext } from './platform/context';
import { newId } from './platform/ids';
import { describeError, log } from './platform/log';
import { everyMinute, everyMinuteBetween, hourlyAt, type When } from './platform/schedule';
import { consumeFetches } from './prescriptions/consumer';
import { sweepFetches, sweepFileDeletions, sweepOrphanFiles, sweepTrash } from './prescriptions/sweep';
import { consumeDeliveries } from './webhooks/consumer';
import { endOldEvents, sweepDeliveries } from './webhooks/sweep';

/** One scheduled job. All due jobs share one invocation, and so D1's limit of 1,000 queries. */
interface Job {
  name: string;
  when: When;
  run: (ctx: Context) => Promise<void>;
  /** The job moves, deletes or erases data: `DELETIONS = "paused"` stops it. */
  isDeleting?: true;
}

const JOBS: readonly Job[] = [
  { name: 'sweep-deliveries', when: everyMinute, run: sweepDeliveries },
  { name: 'end-old-events', when: everyMinute, run: endOldEvents, isDeleting: true },
  { name: 'sweep-fetches', when: everyMinute, run: sweepFetches },
  { name: 'sweep-file-deletions', when: everyMinute, run: sweepFileDeletions, isDeleting: true },
  { name: 'sweep-page-data', when: hourlyAt(17), run: sweepPageData },
  { name: 'sweep-journal', when: hourlyAt(17), run: sweepJournal, isDeleting: true },
  { name: 'sweep-orphan-files', when: hourlyAt(17), run: sweepOrphanFiles, isDeleting: true },
  { name: 'sweep-trash', when: hourlyAt(47), run: sweepTrash, isDeleting: true },
  { name: 'sweep-retention', when: everyMinuteBetween(1, 5), run: sweepRetention, isDeleting: true },
];
/** While deletions are paused, an hourly log line says so, so that it is not forgotten. */
const isReminderDue = hourlyAt(0);

export default {
  async fetch(request, env, executionCtx) {
    try {
      return await app.fetch(request, env, executionCtx);
    } catch (error) {
      // Only an unsafe configuration gets here: the app handles every other error.
      log('error', 'misconfigured', describeError(error));
      return new Response('{"code":"internal_error","status":500}', {
        status: 500,
        headers: { 'Content-Type': 'application/problem+json' },
      });
    }
  },

  /** Acknowledges every message and never throws: the state is in the rows, and the sweep finds what failed. */
  async queue(batch, env, executionCtx) {
    batch.ackAll();
    const bodies = batch.messages.map(({ body }) => body);
    await attempt(env, executionCtx, batch.queue, async (ctx) => {
      if (batch.queue === 'webhook-deliveries') return consumeDeliveries(ctx, bodies);
      if (batch.queue === 'prescription-fetches') return consumeFetches(ctx, bodies);
      ctx.log('error', 'dead_letters', { queue: batch.queue, count: bodies.length });
    });
  },

  async scheduled(controller, env, executionCtx) {
    const time = new Date(controller.scheduledTime);
    for (const { name, when, run, isDeleting } of JOBS) {
      if (!when(time)) continue;
      await attempt(env, executionCtx, name, async (ctx) => {
        const isPaused = isDeleting && ctx.config.deletions === 'paused';
        if (!isPaused) return run(ctx);
        if (isReminderDue(time)) ctx.log('warn', 'deletions_paused', { queue: name });
      });
    }
  },
} satisfies ExportedHandler<Env>;

/** Runs one job; a failure is logged and does not stop the other jobs. */
async function attempt(
  env: Env,
  executionCtx: ExecutionContext,
  job: string,
  work: (ctx: Context) => Promise<void>,
): Promise<void> {
  try {
    const requestId = newId();
    const defer = (deferred: Promise<unknown>) => executionCtx.waitUntil(deferred);
    await work(openContext(env, { actor: { kind: 'system' }, requestId, defer }));
  } catch (error) {
    log('error', 'job_failed', { queue: job, ...describeError(error) });
  }
}
