import { app } from './app';
import { sweepRetention } from './order-requests/sweep';
import { type Context, openContext } from './platform/context';
import { newId } from './platform/ids';
import { describeError, log } from './platform/log';
import { consumeFetches } from './prescriptions/consumer';
import { sweepFetches, sweepFileDeletions, sweepOrphanFiles } from './prescriptions/sweep';
import { consumeDeliveries } from './webhooks/consumer';
import { endOldEvents, sweepDeliveries } from './webhooks/sweep';

/** When what is not urgent runs, in UTC. */
const HOURLY_MINUTE = 17;
const NIGHTLY_HOUR = 2;

export default {
  async fetch(request, env, executionCtx) {
    try {
      return await app.fetch(request, env, executionCtx);
    } catch (error) {
      // Only an unsafe configuration comes here: everything else is answered by the app.
      log('error', 'misconfigured', describeError(error));
      return new Response('{"code":"internal_error","status":500}', {
        status: 500,
        headers: { 'Content-Type': 'application/problem+json' },
      });
    }
  },

  /** Acknowledges every message and never throws: rows are the truth, and one that failed is found by the sweep. */
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
    await attempt(env, executionCtx, 'sweep-deliveries', sweepDeliveries);
    await attempt(env, executionCtx, 'end-old-events', endOldEvents);
    await attempt(env, executionCtx, 'sweep-fetches', sweepFetches);
    await attempt(env, executionCtx, 'sweep-file-deletions', sweepFileDeletions);
    const time = new Date(controller.scheduledTime);
    if (time.getUTCMinutes() !== HOURLY_MINUTE) return;
    await attempt(env, executionCtx, 'sweep-orphan-files', sweepOrphanFiles);
    if (time.getUTCHours() === NIGHTLY_HOUR) await attempt(env, executionCtx, 'sweep-retention', sweepRetention);
  },
} satisfies ExportedHandler<Env>;

/** Runs one job of the system; its failure is logged and keeps none of the others from running. */
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
