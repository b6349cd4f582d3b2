import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  getQueueResult,
  waitOnExecutionContext,
} from 'cloudflare:test';
import worker from '../../src/index';
import { bindings } from './world';

/** The Worker as the platform calls it by itself. What it sends to its queues goes nowhere, unless a test says so. */

/**
 * The cron of one minute, with every job that is due then, on all databases: what it asks its queue for begins at once. The jobs' own
 * clock is `Date`.
 */
export async function cronAt(time: number | string, changed: Partial<Env> = {}): Promise<void> {
  const asked: Promise<unknown>[] = [];
  const JOBS = queueTo((bodies) => asked.push(...bodies.map((body) => queueBrings('jobs', [body], changed))));
  await scheduledAt(time, { JOBS, ...changed });
  await Promise.all(asked);
}

/** What the cron does by itself, without what it asks its queue for. */
export async function scheduledAt(time: number | string, changed: Partial<Env> = {}): Promise<void> {
  const executionCtx = createExecutionContext();
  const controller = createScheduledController({ scheduledTime: new Date(time) });
  await worker.scheduled(controller, bindings(quiet(), changed), executionCtx);
  await waitOnExecutionContext(executionCtx);
}

/** A queue whose batches go to the test. */
export function queueTo(take: (bodies: unknown[]) => unknown): Queue<unknown> {
  return {
    sendBatch: async (messages: { body: unknown }[]) => void take(messages.map(({ body }) => body)),
  } as unknown as Queue<unknown>;
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
  const nowhere = queueTo(() => undefined);
  return { WEBHOOK_DELIVERIES: nowhere, PRESCRIPTION_FETCHES: nowhere, JOBS: nowhere };
}
