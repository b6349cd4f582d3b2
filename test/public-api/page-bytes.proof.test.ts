import { listOrders } from '../../src/orders/read';
import { PAGE_BYTES_MAX } from '../../src/platform/limits';
import { mapConcurrent } from '../../src/platform/map-concurrent';
import { approve, openConnector, openOrder, openRequest, orderBody, staffContext, upsert } from '../support/order-flow';
import { type Answer, attachNewProduct, callApi, type OrganizationApi, succeeded } from '../support/organization';
import { meteredDb } from '../support/probe';
import { expect, test } from '../support/test';
import { envelope, ONE_DATABASE, rows } from '../support/world';

const PLACES = Array.from({ length: 40 }, (_, place) => place);

/** Requests as large as the connector takes them: 60 KB of lines and of members that only the platform knows. */
async function submitLarge(api: OrganizationApi): Promise<string[]> {
  const submit = await openConnector(api);
  const items = Array.from({ length: 70 }, (_, place) => ({
    name: `${place} ${'N'.repeat(185)}`,
    quantity: 1,
    price: 1,
  }));
  const own = Object.fromEntries(
    Array.from({ length: 36 }, (_, place) => [`m${place}${'k'.repeat(180)}`, 'v'.repeat(900)]),
  );
  return await mapConcurrent(PLACES, 8, async (place) => {
    const response = await submit(envelope({ items, ...own, external_reference: `large-${place}` }));
    return (await response.json<{ id: string }>()).id;
  });
}

/** Every page of a list, each no larger than it may be. @returns the ids that came, and the number of pages */
async function readPages(api: OrganizationApi, path: string, query: Record<string, string>) {
  const ids: string[] = [];
  let pages = 0;
  let cursor: string | null = '';
  while (cursor !== null) {
    const { status, body }: Answer = await callApi(api, 'GET', path, {
      query: { limit: '200', ...query, ...(cursor && { cursor }) },
    });
    expect(status).toBe(200);
    expect(new TextEncoder().encode(JSON.stringify(body)).length).toBeLessThanOrEqual(PAGE_BYTES_MAX);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor;
    pages += 1;
  }
  return { ids, pages };
}

test('a page of requests ends at 2 MiB, and the next ones hold the rest', async ({ api }) => {
  const submitted = await submitLarge(api);
  const since = { updated_after: '2020-01-01T00:00:00Z' };
  const queries: Record<string, string>[] = [
    {},
    { status: 'all' },
    { payment_status: 'pending,paid,cash_on_pickup' },
    since,
  ];
  for (const query of queries) {
    const { ids, pages } = await readPages(api, '/order-requests', query);
    expect([...ids].sort()).toEqual([...submitted].sort());
    expect(pages).toBe(2);
  }
});

test('a page of orders ends at 2 MiB, and the next ones hold the rest', async ({ api }) => {
  const made = await mapConcurrent(PLACES, 8, async (place) => {
    const body = orderBody(api, { external_id: `large-${place}` });
    return succeeded(await upsert(api, body), 201).id as string;
  });
  const details = JSON.stringify(
    Object.fromEntries(Array.from({ length: 70 }, (_, place) => [`k${place}`, 'v'.repeat(1_000)])),
  );
  await rows('update orders set platform_details = ? where org_id = ?', details, api.orgId);
  const queries: Record<string, string>[] = [
    {},
    { status: 'awaiting_packing' },
    { updated_after: '2020-01-01T00:00:00Z' },
  ];
  for (const query of queries) {
    const { ids, pages } = await readPages(api, '/orders', query);
    expect([...ids].sort()).toEqual([...made].sort());
    expect(pages).toBe(2);
  }
});

test('the export of a person has every request, however many, read in parts', async ({ api }) => {
  const submitted = await submitLarge(api);
  const { p1_id } = await attachNewProduct(api);
  const id = await openRequest(api, { items: [{ name: 'x', p1_id, quantity: 1, price: 1 }] });
  succeeded(await approve(api, id));
  const [customer] = await rows<{ id: string }>('select id from customers where org_id = ?', api.orgId);
  const { DB, trips } = meteredDb();
  const asking = { env: { ...ONE_DATABASE, DB } };
  const { body } = await callApi(api, 'GET', `/customers/${customer?.id}`, asking);
  const exported = body.order_requests.map((request: { id: string }) => request.id);
  expect(exported.sort()).toEqual([...submitted, id].sort());
  expect(trips.length).toBeGreaterThan(5);
  await rows("update orders set status = 'delivered' where org_id = ?", api.orgId);
  expect(succeeded(await callApi(api, 'DELETE', `/customers/${customer?.id}`))).toMatchObject({ deleted: true });
});

test('a large order that changes while its page is read leaves nothing out behind it', async ({ api }) => {
  const made: string[] = [];
  for (const place of PLACES.slice(0, 3)) made.push((await openOrder(api, { external_id: `large-${place}` })).id);
  const details = JSON.stringify({ k: 'v'.repeat(20_000) });
  await rows('update orders set platform_details = ? where org_id = ? and id = ?', details, api.orgId, made[0]);
  const { ctx } = staffContext(api.orgId, 'owner');
  const listed = await listOrders(ctx, { limit: 10, from: { updatedAfter: 0 } });
  let reads = 0;
  const db = {
    ...ctx.db,
    // The order changes between the two reads.
    rows: async (statement: never) => {
      reads += 1;
      await rows("update orders set note = 'x', updated_at = ? where id = ?", Date.now(), made[0]);
      return ctx.db.rows(statement);
    },
  };
  const again = await listOrders({ ...ctx, db } as typeof ctx, { limit: 10, from: { updatedAfter: 0 } });
  expect(reads).toBe(1);
  const same = again.orders.find(({ id }) => id === made[0]);
  expect([same?.changeNumber, same?.platformDetails]).toEqual([
    listed.orders.find(({ id }) => id === made[0])?.changeNumber,
    JSON.parse(details),
  ]);
});
