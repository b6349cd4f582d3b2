import { afterEach, expect, test } from 'vitest';
import { commit } from '../../src/platform/commit';
import { newId } from '../../src/platform/ids';
import { selectNext } from '../../src/webhooks/deliveries/store';
import { outboxEvent } from '../../src/webhooks/outbox';
import { consumeDeliveries } from '../../src/webhooks/sweep';
import { eventually } from '../support/eventually.ts';
import { settle } from '../support/faults';
import { type Call, outsideAnswers } from '../support/outbound';
import { deliver, deliveriesOf, leaveNothing, newReceiverUrl, PRODUCTION_SCHEDULE } from '../support/webhooks';
import { openPharmacy, rows, subscribe, systemContext } from '../support/world';

afterEach(leaveNothing);

/** Receivers that answer only when the test lets them. */
function receiversThatWait() {
  const open: { call: Call; answer: (status: number) => void }[] = [];
  let most = 0;
  const posts = outsideAnswers(
    (call) =>
      new Promise((resolve) => {
        const entry = {
          call,
          answer: (status: number) => {
            open.splice(open.indexOf(entry), 1);
            resolve(new Response(null, { status }));
          },
        };
        open.push(entry);
        most = Math.max(most, open.length);
      }),
  );
  /** Answers one after another until the work is done. */
  const answerAll = async (work: Promise<unknown>) => {
    let isDone = false;
    void work.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      open[0]?.answer(204);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  };
  return { posts, open, most: () => most, answerAll };
}

async function openEvents(events: ('order_deleted' | 'product_deleted')[], isHealthy = false) {
  const { orgId } = await openPharmacy();
  const types = ['order_deleted', 'product_deleted'] as const;
  const { subscriptionId } = await subscribe(orgId, newReceiverUrl(), [...types], { isHealthy });
  if (events.length > 0) await announce(orgId, events);
  return { orgId, subscriptionId, ids: (await deliveriesOf(orgId)).map(({ id }) => id) };
}

/** Writes events as one commit. @returns what waits for the work that follows it, and the messages */
async function announce(orgId: string, events: readonly ('order_deleted' | 'product_deleted')[]) {
  const { ctx, deliveriesEnqueued, settled } = systemContext({ env: PRODUCTION_SCHEDULE });
  await commit(ctx, {
    events: events.map((type) =>
      type === 'order_deleted'
        ? outboxEvent(ctx, { type, orgId, metadata: { order_id: newId() } })
        : outboxEvent(ctx, { type, orgId, metadata: { p1_id: `P1-${newId()}` } }),
    ),
  });
  return { settled, deliveriesEnqueued };
}

function consuming(ids: readonly string[]) {
  const { ctx, deliveriesEnqueued } = systemContext({ env: PRODUCTION_SCHEDULE });
  return { work: consumeDeliveries(ctx, ids), deliveriesEnqueued };
}

const orders = (count: number) => Array<'order_deleted'>(count).fill('order_deleted');
const products = (count: number) => Array<'product_deleted'>(count).fill('product_deleted');

function typesOf(posts: readonly Call[]) {
  return posts.map(({ headers }) => headers.get('X-Service-Event'));
}

test('the queue has at most two attempts of a subscription under way, also with three consumers at once', async () => {
  const { ids, orgId } = await openEvents(orders(12));
  const { posts, open, most, answerAll } = receiversThatWait();
  const consumers = [ids.slice(0, 4), ids.slice(4, 8), ids].map(consuming);
  const all = Promise.all(consumers.map(({ work }) => work));
  await eventually(() => expect(open).toHaveLength(2));
  await answerAll(all);
  // What was over is claimed by the records that follow.
  expect(posts).toHaveLength(12);
  expect(most()).toBe(2);
  expect(new Set((await deliveriesOf(orgId)).map(({ status }) => status))).toEqual(new Set(['succeeded']));
});

test('of products at most one, and orders go before them', async () => {
  const { ids } = await openEvents([...products(3), ...orders(3)]);
  const { posts, open, most, answerAll } = receiversThatWait();
  const { work } = consuming(ids);
  await eventually(() => expect(open).toHaveLength(2));
  expect(typesOf(posts)).toEqual(['order_deleted', 'order_deleted']);
  open[0]?.answer(204);
  await eventually(() => expect(posts).toHaveLength(3));
  open[0]?.answer(204);
  await eventually(() => expect(posts).toHaveLength(4));
  // The last order, and one of products beside it.
  expect(typesOf(open.map(({ call }) => call)).toSorted()).toEqual(['order_deleted', 'product_deleted']);
  open.find(({ call }) => call.headers.get('X-Service-Event') === 'order_deleted')?.answer(204);
  await answerAll(work);
  expect(typesOf(posts)).toEqual([...orders(3), ...products(3)]);
  expect(most()).toBe(2);
});

test('two of products are never under way at once, whoever claims them', async () => {
  const { ids } = await openEvents(products(4));
  const { posts, most, answerAll } = receiversThatWait();
  await answerAll(Promise.all([ids, ids.toReversed()].map((each) => consuming(each).work)));
  expect(posts).toHaveLength(4);
  expect(most()).toBe(1);
});

test('what follows an attempt is found without reading all that waits, also if products must wait', async () => {
  const { subscriptionId } = await openEvents([...products(200), ...orders(1)]);
  const now = Date.now();
  const { db } = systemContext({ env: PRODUCTION_SCHEDULE }).ctx;
  const next = async () => {
    const before = db.meter.rowsRead;
    const found = await db.rows(selectNext({ freed: { [subscriptionId]: 2 }, now }));
    expect(db.meter.rowsRead - before).toBeLessThan(30);
    return found;
  };
  expect(await next()).toHaveLength(2);
  const product = 'select id from deliveries where subscription_id = ? and priority > 0 limit 1';
  const query = `update deliveries set status = 'delivering', lease_until = ? where id = (${product})`;
  await rows(query, now + 60_000, subscriptionId);
  expect(await next()).toHaveLength(1);
});

test('at most five first attempts of a commit start with it; the others follow them without a message', async () => {
  const { orgId, subscriptionId } = await openEvents([], true);
  const { open, answerAll } = receiversThatWait();
  const { settled, deliveriesEnqueued } = await announce(orgId, orders(9));
  const first = await deliveriesOf(orgId);
  expect(first.map(({ status, attempt_count }) => `${status} ${attempt_count}`)).toEqual([
    ...Array(5).fill('delivering 1'),
    ...Array(4).fill('pending 0'),
  ]);
  await eventually(() => expect(open).toHaveLength(5));
  expect(deliveriesEnqueued).toEqual([]);
  await answerAll(settled());
  expect((await deliveriesOf(orgId)).map(({ status }) => status)).toEqual(Array(9).fill('succeeded'));
  expect(await rows('select is_healthy from subscriptions where id = ?', subscriptionId)).toEqual([{ is_healthy: 1 }]);
});

test('at most 20 attempts of a subscription are under way before its first attempts wait for the queue', async () => {
  const { orgId } = await openEvents([], true);
  const { open, most, answerAll } = receiversThatWait();
  const commits = [];
  for (let count = 0; count < 6; count += 1) commits.push(await announce(orgId, orders(4)));
  await eventually(() => expect(open).toHaveLength(20));
  expect((await deliveriesOf(orgId)).filter(({ status }) => status === 'delivering')).toHaveLength(20);
  await answerAll(Promise.all(commits.map(({ settled }) => settled())));
  expect(most()).toBe(20);
  expect((await deliveriesOf(orgId)).map(({ status }) => status)).toEqual(Array(24).fill('succeeded'));
});

test('a commit of products and orders starts the orders', async () => {
  const { orgId } = await openEvents([], true);
  const { posts, open, answerAll } = receiversThatWait();
  const { settled } = await announce(orgId, [...products(5), ...orders(3)]);
  await eventually(() => expect(open).toHaveLength(5));
  expect(typesOf(posts).toSorted()).toEqual([...orders(3), ...products(2)]);
  await answerAll(settled());
});

test('one black hole in a batch delays the record of no other subscription', async () => {
  const hole = await openEvents(orders(1));
  const others = [await openEvents(orders(2)), await openEvents(orders(2))];
  const { open } = receiversThatWait();
  const { work } = consuming([...hole.ids, ...others.flatMap(({ ids }) => ids)]);
  await eventually(() => expect(open).toHaveLength(5));
  const [holeUrl] = await rows<{ url: string }>('select url from subscriptions where id = ?', hole.subscriptionId);
  for (const { call, answer } of open.slice()) if (call.url !== holeUrl?.url) answer(204);
  await eventually(async () => {
    for (const { orgId } of others) {
      expect((await deliveriesOf(orgId)).map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    }
  });
  expect(await deliveriesOf(hole.orgId)).toMatchObject([{ status: 'delivering' }]);
  open[0]?.answer(204);
  await work;
  expect(await deliveriesOf(hole.orgId)).toMatchObject([{ status: 'succeeded' }]);
});

test('what is over the limit of a subscription whose process is gone is found by the sweep', async () => {
  const { ids, orgId } = await openEvents(orders(5));
  const query = "update deliveries set status = 'delivering', attempt_count = 1, lease_until = ? where id in (?, ?)";
  await rows(query, Date.now() + 60_000, ids[0], ids[1]);
  const posts = outsideAnswers();
  expect(await deliver(ids, { env: PRODUCTION_SCHEDULE })).toEqual([]);
  expect(posts).toEqual([]);
  await settle(orgId, Date.now() + 61_000);
  expect(posts).toHaveLength(5);
  for (const { status } of await deliveriesOf(orgId)) expect(status).toBe('succeeded');
});

test('a receiver that failed is left alone for a moment: what is due next gets a message with a delay', async () => {
  const { ids } = await openEvents(orders(3));
  outsideAnswers(() => new Response(null, { status: 500 }));
  const enqueued = await deliver(ids.slice(0, 1), { env: PRODUCTION_SCHEDULE });
  expect(enqueued).toEqual([
    { id: ids[0], delaySeconds: 60 },
    { id: ids[1], delaySeconds: 5 },
  ]);
});
