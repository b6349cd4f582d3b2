import { env } from 'cloudflare:workers';
import { revokeApiKey } from '../../src/auth/keys/keys';
import { switchesOf } from '../../src/platform/switches';
import { enter } from '../management/browser';
import { allKeys, filesWith } from '../support/files';
import { cronAt, queueBrings } from '../support/invocations';
import { ask } from '../support/operator';
import { deleteRequest, patchOrder, staffContext } from '../support/order-flow';
import { callApi, succeeded } from '../support/organization';
import { newPerson, reject, request } from '../support/person';
import { statusOf, supplement, withdraw } from '../support/platform';
import { captureLogs, meteredDb, problemOf } from '../support/probe';
import { placeOrder } from '../support/seller';
import { afterEach, beforeEach, expect, test, vi } from '../support/test';
import { envelope, operate, rows, submit, systemContext } from '../support/world';

const switchTo = (switches: object) => operate('/switches', switches, 'PUT');

beforeEach(() => {
  vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
});
afterEach(async () => {
  await switchTo({ deletions: 'on', intake: 'on', writes: 'on' });
});

/** The bucket as another isolate has it: nothing is known of it yet. */
function otherIsolate(changed: object = {}): { FILES: R2Bucket; reads: () => number } {
  let reads = 0;
  const get = (key: string) => {
    reads += 1;
    return env.FILES.get(key);
  };
  return { FILES: filesWith({ get, ...changed }), reads: () => reads };
}

test('PUT sets what it names and answers with all of them; GET reads them', async () => {
  expect(await (await ask('/switches', undefined, { method: 'GET' })).json()).toEqual({
    deletions: 'on',
    intake: 'on',
  });
  expect(await switchTo({ deletions: 'paused' })).toEqual({ deletions: 'paused', intake: 'on' });
  expect(await switchTo({ intake: 'off' })).toEqual({ deletions: 'paused', intake: 'off' });
  const answer = await ask('/switches', undefined, { method: 'GET' });
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(await answer.json()).toEqual({ deletions: 'paused', intake: 'off' });
});

test.each([{}, { intake: 'maybe' }, { deletions: 'off' }, { intake: 'on', other: 1 }])(
  '%j is refused',
  async (body) => {
    await problemOf(await ask('/switches', body, { method: 'PUT' }), 400, 'validation_failed');
  },
);

test('two who set different ones at the same moment both get theirs', async () => {
  await Promise.all([switchTo({ deletions: 'confirmed' }), switchTo({ intake: 'off' })]);
  const answer = await ask('/switches', undefined, { method: 'GET' });
  expect(await answer.json()).toEqual({ deletions: 'confirmed', intake: 'off' });
});

test('with intake off what platforms send is 503 with Retry-After, no database is asked; reading goes on', async ({
  pharmacy,
}) => {
  const sent = await (await submit(pharmacy, envelope())).json<{ id: string }>();
  await switchTo({ intake: 'off' });
  const { DB, trips } = meteredDb();
  const closed = { ...pharmacy, env: { ...pharmacy.env, DB } };
  const refused = await submit(closed, envelope());
  expect(refused.headers.get('Retry-After')).toBe('60');
  await problemOf(refused, 503, 'intake_off');
  for (const answer of [await supplement(closed, sent.id, { note: 'x' }), await withdraw(closed, sent.id)]) {
    expect(answer).toMatchObject({ status: 503, body: { code: 'intake_off' } });
  }
  expect(trips).toEqual([]);
  expect((await statusOf(pharmacy, sent.id)).status).toBe(200);
  await switchTo({ intake: 'on' });
  expect((await submit(pharmacy, envelope())).status).toBe(200);
});

test('with writes off nobody changes anything but the operator, and nothing goes into the journal; reading goes on', async ({
  seller,
}) => {
  const order = await placeOrder(seller);
  const id = await request(seller, newPerson());
  await reject(seller, id);
  const journal = await allKeys('journal/');
  expect(await switchTo({ writes: 'off' })).toEqual({ deletions: 'on', intake: 'on', writes: 'off' });
  const refused = await callApi(seller, 'PATCH', `/orders/${order.id}`, { body: { note: 'x' } });
  expect(refused).toMatchObject({ status: 503, body: { code: 'organization_unavailable' } });
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(await deleteRequest(seller, id)).toMatchObject({ status: 503 });
  const { ctx } = staffContext(seller.orgId, 'owner');
  await expect(revokeApiKey(ctx, { orgId: seller.orgId, keyId: seller.keyId })).rejects.toMatchObject({
    code: 'organization_unavailable',
  });
  expect(await allKeys('journal/')).toEqual(journal);
  succeeded(await callApi(seller, 'GET', `/orders/${order.id}`));
  await operate(`/organizations/${seller.orgId}`, { name: 'Andere Apotheke' }, 'PATCH');
  expect(await switchTo({ writes: 'on' })).toEqual({ deletions: 'on', intake: 'on' });
  succeeded(await patchOrder(seller, order.id, { note: 'x' }));
});

test('with writes off nothing leaves by itself, and what a queue brings is not lost', async ({ delivery, posts }) => {
  const due = { v: 2, shard: 0, id: delivery.deliveryId };
  const state = () =>
    rows('select status, attempt_count, lease_until from deliveries where id = ?', delivery.deliveryId);
  const before = await state();
  await switchTo({ writes: 'off' });
  vi.setSystemTime(Date.now() + 600_000);
  const bounces = { EMAIL_EVENTS_QUEUE: 'bounces' };
  await cronAt(Date.now());
  await queueBrings('webhook-deliveries', [due]);
  expect(await queueBrings('bounces', [{}], bounces)).toMatchObject({ retryBatch: { retry: true } });
  expect([await state(), posts]).toEqual([before, []]);
  await switchTo({ writes: 'on' });
  await queueBrings('webhook-deliveries', [due]);
  expect(posts.map(({ url }) => url)).toEqual([delivery.url]);
});

test('with intake off every page says so, in both languages', async ({ orgId }) => {
  const { browser } = await enter(orgId, 'staff');
  const title = 'Zurzeit kommen keine Bestellanfragen an';
  expect((await browser.get('/manage/orders')).text).not.toContain(title);
  await switchTo({ intake: 'off' });
  for (const path of ['/manage/requests', '/manage/orders']) {
    expect((await browser.get(path)).text).toContain(title);
    const english = await browser.get(path, { 'Accept-Language': 'en' });
    expect(english.text).toContain('No order requests are coming in at present');
  }
});

test('another isolate follows within 10 s, and reads no more often', async () => {
  const { FILES, reads } = otherIsolate();
  const { ctx } = systemContext({ env: { FILES } });
  for (let call = 0; call < 5; call += 1) expect((await switchesOf(ctx)).intake).toBe('on');
  expect(reads()).toBe(1);
  await switchTo({ intake: 'off' });
  vi.setSystemTime(Date.now() + 9_000);
  expect((await switchesOf(ctx)).intake).toBe('on');
  vi.setSystemTime(Date.now() + 1_000);
  expect((await switchesOf(ctx)).intake).toBe('off');
  expect(reads()).toBe(2);
});

test('an isolate that was idle for an hour does not act on what it knew', async () => {
  const { FILES } = otherIsolate();
  const { ctx } = systemContext({ env: { FILES } });
  await switchesOf(ctx);
  await switchTo({ intake: 'off' });
  vi.setSystemTime(Date.now() + 3_600_000);
  const both = await Promise.all([switchesOf(ctx), switchesOf(ctx)]);
  expect(both.map(({ intake }) => intake)).toEqual(['off', 'off']);
});

test('while the bucket cannot be read orders are taken in, and nothing is deleted', async () => {
  const { FILES } = otherIsolate({ get: () => Promise.reject(new Error('R2 is down')) });
  expect(await switchesOf(systemContext({ env: { FILES } }).ctx)).toEqual({ deletions: 'paused', intake: 'on' });
});

test.each([
  ['paused', 'on', true],
  ['on', 'paused', true],
  // An unknown word pauses.
  ['on', 'pausd', true],
  ['on', '', true],
  ['on', 'on', false],
])(
  'switched to %s, with DELETIONS "%s" in the environment, deletions are paused: the environment only adds a stop',
  async (deletions, DELETIONS, isPaused) => {
    await switchTo({ deletions });
    const { lines } = captureLogs();
    // At a full hour the log tells of each job that is paused.
    await cronAt('2026-11-22T02:00:00Z', { DELETIONS });
    expect(lines.some((line) => line.includes('deletions_paused'))).toBe(isPaused);
  },
);
