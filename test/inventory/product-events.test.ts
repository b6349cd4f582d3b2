import { stockEntries } from '../../src/inventory/ledger';
import { commit } from '../../src/platform/commit';
import { EVENTS, type EventType } from '../../src/webhooks/event-types';
import { recover } from '../../src/webhooks/recovery/recover';
import { openOrder, staffContext as ownerContext } from '../support/order-flow';
import {
  attach,
  callApi,
  eventsOf,
  holdProduct,
  importFile,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { staffContext } from '../support/staff-context';
import { expect, test } from '../support/test';
import { deliveriesOf } from '../support/webhooks';
import { rows, subscribe } from '../support/world';

/** Changes the stock of these products by one command. */
function countTogether(api: OrganizationApi, products: readonly { p1_id: string }[], onHand = 13) {
  const ctx = staffContext(api.orgId);
  const writes = products.map(({ p1_id }) => ({ p1Id: p1_id, change: { onHand }, reason: 'count' as const }));
  return commit(ctx, { entries: stockEntries(ctx, api.orgId, writes, { isBulk: true }).entries });
}

const feed = async (api: OrganizationApi) =>
  succeeded(await callApi(api, 'GET', '/events', { query: { limit: 100 } })).data;

/** Types of what was delivered to a subscription, with the products of each. */
async function sentTo(api: OrganizationApi, subscriptionId: string): Promise<[string, string[]][]> {
  const events = new Map((await eventsOf(api.orgId)).map((event) => [event.id, event]));
  return (await deliveriesOf(api.orgId)).flatMap(({ event_id, subscription_id }) => {
    const event = events.get(event_id);
    if (!event || subscription_id !== subscriptionId) return [];
    const { metadata } = JSON.parse(event.body);
    const products: { p1_id: string }[] = metadata.products ?? [metadata];
    return [[event.type, products.map(({ p1_id }) => p1_id).toSorted()]];
  });
}

test('many changes of one command are one event in the feed, and each reader gets each change once', async ({
  api,
}) => {
  const products = [await holdProduct(api), await holdProduct(api), await holdProduct(api)];
  const ids = products.map(({ p1_id }) => p1_id).toSorted();
  const to = async (url: string, types: EventType[]) => (await subscribe(api.orgId, url, types)).subscriptionId;
  const singly = await to('https://a.example.com/', ['product_updated']);
  const together = await to('https://b.example.com/', ['products_updated']);
  const both = await to('https://c.example.com/', ['product_updated', 'products_updated']);
  const neither = await to('https://d.example.com/', ['order_created']);
  const before = (await feed(api)).length;
  await countTogether(api, products);
  const [chunk, ...others] = (await feed(api)).slice(before);
  expect(others).toEqual([]);
  expect(chunk.event_type).toBe('products_updated');
  EVENTS.products_updated.metadata.parse(chunk.metadata);
  expect(chunk.metadata.products.map(({ p1_id }: { p1_id: string }) => p1_id).toSorted()).toEqual(ids);
  expect(chunk.metadata.products[0]).toMatchObject({ changed_fields: ['stock_quantity', 'on_hand'], on_hand: 13 });
  expect(await sentTo(api, together)).toEqual([['products_updated', ids]]);
  expect(await sentTo(api, both)).toEqual([['products_updated', ids]]);
  expect((await sentTo(api, singly)).toSorted()).toEqual(ids.map((id) => ['product_updated', [id]]));
  expect(await sentTo(api, neither)).toEqual([]);
  const singles = await rows<{ chunk_seq: number; body: string }>(
    'select chunk_seq, body from events where org_id = ? and chunk_seq is not null',
    api.orgId,
  );
  const [stored] = await rows<{ seq: number }>('select seq from events where id = ?', chunk.id);
  expect(new Set(singles.map(({ chunk_seq }) => chunk_seq))).toEqual(new Set([stored?.seq]));
  for (const { body } of singles) EVENTS.product_updated.metadata.parse(JSON.parse(body).metadata);
});

test('what was missed while a subscription was disabled comes once to it, too: as it takes it', async ({ api }) => {
  const products = [await holdProduct(api), await holdProduct(api)];
  await subscribe(api.orgId, 'https://a.example.com/', ['product_updated']);
  const { subscriptionId } = await subscribe(api.orgId, 'https://b.example.com/', [
    'product_updated',
    'products_updated',
  ]);
  const since = Date.now() - 1_000;
  const { seq = 0 } = (await eventsOf(api.orgId)).at(-1) ?? {};
  await rows(
    "update subscriptions set created_at = ?, status = 'disabled', skipped_after = ? where id = ?",
    since,
    seq,
    subscriptionId,
  );
  await countTogether(api, products);
  await rows("update subscriptions set status = 'active', skipped_until = 1000 where id = ?", subscriptionId);
  const { ctx } = ownerContext(api.orgId, 'owner');
  expect(await recover(ctx, { subscriptionId, since })).toMatchObject({ count: 1 });
  expect((await sentTo(api, subscriptionId)).map(([type]) => type)).toEqual(['products_updated']);
});

test('chunks and what stands beside them wait for orders, as all of products', async ({ api }) => {
  const products = [await holdProduct(api), await holdProduct(api)];
  await subscribe(api.orgId, 'https://a.example.com/', ['product_updated']);
  await subscribe(api.orgId, 'https://b.example.com/', ['products_updated', 'order_created']);
  await openOrder(api);
  await countTogether(api, products);
  const stored = await rows<{ priority: number; type: string }>(
    `select priority, type from deliveries join events on events.id = event_id where deliveries.org_id = ?
     order by priority, type`,
    api.orgId,
  );
  expect(stored).toEqual([
    { priority: 0, type: 'order_created' },
    { priority: 1, type: 'product_updated' },
    { priority: 1, type: 'product_updated' },
    { priority: 1, type: 'products_updated' },
  ]);
});

test.for([[[]], [['products_updated']], [['products_updated', 'product_updated']]] as EventType[][][])(
  'no single ones are written where nobody takes only those (%j)',
  async ([types = []], { api }) => {
    const products = [await holdProduct(api), await holdProduct(api)];
    if (types.length > 0) await subscribe(api.orgId, 'https://a.example.com/', types);
    const before = (await eventsOf(api.orgId)).length;
    await countTogether(api, products);
    expect((await eventsOf(api.orgId)).slice(before).map(({ type }) => type)).toEqual(['products_updated']);
  },
);

test('where nothing changes, nothing is told', async ({ api }) => {
  const products = [await holdProduct(api), await holdProduct(api)];
  const before = (await eventsOf(api.orgId)).length;
  await countTogether(api, products, 10);
  expect(await eventsOf(api.orgId)).toHaveLength(before);
});

test('changes of one product are told one by one to whoever takes both', async ({ api, held: { p1_id } }) => {
  const { subscriptionId } = await subscribe(api.orgId, 'https://a.example.com/', [
    'product_updated',
    'products_updated',
  ]);
  succeeded(await callApi(api, 'PATCH', `/inventory/${p1_id}`, { body: { delta: 1 } }));
  expect(await sentTo(api, subscriptionId)).toEqual([['product_updated', [p1_id]]]);
});

test('an import tells those who have a changed value from the catalog, and nobody else', async ({ api }) => {
  const product = await holdProduct(api, { name: 'Alt', price: 3 });
  await attach(api, product.p1_id);
  const [holder, stranger] = [await openOrganizationApi(), await openOrganizationApi()];
  const body = { p1_id: product.p1_id, initial_stock: 1 };
  succeeded(await callApi(holder, 'POST', '/products/add-to-inventory', { body }), 201);
  const row = { ...product, price: 9, category: 'Neu' };
  const importRow = () => importFile(JSON.stringify(row));
  expect(await (await importRow()).json()).toMatchObject({ updated: 1 });
  // The first has a price of its own.
  const told = async (of: OrganizationApi) =>
    (await feed(of)).filter(({ event_type }: { event_type: string }) => event_type === 'products_updated');
  expect(await told(api)).toMatchObject([
    { metadata: { products: [{ p1_id: product.p1_id, changed_fields: ['category'], shop_ids: [api.shopId] }] } },
  ]);
  expect(await told(holder)).toMatchObject([{ metadata: { products: [{ changed_fields: ['category', 'price'] }] } }]);
  expect(await told(stranger)).toEqual([]);
  expect(await (await importRow()).json()).toMatchObject({ unchanged: 1 });
  expect(await told(api)).toHaveLength(1);
});

test('an import reaches holders on another database, and those who take single events', async () => {
  const api = await openOrganizationApi({ shard: 1 });
  const product = await holdProduct(api);
  const { subscriptionId } = await subscribe(api.orgId, 'https://a.example.com/', ['product_updated']);
  await importFile(JSON.stringify({ ...product, name: 'Neu' }));
  expect(await sentTo(api, subscriptionId)).toEqual([['product_updated', [product.p1_id]]]);
});
