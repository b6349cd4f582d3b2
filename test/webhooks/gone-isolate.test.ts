import { afterEach, describe, expect, test, vi } from 'vitest';
import { commit } from '../../src/platform/commit';
import type { Context } from '../../src/platform/context';
import { newId } from '../../src/platform/ids';
import { outboxEvent } from '../../src/webhooks/outbox';
import { consumeDeliveries } from '../../src/webhooks/sweep';
import { eventually } from '../support/eventually.ts';
import { expectCounted, settle } from '../support/faults';
import { type Call, d1Down, databaseDown, outsideAnswers } from '../support/outbound';
import { doctoredDb } from '../support/probe';
import {
  attemptsOf,
  deliveriesOf,
  deliveryRow,
  leaveNothing,
  newReceiverUrl,
  PRODUCTION_SCHEDULE,
  sweepAt,
} from '../support/webhooks';
import { openPharmacy, subscribe, systemContext } from '../support/world';

afterEach(leaveNothing);

const LEASE = 60_000;

/** An isolate that ends before its posts leave, or after they arrived and before anything of them is recorded. */
const ENDS = ['before the post', 'after the post, before its record'] as const;

/** Runs work whose claim is committed, in an isolate that then ends. @returns what receivers got */
async function goneIsolate(now: number, ends: (typeof ENDS)[number], work: (ctx: Context) => Promise<unknown>) {
  let isClaimed = false;
  const DB = doctoredDb(async (_, send) => {
    if (isClaimed) throw d1Down();
    const results = await send();
    isClaimed = true;
    return results;
  });
  const { ctx, settled } = systemContext({ now: () => now, env: { ...PRODUCTION_SCHEDULE, DB } });
  const posts = outsideAnswers(() => {
    if (ends === 'before the post') throw new Error('This isolate is gone.');
    return new Response(null, { status: 204 });
  });
  await work({ ...ctx, log: () => undefined });
  await settled();
  vi.restoreAllMocks();
  return ends === 'before the post' ? [] : [...posts];
}

function announce(orgId: string, count = 1) {
  const event = (ctx: Context) => outboxEvent(ctx, { type: 'order_deleted', orgId, metadata: { order_id: newId() } });
  return (ctx: Context) => commit(ctx, { events: Array.from({ length: count }, () => event(ctx)) });
}

async function openHealthy() {
  const { orgId } = await openPharmacy();
  const { subscriptionId } = await subscribe(orgId, newReceiverUrl(), ['order_deleted'], { isHealthy: true });
  return { orgId, subscriptionId };
}

async function only(orgId: string, trigger = 'event') {
  const found = (await deliveriesOf(orgId)).filter((run) => run.trigger === trigger);
  expect(found).toHaveLength(1);
  return found[0]?.id ?? '';
}

describe.each(ENDS)('an isolate that ends %s', (ends) => {
  test('with a first attempt: its lease ends, the sweep logs it as interrupted, and the second attempt delivers', async () => {
    const { orgId } = await openHealthy();
    const now = Date.now();
    const posts = await goneIsolate(now, ends, announce(orgId));
    const id = await only(orgId);
    expect(await deliveryRow(id)).toMatchObject({ status: 'delivering', attempt_count: 1, lease_until: now + LEASE });
    posts.push(...(await postsWhile(() => settle(orgId, now + LEASE))));
    expect(await deliveryRow(id)).toMatchObject({ status: 'succeeded', attempt_count: 2 });
    expect((await attemptsOf(id)).map(({ failure_class }) => failure_class)).toEqual(['interrupted', null]);
    expect(await expectCounted(orgId, posts)).toHaveLength(1);
  });

  test('three times in a row: three attempts at most, then one recovery run delivers', async () => {
    const { orgId } = await openHealthy();
    let now = Date.now();
    const posts = await goneIsolate(now, ends, announce(orgId));
    const id = await only(orgId);
    for (let attempt = 2; attempt <= 3; attempt += 1) {
      await sweepAt(now + LEASE);
      now = (await deliveryRow(id)).next_attempt_at;
      posts.push(...(await goneIsolate(now, ends, (ctx) => consumeDeliveries(ctx, [id]))));
      expect(await deliveryRow(id)).toMatchObject({ status: 'delivering', attempt_count: attempt });
    }
    await Promise.all([1, 2, 3].map(() => sweepAt(now + LEASE)));
    expect(await deliveryRow(id)).toMatchObject({ status: 'exhausted', attempt_count: 3 });
    expect(await attemptsOf(id)).toMatchObject(Array(3).fill({ failure_class: 'interrupted', http_status: null }));
    const recovery = await only(orgId, 'recovery');
    posts.push(...(await postsWhile(() => settle(orgId, now + LEASE))));
    expect(await deliveryRow(recovery)).toMatchObject({ status: 'succeeded', attempt_count: 1 });
    const [fate] = await expectCounted(orgId, posts);
    expect(fate?.runs).toHaveLength(2);
    expect(fate?.posts).toHaveLength(ends === 'before the post' ? 1 : 4);
  });

  test('nobody else posts while its lease runs, and nobody waits for it: other first attempts start', async () => {
    const { orgId } = await openHealthy();
    const now = Date.now();
    await goneIsolate(now, ends, announce(orgId));
    const id = await only(orgId);
    const posts = await postsWhile(async () => {
      const { ctx, settled } = systemContext({ now: () => now + LEASE - 1, env: PRODUCTION_SCHEDULE });
      await consumeDeliveries(ctx, [id]);
      await sweepAt(now + LEASE - 1);
      await announce(orgId)(ctx);
      await settled();
    });
    expect(posts).toHaveLength(1);
    expect(posts[0]?.headers.get('X-Service-Delivery-Id')).not.toBe(id);
    expect(await deliveryRow(id)).toMatchObject({ status: 'delivering', attempt_count: 1 });
  });
});

async function postsWhile(work: () => Promise<unknown>): Promise<Call[]> {
  const posts = outsideAnswers();
  await work();
  vi.restoreAllMocks();
  return [...posts];
}

test('an isolate that ends after some of its records: those are not posted again, the others are', async () => {
  const { orgId } = await openHealthy();
  const now = Date.now();
  // The commit, and the record of the two that were answered first.
  const DB = databaseDown(2);
  const { ctx, settled } = systemContext({ now: () => now, env: { ...PRODUCTION_SCHEDULE, DB } });
  const waiting: ((response: Response) => void)[] = [];
  const posts = outsideAnswers((_, count) =>
    count <= 2 ? new Response(null, { status: 204 }) : new Promise((resolve) => waiting.push(resolve)),
  );
  await announce(orgId, 5)({ ...ctx, log: () => undefined });
  await eventually(async () => {
    expect((await deliveriesOf(orgId)).filter(({ status }) => status === 'succeeded')).toHaveLength(2);
  });
  for (const resolve of waiting) resolve(new Response(null, { status: 204 }));
  await settled();
  const made = [...posts];
  vi.restoreAllMocks();
  made.push(...(await postsWhile(() => settle(orgId, now + LEASE))));
  const fates = await expectCounted(orgId, made);
  expect(fates).toHaveLength(5);
  expect(fates.map((fate) => fate.posts.length).toSorted()).toEqual([1, 1, 2, 2, 2]);
  for (const { runs } of fates) expect(runs).toMatchObject([{ status: 'succeeded' }]);
});
