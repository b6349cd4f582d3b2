import { afterEach, expect, test } from 'vitest';
import { always } from '../../src/platform/data/statements';
import { newId } from '../../src/platform/ids';
import { type ClaimedDelivery, claimDeliveries } from '../../src/webhooks/deliveries/store';
import { deliverClaimed } from '../../src/webhooks/posting/deliver';
import { sweepDeliveries } from '../../src/webhooks/sweep';
import { expectCounted, settle } from '../support/faults';
import { outsideAnswers } from '../support/outbound';
import { rounds } from '../support/rounds';
import { seeded } from '../support/seeded';
import {
  announceEvent,
  attemptsOf,
  deliveriesOf,
  deliveryRow,
  leaveNothing,
  newReceiverUrl,
  PRODUCTION_SCHEDULE,
} from '../support/webhooks';
import { openPharmacy, subscribe, systemContext } from '../support/world';

afterEach(leaveNothing);

const SECOND = 1_000;
const LEASE = 60 * SECOND;
/** How far apart the clocks of two isolates are. */
const APART = 30 * SECOND;

/** An isolate whose clock is ahead of the real time by so much. */
function isolate(aheadMs: number) {
  const at = (real: number) => systemContext({ now: () => real + aheadMs, env: PRODUCTION_SCHEDULE });
  return {
    claim: async (ids: readonly string[], real: number): Promise<ClaimedDelivery[]> => {
      const { ctx } = at(real);
      const now = ctx.now();
      const { claimed } = await ctx.db.run({ claimed: claimDeliveries({ ids, now, leaseUntil: now + LEASE }, always) });
      return claimed;
    },
    /** Posts what was claimed and records it, at whatever time. */
    post: async (claimed: readonly ClaimedDelivery[], real: number) => {
      const { ctx, deliveriesEnqueued } = at(real);
      await deliverClaimed(ctx, claimed, { atOnce: 5, until: 0 });
      return deliveriesEnqueued;
    },
    sweep: async (real: number) => {
      const { ctx, deliveriesEnqueued } = at(real);
      await sweepDeliveries(ctx);
      return deliveriesEnqueued;
    },
  };
}

const behind = isolate(0);
const ahead = isolate(APART);

async function openDue(count = 1) {
  const { orgId } = await openPharmacy();
  await subscribe(orgId, newReceiverUrl(), ['order_deleted']);
  for (let made = 0; made < count; made += 1) {
    await announceEvent({ type: 'order_deleted', orgId, metadata: { order_id: newId() } });
  }
  return { orgId, ids: (await deliveriesOf(orgId)).map(({ id }) => id), start: Date.now() + 60 * SECOND };
}

test('the isolate that is ahead ends a lease early, but never before a post has had its time', async () => {
  const { ids, start } = await openDue();
  const [id = ''] = ids;
  const claimed = await behind.claim(ids, start);
  // A post has ten seconds; its record is written at once.
  for (const seconds of [0, 10, 29]) await ahead.sweep(start + seconds * SECOND);
  expect(await deliveryRow(id)).toMatchObject({ status: 'delivering', attempt_count: 1 });
  outsideAnswers();
  await behind.post(claimed, start + 29 * SECOND);
  expect(await deliveryRow(id)).toMatchObject({ status: 'succeeded', attempt_count: 1 });
});

test('the isolate that is behind leaves the lease of the other alone until it has ended by its own clock', async () => {
  const { ids, start } = await openDue();
  const [id = ''] = ids;
  await ahead.claim(ids, start);
  await behind.sweep(start + LEASE + APART - 1);
  expect(await deliveryRow(id)).toMatchObject({ status: 'delivering' });
  await behind.sweep(start + LEASE + APART);
  expect(await deliveryRow(id)).toMatchObject({ status: 'pending', attempt_count: 1 });
});

test.each([1, 2, 3])('attempt %d, recorded after the other isolate ended its lease, counts once', async (last) => {
  const { orgId, ids, start } = await openDue();
  const [id = ''] = ids;
  const posts = outsideAnswers(() => new Response(null, { status: 500 }));
  let real = start;
  for (let attempt = 1; attempt < last; attempt += 1) {
    await behind.post(await behind.claim(ids, real), real);
    real += 20 * 60 * SECOND;
  }
  const late = await behind.claim(ids, real);
  expect(late).toMatchObject([{ attempt: last }]);
  await ahead.sweep(real + LEASE - APART);
  const between = await deliveryRow(id);
  expect(between.status).toBe(last < 3 ? 'pending' : 'exhausted');
  await behind.post(late, real + 45 * SECOND);
  expect(await deliveryRow(id)).toEqual(between);
  expect((await attemptsOf(id)).map(({ attempt }) => attempt)).toEqual(Array.from({ length: last }, (_, at) => at + 1));
  expect((await attemptsOf(id)).at(-1)).toMatchObject({ failure_class: 'interrupted' });
  await settle(orgId, real + 50 * SECOND);
  const [fate] = await expectCounted(orgId, posts);
  expect(fate?.runs.map(({ trigger, attempt_count }) => [trigger, attempt_count])).toEqual(
    last < 3
      ? [['event', 3]]
      : [
          ['event', 3],
          ['recovery', 3],
        ],
  );
});

test('both sweep and claim at the same moment: one attempt', async () => {
  const { orgId, ids, start } = await openDue(4);
  const posts = outsideAnswers();
  await Promise.all([behind, ahead].map((each) => each.sweep(start)));
  const claims = await Promise.all([behind, ahead, behind, ahead].map((each) => each.claim(ids, start)));
  expect(claims.flat()).toHaveLength(2);
  await Promise.all(claims.map((claimed) => behind.post(claimed, start)));
  await settle(orgId, start + SECOND);
  expect(posts).toHaveLength(4);
  await expectCounted(orgId, posts);
});

test.each(rounds([1], [1, 2, 3, 4, 5, 6]))(
  'two isolates with clocks 30 s apart and posts of any length (seed %d): no attempt twice, no fourth post, nothing lost',
  async (seed) => {
    const random = seeded(seed);
    const { orgId, ids, start } = await openDue(8);
    const posts = outsideAnswers(() => new Response(null, { status: random() < 0.5 ? 500 : 204 }));
    const underWay: { claimed: ClaimedDelivery[]; by: typeof ahead; until: number }[] = [];
    let real = start;
    for (let step = 0; step < rounds(40, 200); step += 1) {
      const by = random() < 0.5 ? ahead : behind;
      const runs = await deliveriesOf(orgId);
      const claimed = await by.claim(random() < 0.5 ? ids : runs.map(({ id }) => id), real);
      // Some isolates are suspended, for longer than any lease.
      if (claimed.length > 0) underWay.push({ claimed, by, until: real + Math.floor(random() * 120) * SECOND });
      for (const due of underWay.filter(({ until }) => until <= real)) {
        underWay.splice(underWay.indexOf(due), 1);
        await due.by.post(due.claimed, real);
      }
      if (step % 2 === 0) await (random() < 0.5 ? ahead : behind).sweep(real);
      real += Math.floor(random() * 40) * SECOND;
    }
    for (const { claimed, by } of underWay) await by.post(claimed, real);
    await settle(orgId, real + LEASE + APART);
    const fates = await expectCounted(orgId, posts);
    expect(fates).toHaveLength(8);
    for (const { runs, posts: made } of fates) {
      expect(runs.filter(({ trigger }) => trigger === 'recovery').length).toBeLessThanOrEqual(1);
      expect(made.length).toBeGreaterThan(0);
      // Delivered, refused three times in the open, or waiting.
      for (const { id, status } of runs) {
        expect(['succeeded', 'exhausted', 'held']).toContain(status);
        if (status === 'exhausted') expect(await attemptsOf(id)).toHaveLength(3);
      }
    }
  },
);
