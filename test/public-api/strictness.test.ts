import { decide, getOrder, getRequest, openApprovable, openOrder, openRequest, reject } from '../support/order-flow';
import { callApi, expectProblem, type OrganizationApi, openOrganizationApi, succeeded } from '../support/organization';
import { openSeller, placeOrder } from '../support/seller';
import { expect, test } from '../support/test';

/** What somebody asks for and the service does not know must not be answered as if it had been heard. */

const LISTS = ['/orders', '/order-requests', '/inventory', '/events'];

test.each([
  '/orders?customer_id=1',
  '/events?type=order_created',
  '/inventory?q=ibu',
  '/shops?limit=10',
  '/reports/summary?since=2026-11-01',
])('GET %s names a parameter that the call does not have: refused, not answered with everything', async (path) => {
  const answer = await callApi(await openOrganizationApi(), 'GET', path);
  expectProblem(answer, 400, 'validation_failed');
  expect(answer.body.errors).toMatchObject([{ code: 'unknown_key' }]);
});

test('a write with a query is refused and does nothing', async ({ api, approvable: { id } }) => {
  expectProblem(
    await callApi(api, 'POST', `/order-requests/${id}/approve?dry_run=true`, { body: {} }),
    400,
    'validation_failed',
  );
  expect((await getRequest(api, id)).status).toBe('pending');
});

test.for(LISTS)('a cursor that is none of ours does not begin %s anew', async (path, { api }) => {
  for (const cursor of ['', 'garbage', 'null', '0x1', '-1', 'P1-1', "' or 1=1", 'after-', 'after-005']) {
    const answer = await callApi(api, 'GET', path, { query: { cursor } });
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ pointer: '/cursor' }]);
  }
});

test.for([
  ['/orders', (api: OrganizationApi) => openOrder(api)],
  ['/order-requests', (api: OrganizationApi) => openRequest(api)],
  ['/inventory', (api: OrganizationApi) => openApprovable(api)],
] as const)('%s is read to its end by its own cursors, each entry once', async ([path, add], { api }) => {
  for (let count = 0; count < 3; count += 1) await add(api);
  const seen: string[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const query: Record<string, string> = { limit: '1', ...(cursor && { cursor }) };
    const page = succeeded(await callApi(api, 'GET', path, { query }));
    seen.push(...page.data.map((each: { id?: string; p1_id?: string }) => each.id ?? each.p1_id));
    cursor = page.next_cursor;
  }
  expect(new Set(seen).size).toBe(3);
  expect(seen).toHaveLength(3);
});

test.each(['1e2', '0x10', ' 5', '5 ', '1.0', '+5', '٣', '1_0'])('limit=%j is no whole number', async (limit) => {
  const api = await openOrganizationApi();
  for (const path of LISTS)
    expectProblem(await callApi(api, 'GET', path, { query: { limit } }), 400, 'validation_failed');
});

test('order requests are listed by one status, by several, or by all', async ({ api, requestId: pending }) => {
  const rejected = await openRequest(api);
  succeeded(await reject(api, rejected));
  const deleted = await openRequest(api);
  succeeded(await callApi(api, 'DELETE', `/order-requests/${deleted}`));
  const listed = async (query: Record<string, string>) =>
    succeeded(await callApi(api, 'GET', '/order-requests', { query })).data.map(({ id }: { id: string }) => id);

  expect(await listed({})).toEqual([pending]);
  expect(await listed({ status: 'rejected' })).toEqual([rejected]);
  expect(await listed({ status: 'rejected,pending' })).toEqual([rejected, pending]);
  expect(await listed({ status: 'all' })).toEqual([deleted, rejected, pending]);
  for (const status of ['open', '', 'pending,', 'all,pending', 'pending;rejected']) {
    expectProblem(await callApi(api, 'GET', '/order-requests', { query: { status } }), 400, 'validation_failed');
  }
});

test('the lines of a request can be approved as they were read', async ({ api }) => {
  const { id } = await openApprovable(api, { quantity: 3 });
  const { lines } = await getRequest(api, id);
  const { order_id } = succeeded(await decide(api, id, 'approve', { lines }));
  expect((await getOrder(api, order_id)).items).toMatchObject([{ quantity: 3, qty: 3 }]);
});

test('the lines of an order can be sent again as they were read, and change nothing', async ({ api, order }) => {
  const body = {
    shop_id: api.shopId,
    external_id: order.external_id,
    customer_name: order.customer.name,
    customer_email: order.customer.email,
    items: order.items,
  };
  expect(succeeded(await callApi(api, 'POST', '/orders', { body })).updated_at).toBe(order.updated_at);
});

test('a line of which quantity and qty differ is refused: one of them is not meant', async ({
  api,
  approvable: { id, product },
}) => {
  const line = { p1_id: product.p1_id, price: product.price, quantity: 1, qty: 2 };
  const answer = await decide(api, id, 'approve', { lines: [line] });
  expectProblem(answer, 400, 'validation_failed');
  expect(answer.body.errors).toMatchObject([{ pointer: '/lines/0/qty', code: 'use_quantity' }]);
  expect((await getRequest(api, id)).status).toBe('pending');
});

test.each([undefined, { 'Content-Type': 'application/json' }])(
  'a body of which everything is optional may be absent (%o)',
  async (headers) => {
    const seller = await openSeller();
    const { id } = await placeOrder(seller);
    expect((await callApi(seller, 'POST', `/orders/${id}/payment-links`, { headers })).status).toBe(201);
    expect((await callApi(seller, 'POST', `/orders/${id}/mark-paid`, { headers })).body.payment_status).toBe('paid');
    const api = await openOrganizationApi();
    const { id: requestId } = await openApprovable(api);
    const answer = await callApi(api, 'POST', `/order-requests/${requestId}/approve`, { headers });
    expect(succeeded(answer).status).toBe('approved');
  },
);

test('a body that is needed is asked for', async ({ api, requestId: id }) => {
  expect((await callApi(api, 'POST', `/order-requests/${id}/reject`)).status).toBe(400);
  expect((await getRequest(api, id)).status).toBe('pending');
});
