import { newId } from '../../src/platform/ids';
import { eventCursor } from '../../src/wire/cursors';
import {
  callApi,
  eventsOf,
  holdProduct,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { expect, test, vi } from '../support/test';
import { announceEvent } from '../support/webhooks';
import { call, envelope, json, operate, rows, subscribe } from '../support/world';

const DAY_MS = 86_400_000;

async function pull(api: OrganizationApi, query: Record<string, string | number> = {}) {
  return succeeded(await callApi(api, 'GET', '/events', { query }));
}

function announceUpdates(api: OrganizationApi, count: number, now?: number): Promise<unknown> {
  const metadata = { p1_id: 'P1-1', changed_fields: ['price'] };
  // One after another: the order is what is tested.
  return Array.from({ length: count }).reduce<Promise<unknown>>(
    (before) => before.then(() => announceEvent({ type: 'product_deleted', orgId: api.orgId, metadata }, now)),
    Promise.resolve(),
  );
}

test('the feed is oldest first, and each event is what its webhook says', async () => {
  const api = await openOrganizationApi({ low_stock_threshold: 5 });
  const { p1_id } = await holdProduct(api, { stock: 10 });
  succeeded(await callApi(api, 'PUT', `/products/${p1_id}`, { body: { name: 'Größe „L“ \\ 🌿', price: 2 } }));
  succeeded(await callApi(api, 'PATCH', `/inventory/${p1_id}`, { body: { stock_quantity: 0 } }));
  succeeded(await callApi(api, 'DELETE', `/inventory/${p1_id}`));
  const { data } = await pull(api);
  const stored = await eventsOf(api.orgId);
  expect(data).toEqual(stored.map(({ body }) => JSON.parse(body)));
  expect(data.map((event: unknown) => JSON.stringify(event))).toEqual(stored.map(({ body }) => body));
  expect(data.map((event: { event_type: string }) => event.event_type)).toEqual([
    'product_created',
    'product_updated',
    'product_updated',
    'low_stock',
    'out_of_stock',
    'product_deleted',
  ]);
});

test('the events of an organization are counted from 1 without a gap, whoever else writes at the same moment', async () => {
  const apis = [await openOrganizationApi(), await openOrganizationApi()];
  await Promise.all(
    Array.from({ length: 12 }, (_, index) => apis[index % 2] as OrganizationApi).map((api) => announceUpdates(api, 2)),
  );
  for (const { orgId } of apis) {
    expect((await eventsOf(orgId)).map(({ seq }) => seq)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
  }
});

test('an empty feed gives the cursor back', async ({ api }) => {
  const { next_cursor } = await pull(api);
  expect(next_cursor).toBe(eventCursor(0));
  expect(await pull(api, { cursor: eventCursor(4711) })).toEqual({
    data: [],
    next_cursor: eventCursor(4711),
    has_more: false,
  });
});

test('the feed is read to its end by its cursor, each event once, and goes on from there', async ({ api }) => {
  await announceUpdates(api, 7);
  const seen: string[] = [];
  let cursor = eventCursor(0);
  const sizes: number[] = [];
  for (let page = 0; page < 4; page += 1) {
    const { data, next_cursor } = await pull(api, { limit: 3, cursor });
    seen.push(...data.map(({ id }: { id: string }) => id));
    sizes.push(data.length);
    cursor = next_cursor;
  }
  expect(sizes).toEqual([3, 3, 1, 0]);
  const all = (await eventsOf(api.orgId)).map(({ id }) => id);
  expect(seen).toEqual(all);
  await announceUpdates(api, 1);
  const resumed = await pull(api, { cursor });
  expect(resumed.data).toHaveLength(1);
  expect(all).not.toContain(resumed.data[0].id);
});

test('a page is 50 events unless asked otherwise, 200 at most', async ({ api }) => {
  await announceUpdates(api, 52);
  expect((await pull(api)).data).toHaveLength(50);
  expect((await pull(api, { limit: 200 })).data).toHaveLength(52);
});

test('an event that was made earlier and committed later is not skipped', async ({ api }) => {
  const before = Date.now();
  await announceUpdates(api, 1, before);
  const { data, next_cursor } = await pull(api);
  expect(data).toHaveLength(1);
  // Its id and its time are from before the event that was read; only its commit comes now.
  const event = { type: 'product_deleted', orgId: api.orgId, metadata: { p1_id: 'P1-late' } } as const;
  await announceEvent(event, before - 60_000);
  const late = await pull(api, { cursor: next_cursor });
  expect(late.data).toMatchObject([
    { metadata: { p1_id: 'P1-late' }, created_at: new Date(before - 60_000).toISOString() },
  ]);
});

test('the feed goes back 30 days and no further', async ({ api }) => {
  const now = Date.now();
  await announceUpdates(api, 1, now - 30 * DAY_MS - 1);
  await announceUpdates(api, 1, now - 30 * DAY_MS);
  vi.spyOn(Date, 'now').mockReturnValue(now);
  const { data } = await pull(api);
  expect(data.map((event: { created_at: string }) => event.created_at)).toEqual([
    new Date(now - 30 * DAY_MS).toISOString(),
  ]);
});

test('other organizations’ events are invisible, from whatever cursor', async () => {
  const [api, other] = [await openOrganizationApi(), await openOrganizationApi()];
  await announceUpdates(other, 2);
  await announceUpdates(api, 1);
  await announceUpdates(other, 2);
  const own = (await eventsOf(api.orgId)).map(({ id }) => id);
  expect((await pull(api)).data.map(({ id }: { id: string }) => id)).toEqual(own);
  const [theirs] = await eventsOf(other.orgId);
  const behind = await pull(api, { cursor: eventCursor((theirs?.seq ?? 0) - 1) });
  expect(behind.data.map(({ id }: { id: string }) => id)).toEqual(own);
});

test('what an integration is not to send stands in the feed all the same', async ({ api }) => {
  const host = `rx-${newId()}.localhost`;
  await operate(`/organizations/${api.orgId}/shops/${api.shopId}/hosts`, { host });
  const key = await operate<{ key_id: string; api_key: string }>(`/organizations/${api.orgId}/api-keys`, {
    name: 'telemed',
    scopes: ['external_orders.submit'],
  });
  await subscribe(api.orgId, 'https://hooks.example.com/', ['order_request_submitted']);
  await rows('update api_keys set sends_submitted_events = 0 where id = ?', key.key_id);
  const submission = json(envelope(), { apikey: key.api_key });
  const accepted = await call(`http://${host}:8787/api/v1/external-order`, submission);
  expect(accepted.status).toBe(200);
  const { id } = await accepted.json<{ id: string }>();
  expect(await rows('select * from deliveries where org_id = ?', api.orgId)).toEqual([]);
  expect((await pull(api)).data).toMatchObject([
    { event_type: 'order_request_submitted', metadata: { order_request_id: id } },
  ]);
});
