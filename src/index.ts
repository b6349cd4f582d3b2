import { app } from './app';
import { openContext } from './platform/context';
import { newId } from './platform/ids';
import { describeError } from './platform/log';
import { consumeFetches } from './prescriptions/consumer';
import { sweepFetches, sweepOrphanFiles } from './prescriptions/sweep';
import { consumeDeliveries } from './webhooks/consumer';
import { sweepDeliveries } from './webhooks/sweep';

/** Minute of the hour in which files that no row names are looked for. */
const ORPHAN_SWEEP_MINUTE = 17;

export default {
  fetch: app.fetch,

  /** Acknowledges every message and never throws: rows are the truth, and one that failed is found by the sweep. */
  async queue(batch, env, executionCtx) {
    batch.ackAll();
    const ctx = systemContext(env, executionCtx);
    const bodies = batch.messages.map(({ body }) => body);
    await attempt(ctx, batch.queue, async () => {
      if (batch.queue === 'webhook-deliveries') return consumeDeliveries(ctx, bodies);
      if (batch.queue === 'prescription-fetches') return consumeFetches(ctx, bodies);
      ctx.log('error', 'dead_letters', { queue: batch.queue, count: bodies.length });
    });
  },

  async scheduled(controller, env, executionCtx) {
    const ctx = systemContext(env, executionCtx);
    await attempt(ctx, 'sweep-deliveries', () => sweepDeliveries(ctx));
    await attempt(ctx, 'sweep-fetches', () => sweepFetches(ctx));
    if (new Date(controller.scheduledTime).getUTCMinutes() === ORPHAN_SWEEP_MINUTE) {
      await attempt(ctx, 'sweep-orphan-files', () => sweepOrphanFiles(ctx));
    }
  },
} satisfies ExportedHandler<Env>;

function systemContext(env: Env, executionCtx: ExecutionContext) {
  return openContext(env, {
    actor: { kind: 'system' },
    requestId: newId(),
    defer: (work) => executionCtx.waitUntil(work),
  });
}

/** Runs one job; its failure is logged and keeps none of the others from running. */
async function attempt(
  ctx: ReturnType<typeof systemContext>,
  job: string,
  work: () => Promise<void> | undefined,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    ctx.log('error', 'job_failed', { queue: job, ...describeError(error) });
  }
}
