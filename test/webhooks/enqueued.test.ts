import { EVENT_TYPES } from '../../src/webhooks/event-types';
import { pauseSubscription, resumeSubscription } from '../../src/webhooks/subscriptions/subscriptions';
import { itemOf, openRequest, orderBody, staffContext } from '../support/order-flow';
import { callApi, holdProduct, type OrganizationApi, openOrganizationApi } from '../support/organization';
import { outsideAnswers } from '../support/outbound';
import { describe, expect, test } from '../support/test';
import { deliver, newReceiverUrl, PRODUCTION_SCHEDULE, submitForDelivery } from '../support/webhooks';
import { rows, silentQueue, subscribe } from '../support/world';

type Call = [method: string, path: string, body?: unknown];

/** Products of which an order leaves little, and none. */
async function nearlySold(api: OrganizationApi) {
  const [plenty, few] = [await holdProduct(api, { stock: 6 }), await holdProduct(api, { stock: 2 })];
  return [itemOf(plenty), itemOf(few)];
}

/** Of each product whose stock an order takes. */
const TWO_PRODUCTS = ['product_updated', 'product_updated'];

const CALLS: [string, string[], (api: OrganizationApi) => Promise<Call>][] = [
  [
    'an approval that leaves little of one product and nothing of another',
    ['low_stock', 'order_created', 'order_request_approved', 'out_of_stock', ...TWO_PRODUCTS],
    async (api) => ['POST', `/order-requests/${await openRequest(api, { items: await nearlySold(api) })}/approve`, {}],
  ],
  [
    'an order that leaves little and nothing',
    ['low_stock', 'order_created', 'out_of_stock', ...TWO_PRODUCTS],
    async (api) => {
      const items = (await nearlySold(api)).map(({ quantity, ...item }) => ({ ...item, name: 'x', qty: quantity }));
      return ['POST', '/orders', orderBody(api, { items })];
    },
  ],
  [
    'a count that leaves little',
    ['low_stock', 'product_updated'],
    async (api) => ['PATCH', `/inventory/${(await holdProduct(api, { stock: 7 })).p1_id}`, { stock_quantity: 1 }],
  ],
];

describe.each(CALLS)('%s', (_, types, prepare) => {
  test(`writes a delivery of each of ${types.join(', ')}, and what is enqueued delivers them all`, async () => {
    const api = await openOrganizationApi({ low_stock_threshold: 5 });
    const [method, path, body] = await prepare(api);
    await subscribe(api.orgId, newReceiverUrl(), [...EVENT_TYPES]);
    const { queue, enqueued } = silentQueue();
    const answer = await callApi(api, method, path, { body, env: { WEBHOOK_DELIVERIES: queue } });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    const written = await rows<{ id: string; type: string }>(
      `select deliveries.id, events.type from deliveries join events on events.id = deliveries.event_id
       where deliveries.org_id = ? order by events.type`,
      api.orgId,
    );
    expect(written.map(({ type }) => type)).toEqual(types);
    const posts = outsideAnswers();
    await deliver(enqueued.map(({ id }) => id));
    const posted = posts.map(({ headers }) => headers.get('X-Service-Delivery-Id'));
    expect(posted.sort()).toEqual(written.map(({ id }) => id).sort());
  });
});

test('what a pause kept waiting is enqueued at its own time after the pause', async ({ delivery: opened }) => {
  const now = Date.now();
  outsideAnswers(() => new Response(null, { status: 500 }));
  await deliver([opened.deliveryId], { now: () => now, env: PRODUCTION_SCHEDULE });
  const next = await submitForDelivery(opened);
  const by = (at: number) => staffContext(opened.pharmacy.orgId, 'owner', { now: () => at });
  await pauseSubscription(by(now + 1_000).ctx, opened.subscriptionId);
  const { ctx, deliveriesEnqueued } = by(now + 20_500);
  await resumeSubscription(ctx, opened.subscriptionId);
  expect(deliveriesEnqueued).toEqual([
    { id: next.id, delaySeconds: 0 },
    { id: opened.deliveryId, delaySeconds: 40 },
  ]);
});
