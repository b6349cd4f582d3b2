import { afterEach, expect, test } from 'vitest';
import { always } from '../../src/platform/data/statements';
import { newId } from '../../src/platform/ids';
import { claimDeliveries } from '../../src/webhooks/deliveries/store';
import { sweepDeliveries } from '../../src/webhooks/sweep';
import { expectCounted, settle, type Transit } from '../support/faults';
import { outsideAnswers } from '../support/outbound';
import { rounds } from '../support/rounds';
import {
  announceEvent,
  attemptsOf,
  deliver,
  deliveriesOf,
  deliveryRow,
  leaveNothing,
  openDelivery,
  PRODUCTION_SCHEDULE,
} from '../support/webhooks';
import { openPharmacy, subscribe, systemContext } from '../support/world';

afterEach(leaveNothing);

const LEASE_SECONDS = 60;
const HOUR = 3_600_000;
const start = Date.now() + 10_000;
const EVENTS = rounds(2, 20);

/** What the queue does with each message that it is sent. */
const SOME: [string, Transit][] = [
  ['dropped but those of the sweep', (delay, { bySweep }) => (bySweep ? [delay] : [])],
  ['doubled, the copy after the lease of the claim', (delay) => [delay, delay + LEASE_SECONDS + 1]],
  ['delayed past a lease', (delay) => [delay + 2 * LEASE_SECONDS + 1]],
];
const ALL: [string, Transit][] = [
  ...SOME,
  ['dropped for an hour', (delay, { now }) => (now < start + HOUR ? [] : [delay])],
  ['doubled', (delay) => [delay, delay]],
  ['doubled, the copies a little later', (delay) => [delay, delay + 3, delay + 7, delay + 20]],
  ['delayed past the second retry', (delay) => [delay + 16 * LEASE_SECONDS]],
];

test.each(rounds(SOME, ALL))(
  'every message %s: each event arrives as often as without, and no attempt is early',
  async (_, transit) => {
    const { orgId } = await openPharmacy();
    const receivers = { well: 1, 'fails-once': 2, 'fails-twice': 3, down: 4 };
    const urls = new Map<string, number>();
    for (const [name, accepts] of Object.entries(receivers)) {
      const { subscriptionId } = await subscribe(orgId, `https://${name}-${newId()}.example.com/in`, ['order_deleted']);
      urls.set(subscriptionId, accepts);
    }
    const posts = outsideAnswers(({ headers, url }) => {
      const accepts = Object.entries(receivers).find(([name]) => url.includes(`//${name}-`))?.[1] ?? 0;
      return new Response(null, { status: Number(headers.get('X-Service-Attempt')) < accepts ? 500 : 204 });
    });
    for (let count = 0; count < EVENTS; count += 1) {
      await announceEvent({ type: 'order_deleted', orgId, metadata: { order_id: newId() } });
    }
    const queued = (await deliveriesOf(orgId)).map(({ id }) => ({ id, delaySeconds: 0 }));
    await settle(orgId, start, queued, transit);
    const fates = await expectCounted(orgId, posts);
    expect(fates).toHaveLength(EVENTS * 4);
    for (const { runs, posts: made, subscriptionId } of fates) {
      const accepts = urls.get(subscriptionId) ?? 0;
      expect(runs).toHaveLength(1);
      const [run] = runs;
      // A receiver that is down is put on hold: what is left then waits.
      const isHeld = accepts === 4 && run?.status === 'held';
      if (!isHeld) expect(made).toHaveLength(Math.min(accepts, 3));
      if (!isHeld) expect(run?.status).toBe(accepts === 4 ? 'exhausted' : 'succeeded');
      const attempts = await attemptsOf(run?.id ?? '');
      expect(attempts).toHaveLength(made.length);
      for (const [index, wait] of [60, 900].entries()) {
        const [before, after] = [attempts[index], attempts[index + 1]];
        if (!before || !after) continue;
        expect(after.started_at - before.started_at - before.duration_ms).toBeGreaterThanOrEqual(wait * 1000 - 2_000);
      }
    }
  },
);

test('a copy that arrives after the lease of a claim whose process is gone makes no post: the sweep decides', async () => {
  const { deliveryId, pharmacy } = await openDelivery();
  const now = Date.now();
  const { ctx } = systemContext({ now: () => now });
  const leaseUntil = now + LEASE_SECONDS * 1000;
  await ctx.db.run({ claimed: claimDeliveries({ ids: [deliveryId], now, leaseUntil }, always) });
  const posts = outsideAnswers();
  for (const at of [now, leaseUntil - 1, leaseUntil, leaseUntil + 90_000]) {
    await deliver([deliveryId, deliveryId], { now: () => at, env: PRODUCTION_SCHEDULE });
  }
  expect(posts).toEqual([]);
  const swept = systemContext({ now: () => leaseUntil + 90_000, env: PRODUCTION_SCHEDULE });
  await sweepDeliveries(swept.ctx);
  // The copies that are still on their way find it not due yet.
  await deliver([deliveryId], { now: () => leaseUntil + 91_000, env: PRODUCTION_SCHEDULE });
  expect(posts).toEqual([]);
  expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'pending', attempt_count: 1 });
  await settle(pharmacy.orgId, leaseUntil + 150_000, [{ id: deliveryId, delaySeconds: 0 }]);
  expect(posts.map(({ headers }) => headers.get('X-Service-Attempt'))).toEqual(['2']);
});
