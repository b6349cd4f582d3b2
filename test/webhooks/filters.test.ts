import type { EventType } from '../../src/webhooks/event-types';
import { readHealth, readSubscription } from '../../src/webhooks/log/log';
import { recover } from '../../src/webhooks/recovery/recover';
import { createSubscription, updateSubscription } from '../../src/webhooks/subscriptions/settings';
import { toldTo } from '../support/callbacks';
import { openRequest, orderBody, patchOrder, requestBody, staffContext, upsert } from '../support/order-flow';
import { callApi, holdProduct, type OrganizationApi, openOrganizationApi, succeeded } from '../support/organization';
import { expect, test } from '../support/test';
import { newReceiverUrl } from '../support/webhooks';
import { operate, rows } from '../support/world';

interface Filter {
  shopIds?: string[];
  sources?: string[];
}

const ALL: EventType[] = [
  'order_request_submitted',
  'order_created',
  'order_updated',
  'order_status_updated',
  'product_updated',
];

function ownerOf({ orgId }: OrganizationApi) {
  return staffContext(orgId, 'owner').ctx;
}

async function openFiltered(api: OrganizationApi, filter: Filter) {
  const made = await createSubscription(ownerOf(api), {
    orgId: api.orgId,
    url: newReceiverUrl(),
    eventTypes: ALL,
    ...filter,
  });
  await rows('update subscriptions set is_healthy = 0 where id = ?', made.subscriptionId);
  return made;
}

/** A request of each shop and platform. */
async function submitEach(api: OrganizationApi): Promise<void> {
  for (const shop_id of [api.shopId, api.otherShopId]) {
    for (const source of ['a.example', 'b.example']) {
      const body = { ...requestBody(api, {}, { source }), shop_id };
      succeeded(await callApi(api, 'POST', '/order-requests', { body }));
    }
  }
}

const requestsToldTo = async (made: { subscriptionId: string }) =>
  (await toldTo(made)).map(({ metadata: { shop_id, source } }) => ({ shop_id, source }));

test('only events of the chosen shops and platforms are sent, and of both only what is of both', async ({ api }) => {
  const { shopId, otherShopId } = api;
  const ofShop = await openFiltered(api, { shopIds: [shopId] });
  const ofSource = await openFiltered(api, { sources: ['b.example', 'c.example'] });
  const ofBoth = await openFiltered(api, { shopIds: [otherShopId], sources: ['a.example'] });
  await submitEach(api);
  expect(await requestsToldTo(ofShop)).toEqual([
    { shop_id: shopId, source: 'a.example' },
    { shop_id: shopId, source: 'b.example' },
  ]);
  expect(await requestsToldTo(ofSource)).toEqual([
    { shop_id: shopId, source: 'b.example' },
    { shop_id: otherShopId, source: 'b.example' },
  ]);
  expect(await requestsToldTo(ofBoth)).toEqual([{ shop_id: otherShopId, source: 'a.example' }]);
});

test('what happens to an order is of its shop and platform, also where the event does not say so', async ({ api }) => {
  const made = await openFiltered(api, { shopIds: [api.otherShopId], sources: ['a.example'] });
  for (const shop_id of [api.shopId, api.otherShopId]) {
    const { id } = succeeded(await upsert(api, orderBody(api, { shop_id, source: 'a.example' })), 201);
    succeeded(await patchOrder(api, id, { note: 'Klingel', on_hold: true }));
  }
  const told = await toldTo(made);
  expect(told.map(({ type }) => type).toSorted()).toEqual(['order_created', 'order_status_updated', 'order_updated']);
  expect(told.find(({ type }) => type === 'order_created')?.metadata.shop_id).toBe(api.otherShopId);
});

test('products and stock belong to no shop and come from no platform: filters do not hold them back', async ({
  api,
}) => {
  const made = await openFiltered(api, { shopIds: [api.shopId], sources: ['a.example'] });
  const { p1_id } = await holdProduct(api);
  succeeded(await callApi(api, 'PUT', `/products/${p1_id}`, { body: { price: 3 } }));
  expect((await toldTo(made)).map(({ type }) => type)).toContain('product_updated');
});

test('what was held back has no delivery, is counted in the health, and a recovery does not bring it', async ({
  api,
}) => {
  const made = await openFiltered(api, { shopIds: [api.shopId] });
  await rows("update subscriptions set status = 'disabled', skipped_after = 0 where id = ?", made.subscriptionId);
  await submitEach(api);
  await rows("update subscriptions set status = 'active' where id = ?", made.subscriptionId);
  const asked = { subscriptionId: made.subscriptionId, since: Date.now() - 60_000 };
  expect(await recover(ownerOf(api), asked)).toEqual({ count: 2, isRunning: false });
  expect(await requestsToldTo(made)).toHaveLength(2);
  expect(await readHealth(ownerOf(api))).toMatchObject([{ health: { filtered: 2 } }]);
  const { data } = succeeded(await callApi(api, 'GET', '/webhooks/subscriptions'));
  expect(data).toMatchObject([{ shop_ids: [api.shopId], sources: null, health: { filtered: 2 } }]);
});

test('a change of the filter counts from then on, and is in the audit log', async ({ api }) => {
  const { subscriptionId: id } = await openFiltered(api, { sources: ['b.example'] });
  await openRequest(api, {}, { source: 'a.example' });
  const { subscription } = await readSubscription(ownerOf(api), { subscriptionId: id, filter: { status: 'all' } });
  const { url, eventTypes, updatedAt: seenAt } = subscription;
  await updateSubscription(ownerOf(api), { id, seenAt, url, eventTypes, shopIds: null, sources: ['a.example'] });
  await openRequest(api, {}, { source: 'a.example' });
  expect(await requestsToldTo({ subscriptionId: id })).toEqual([{ shop_id: api.shopId, source: 'a.example' }]);
  const [audited] = await rows<{ fields: string }>(
    "select fields from audit_log where entity_id = ? and action = 'subscription.updated'",
    id,
  );
  expect(JSON.parse(audited?.fields ?? '')).toEqual(['sources']);
});

test("another organization's shop is refused, whoever makes or changes the subscription", async ({ api }) => {
  const stranger = await openOrganizationApi();
  const shopIds = [stranger.shopId];
  const refused = { code: 'validation_failed', details: { errors: [{ pointer: '/shop_ids', code: 'unknown_shop' }] } };
  await expect(openFiltered(api, { shopIds })).rejects.toMatchObject(refused);
  const { subscriptionId: id } = await openFiltered(api, {});
  const { subscription } = await readSubscription(ownerOf(api), { subscriptionId: id, filter: { status: 'all' } });
  const { url, eventTypes, updatedAt: seenAt } = subscription;
  const change = updateSubscription(ownerOf(api), { id, seenAt, url, eventTypes, shopIds, sources: null });
  await expect(change).rejects.toMatchObject(refused);
  const body = { url: newReceiverUrl(), event_types: ['order_created'], shop_ids: shopIds };
  await expect(operate(`/organizations/${api.orgId}/subscriptions`, body)).rejects.toThrow(/unknown_shop/);
});
