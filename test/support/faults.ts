import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { Context } from '../../src/platform/context';
import { consumeDeliveries, sweepDeliveries } from '../../src/webhooks/sweep';
import { type Call, d1Down } from './outbound';
import { type DeliveryRow, deliveriesOf, PRODUCTION_SCHEDULE } from './webhooks';
import { type RungFor, rows, systemContext } from './world';

/** What D1 does to one of the batches that it is sent. */
export type Fault = {
  /** Counted from 1; a batch that is sent again counts again. */
  batch: number;
} & (
  | {
      how:
        | 'is not carried out, an error that is not sent again'
        | 'is not carried out, a transient error'
        | 'is carried out and its answer lost, an error that is not sent again'
        | 'is carried out and its answer lost, a transient error';
    }
  | { how: 'is undone at a statement'; statement: number }
);

const WHOLE_BATCH = [
  'is not carried out, an error that is not sent again',
  'is not carried out, a transient error',
  'is carried out and its answer lost, an error that is not sent again',
  'is carried out and its answer lost, a transient error',
] as const;

/** D1 with at most one fault. `sizes` tells how many statements each batch had. */
export function faultyDatabase(fault: Fault | null): { DB: D1Database; sizes: number[] } {
  const sizes: number[] = [];
  // SAFETY: the tested code calls only `prepare` and `batch`.
  const DB = {
    prepare: (query: string) => env.DB.prepare(query),
    batch: async (statements: D1PreparedStatement[]) => {
      sizes.push(statements.length);
      if (fault?.batch !== sizes.length) return env.DB.batch(statements);
      if (fault.how === 'is undone at a statement') {
        // SQLite finds the fault when it comes to this statement: those before it were carried out.
        const failing = env.DB.prepare("select json('{')");
        return env.DB.batch(statements.with(fault.statement, failing)).catch(() => Promise.reject(d1Down()));
      }
      if (fault.how.startsWith('is carried out')) await env.DB.batch(statements);
      throw fault.how.endsWith('transient error') ? new Error('D1_ERROR: Network connection lost.') : d1Down();
    },
  } as unknown as D1Database;
  return { DB, sizes };
}

/** Every fault of batches that have these sizes: of the whole batch, and at each of its statements. */
export function faultsOf(sizes: readonly number[]): { wholeBatch: Fault[]; statement: Fault[] } {
  return {
    wholeBatch: sizes.flatMap((_, index) => WHOLE_BATCH.map((how): Fault => ({ batch: index + 1, how }))),
    statement: sizes.flatMap((size, index) =>
      Array.from({ length: size }, (_, statement): Fault => {
        return { batch: index + 1, how: 'is undone at a statement', statement };
      }),
    ),
  };
}

const STEP_MS = 61_000;
const STEPS_MAX = 200;

/** When a message arrives, in seconds from its send: never, once or several times. */
export type Transit = (delaySeconds: number, sent: { now: number; bySweep: boolean }) => number[];

/**
 * Lets the service run until nothing of an organization is on its way any more: each minute the sweep, and the messages
 * when they arrive.
 * @returns the time at the end
 */
export async function settle(
  orgId: string,
  from: number,
  queued: readonly RungFor[] = [],
  transit: Transit = (delaySeconds) => [delaySeconds],
): Promise<number> {
  let now = from;
  const queue: { id: string; at: number }[] = [];
  const send = (messages: readonly RungFor[], bySweep: boolean) => {
    for (const { id, delaySeconds } of messages) {
      queue.push(...transit(delaySeconds, { now, bySweep }).map((seconds) => ({ id, at: now + seconds * 1000 })));
    }
  };
  const run = async (work: (ctx: Context) => Promise<void>) => {
    const options = { now: () => now, env: PRODUCTION_SCHEDULE };
    const { ctx, deliveriesEnqueued, settled } = systemContext(options);
    await work(ctx);
    await settled();
    send(deliveriesEnqueued, work === sweepDeliveries);
  };
  send(queued, false);
  for (let step = 0; step < STEPS_MAX; step += 1) {
    await run(sweepDeliveries);
    const due = queue.filter(({ at }) => at <= now);
    queue.splice(0, queue.length, ...queue.filter(({ at }) => at > now));
    if (due.length > 0)
      await run((ctx) =>
        consumeDeliveries(
          ctx,
          due.map(({ id }) => id),
        ),
      );
    const open = (await deliveriesOf(orgId)).filter(({ status }) => status === 'pending' || status === 'delivering');
    if (open.length === 0) return now;
    // Minutes in which nothing can happen are left out.
    const next = [...queue.map(({ at }) => at), ...open.map((run) => Math.max(run.next_attempt_at, run.lease_until))];
    now = Math.max(now + STEP_MS, Math.min(...next));
  }
  throw new Error('deliveries are still on their way');
}

/** What became of the events of an organization: one entry for each event and subscription that has a delivery. */
export interface Fate {
  eventId: string;
  subscriptionId: string;
  runs: DeliveryRow[];
  posts: Call[];
}

/**
 * Holds everything that was posted for an organization against what is stored: each post was counted before it was made,
 * no attempt was posted twice, none is a fourth, and all posts of an event have the bytes of the event.
 */
export async function expectCounted(orgId: string, posts: readonly Call[]): Promise<Fate[]> {
  const runs = await deliveriesOf(orgId);
  const events = await rows<{ id: string; body: string }>('select id, body from events where org_id = ?', orgId);
  const bodyOf = new Map(events.map(({ id, body }) => [id, body]));
  const mine = posts.filter(({ headers }) => bodyOf.has(headers.get('webhook-id') ?? ''));
  const byRun = Map.groupBy(mine, ({ headers }) => headers.get('X-Service-Delivery-Id') ?? '');
  for (const { headers, text } of mine) expect(text).toBe(bodyOf.get(headers.get('webhook-id') ?? ''));
  for (const [id, posted] of byRun) {
    const attempts = posted.map(({ headers }) => Number(headers.get('X-Service-Attempt')));
    const counted = runs.find((run) => run.id === id)?.attempt_count ?? 0;
    expect(new Set(attempts).size, `attempts of ${id}`).toBe(attempts.length);
    expect(Math.max(...attempts)).toBeLessThanOrEqual(Math.min(3, counted));
  }
  const pairs = Map.groupBy(runs, (run) => `${run.event_id} ${run.subscription_id}`);
  return [...pairs.values()].map((ofPair) => ({
    eventId: ofPair[0]?.event_id ?? '',
    subscriptionId: ofPair[0]?.subscription_id ?? '',
    runs: ofPair,
    posts: ofPair.flatMap(({ id }) => byRun.get(id) ?? []),
  }));
}

/** A fault for the name of a test. */
export function nameOf(fault: Fault): string {
  const { batch, how } = fault;
  return `batch ${batch} ${'statement' in fault ? `${how} (${fault.statement + 1})` : how}`;
}
