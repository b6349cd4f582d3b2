import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  getQueueResult,
  waitOnExecutionContext,
} from 'cloudflare:test';
import worker from '../../src/index';
import { bindings, silentQueue } from './world';

/** The Worker as the platform calls it by itself. What it sends to its queues goes nowhere, unless a test says so. */

/** The cron of one minute, with every job that is due then. The jobs' own clock is `Date`. */
export async function cronAt(time: number | string, changed: Partial<Env> = {}): Promise<void> {
  const executionCtx = createExecutionContext();
  const controller = createScheduledController({ scheduledTime: new Date(time) });
  await worker.scheduled(controller, bindings(quiet(), changed), executionCtx);
  await waitOnExecutionContext(executionCtx);
}

/** One batch of messages. */
export async function queueBrings(queue: string, bodies: readonly unknown[], changed: Partial<Env> = {}) {
  const messages = bodies.map((body, index) => ({ id: `m${index}`, timestamp: new Date(), attempts: 1, body }));
  const batch = createMessageBatch(queue, messages);
  const executionCtx = createExecutionContext();
  await worker.queue(batch, bindings(quiet(), changed), executionCtx);
  return getQueueResult(batch, executionCtx);
}

function quiet(): Partial<Env> {
  return { WEBHOOK_DELIVERIES: silentQueue().queue, PRESCRIPTION_FETCHES: silentQueue().queue };
}
