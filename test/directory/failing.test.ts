import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { enter } from '../management/browser';
import { eventually } from '../support/eventually.ts';
import { cronAt, queueBrings } from '../support/invocations';
import { callApi, succeeded } from '../support/organization';
import { databaseDown, outsideAnswers } from '../support/outbound';
import { accepted, captureLogs, problemOf } from '../support/probe';
import { makeLink, openSeller, placeOrder, type Seller } from '../support/seller';
import { deliveriesOf, newReceiverUrl } from '../support/webhooks';
import { call, envelope, rowsIn, silentQueue, submit, subscribe } from '../support/world';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The binding of each database. */
const NAMES = ['DB', 'DB_1'] as const;

/** The database that fails, and the one that does not. */
const PAIRS = [
  [1, 0],
  [0, 1],
] as const;

/** The jobs that failed, and where. */
function failures(lines: readonly string[]) {
  const failed = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'job_failed');
  return failed.map(({ queue, shard }) => ({ queue, shard }));
}

/** One database whose every call is refused. */
function down(shard: number): Partial<Env> {
  return { [NAMES[shard] ?? '']: databaseDown() };
}

async function deliveryIds({ orgId }: Seller): Promise<string[]> {
  return (await deliveriesOf(orgId)).map(({ id }) => id);
}

/** A seller with a subscription, whose key, host and organization this isolate has heard of. */
async function openWorking(shard: number) {
  const seller = await openSeller({ shard, request_retention_days: 7 });
  await subscribe(seller.orgId, newReceiverUrl());
  await accepted(await submit(seller, envelope()));
  const link = await makeLink(seller, (await placeOrder(seller)).id);
  const { browser } = await enter(seller.orgId, 'owner', 'Ada Öz', { shard });
  expect((await browser.get('/manage/orders')).status).toBe(200);
  return { seller, link, browser };
}

test.each(PAIRS)(
  'while database %i refuses all calls, those of database %i are answered as ever',
  async (broken, whole) => {
    const { seller, link, browser } = await openWorking(whole);
    const env = down(broken);
    captureLogs();
    await accepted(await submit(seller, envelope(), env));
    succeeded(await callApi(seller, 'GET', '/orders', { env }));
    succeeded(
      await callApi(seller, 'PATCH', `/orders/${(await placeOrder(seller)).id}`, { body: { express: true }, env }),
    );
    expect((await call(link.url, {}, env)).status).toBe(200);
    browser.env = env;
    for (const path of ['/manage/requests', '/manage/orders', '/manage/reports'])
      expect([path, (await browser.get(path)).status]).toEqual([path, 200]);
    expect((await call(`http://${seller.host}:8787/healthz`, {}, env)).status).toBe(200);
  },
);

test('the organizations on the one that fails are told to send again, and nothing of the other is touched', async () => {
  const { seller } = await openWorking(1);
  captureLogs();
  const answer = await submit(seller, envelope(), down(1));
  expect(answer.headers.get('Retry-After')).toBe('5');
  await problemOf(answer, 502, 'backend_unreachable');
});

test('a route that was known goes on while the directory cannot be asked, longer than the minute that it is good for', async () => {
  const { seller } = await openWorking(1);
  captureLogs();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR / 4 });
  await accepted(await submit(seller, envelope(), down(0)));
});

test.each(PAIRS)(
  'while database %i refuses every call, the queue of database %i goes on, and the log names the one that fails',
  async (broken, whole) => {
    const [mine, theirs] = [await openWorking(whole), await openWorking(broken)];
    const [ids, others] = [await deliveryIds(mine.seller), await deliveryIds(theirs.seller)];
    const posts = outsideAnswers();
    const { lines } = captureLogs();
    const messages = [
      ...others.map((id) => ({ v: 2, shard: broken, id })),
      ...ids.map((id) => ({ v: 2, shard: whole, id })),
    ];
    await queueBrings('webhook-deliveries', messages, down(broken));
    expect(posts.map(({ headers }) => headers.get('X-Service-Delivery-Id'))).toEqual(ids);
    expect(failures(lines)).toEqual([{ queue: 'webhook-deliveries', shard: broken }]);
  },
);

/**
 * A minute in which nearly all jobs are due.
 * @param days from now: more than the seven that a rejected request is kept, and for each test others, since a database is
 *   gone through once a night
 */
const nightIn = (days: number) => new Date(Date.now() + days * DAY).setUTCHours(1, 17, 0, 0);

async function openRejected(shard: number) {
  const { seller } = await openWorking(shard);
  const { id } = await accepted(await submit(seller, envelope()));
  succeeded(await callApi(seller, 'POST', `/order-requests/${id}/reject`, { body: { reason_code: 'test' } }));
  return { seller, id };
}

const erasedAt = (shard: number, id: string) =>
  rowsIn(shard, 'select erased_at from order_requests where id = ?', id).then(([row]) => row?.erased_at);

test.each(PAIRS)(
  'while database %i refuses every call, every sweep of database %i goes on, and the log names the one that fails',
  async (broken, whole) => {
    const { seller, id } = await openRejected(whole);
    const ids = await deliveryIds(seller);
    const { lines } = captureLogs();
    const { queue, enqueued } = silentQueue();
    const now = nightIn(9);
    vi.useFakeTimers({ toFake: ['Date'], now });
    await cronAt(now, { ...down(broken), WEBHOOK_DELIVERIES: queue });
    expect(enqueued.map((message) => message.id)).toEqual(expect.arrayContaining(ids));
    expect(await erasedAt(whole, id)).toBe(now);
    const ofAll = ['sweep-orphan-files'];
    const failed = failures(lines);
    expect(failed.length).toBeGreaterThan(ofAll.length);
    for (const { queue: job, shard } of failed)
      expect([job, shard]).toEqual([job, ofAll.includes(job) ? undefined : broken]);
  },
);

test.each(PAIRS)('a sweep that waits for database %i keeps none of database %i waiting', async (broken, whole) => {
  const { id } = await openRejected(whole);
  captureLogs();
  const answer = Promise.withResolvers<never>();
  const silent = { prepare: (query: string) => env.DB.prepare(query), batch: () => answer.promise };
  const now = nightIn(10);
  vi.useFakeTimers({ toFake: ['Date'], now });
  const cron = cronAt(now, { [NAMES[broken]]: silent });
  await eventually(async () => expect(await erasedAt(whole, id)).not.toBeNull());
  answer.reject(new Error('The test is over'));
  await cron;
});
