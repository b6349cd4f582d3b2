import { env } from 'cloudflare:workers';
import { readConfig } from '../../src/platform/config';
import { newId } from '../../src/platform/ids';
import { consumeDeliveries } from '../../src/webhooks/sweep';
import { outsideAnswers } from '../support/outbound';
import { expect, test } from '../support/test';
import { deliver, deliveryRow, openSubscribed, PRODUCTION_SCHEDULE, submitForDelivery } from '../support/webhooks';
import { call, json, OPERATOR_TOKEN, openPharmacy, operate, rows, subscribe, systemContext } from '../support/world';

const PRODUCTION = { BASE_URL: 'https://api.offizin.example', OUTBOUND_ALLOW_LOOPBACK: '' };

/** Tries to save a subscription. @returns status and the fault of `/url` */
async function save(orgId: string, url: string, changed: Partial<Env> = {}) {
  const base = changed.BASE_URL ?? env.BASE_URL;
  const init = json({ url, event_types: ['order_created'] }, { Authorization: `Bearer ${OPERATOR_TOKEN}` });
  const response = await call(`${base}/api/operator/v1/organizations/${orgId}/subscriptions`, init, changed);
  const body = await response.json<{ errors?: { pointer: string; code: string }[] }>();
  return { status: response.status, fault: body.errors?.find(({ pointer }) => pointer === '/url')?.code };
}

// Every other address at every door: test/platform/addresses.rounds.test.ts.
test('what lies below the base host is refused at save', async ({ pharmacy: { orgId } }) => {
  const refused = { status: 400, fault: 'own_host' };
  expect(await save(orgId, 'https://hooks.api.offizin.example/in', PRODUCTION)).toEqual(refused);
});

test('a shop host of any organization is refused, however it is written', async ({ pharmacy: { orgId, shopId } }) => {
  const { orgId: other } = await openPharmacy();
  const host = `rx-${newId()}.pharmacy.example.com`;
  await operate(`/organizations/${orgId}/shops/${shopId}/hosts`, { host });
  for (const url of [`https://${host}/in`, `https://${host.toUpperCase()}/in`, `https://${host}./in`]) {
    expect(await save(orgId, url, PRODUCTION)).toEqual({ status: 400, fault: 'own_host' });
    expect(await save(other, url, PRODUCTION)).toEqual({ status: 400, fault: 'own_host' });
  }
  expect(await rows('select id from subscriptions where org_id in (?, ?)', orgId, other)).toEqual([]);
});

test.each(['', 'sub.'])('a URL that came to lie on or below our base host (%s) is not called', async (below) => {
  const opened = await openSubscribed();
  const delivery = await submitForDelivery(opened);
  const posts = outsideAnswers();
  const host = new URL(opened.url).hostname;
  const BASE_URL = `https://${below === '' ? host : host.replace(/^[^.]+\./, '')}`;
  await deliver([delivery.id], { env: { ...PRODUCTION_SCHEDULE, BASE_URL, OUTBOUND_ALLOW_LOOPBACK: '' } });
  expect(posts).toEqual([]);
});

test.each(['http://127.0.0.1:9900/in', 'http://[::1]:9900/in', 'https://127.0.0.1/in'])(
  'in development a subscription to the loopback %s is saved and called',
  async (url) => {
    const pharmacy = await openPharmacy();
    const subscribed = { pharmacy, url, ...(await subscribe(pharmacy.orgId, url)) };
    const delivery = await submitForDelivery(subscribed);
    const posts = outsideAnswers();
    await deliver([delivery.id]);
    expect(posts.map((post) => [post.url, post.init.redirect])).toEqual([[url, 'manual']]);
  },
);

test('a loopback subscription from development is not called in production', async ({ pharmacy }) => {
  const url = 'http://127.0.0.1:9900/in';
  const delivery = await submitForDelivery({ pharmacy, url, ...(await subscribe(pharmacy.orgId, url)) });
  const posts = outsideAnswers();
  const { ctx } = systemContext({ env: { ...PRODUCTION_SCHEDULE, ...PRODUCTION } });
  await consumeDeliveries(ctx, [delivery.id]);
  expect(posts).toEqual([]);
  expect(await deliveryRow(delivery.id)).toMatchObject({ status: 'held', attempt_count: 0 });
});

test('without the variable, loopback is refused in development too', async ({ pharmacy: { orgId } }) => {
  const saved = await save(orgId, 'http://127.0.0.1:9900/in', { OUTBOUND_ALLOW_LOOPBACK: '' });
  expect(saved).toEqual({ status: 400, fault: 'not_https' });
});

test('production with OUTBOUND_ALLOW_LOOPBACK is refused whole: no configuration, no answer', async () => {
  const unsafe = { ...PRODUCTION, OUTBOUND_ALLOW_LOOPBACK: 'webhooks' };
  expect(() => readConfig({ ...env, ...unsafe })).toThrow(/OUTBOUND_ALLOW_LOOPBACK/);
  // The Worker's runtime answers an exception with 500.
  const statusOf = (path: string) =>
    call(PRODUCTION.BASE_URL + path, {}, unsafe).then(
      ({ status }) => status,
      () => 500,
    );
  expect(await statusOf('/healthz')).toBe(500);
  expect(await statusOf('/api/operator/v1/organizations')).toBe(500);
});
