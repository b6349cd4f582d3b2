import { expect, test } from 'vitest';
import { type Cost, costOf, openBudgeted, warm } from '../support/cost';
import {
  approve,
  deleteRequest,
  itemOf,
  openApprovable,
  openOrder,
  openPrescribed,
  openRequest,
  orderBody,
  patchOrder,
  reject,
  requestBody,
  upsert,
} from '../support/order-flow';
import {
  type Answer,
  callApi,
  holdProduct,
  importProducts,
  type OrganizationApi,
  succeeded,
} from '../support/organization';
import { PDF_BASE64, rows, subscribe } from '../support/world';

type Act = () => Promise<Answer>;
type Prepare = (api: OrganizationApi) => Promise<Act> | Act;

/**
 * Every write: its statements in both round trips, and the rows that it writes (tables, indexes and events together; one of each
 * event is for feeds of its type, but for a submission). Those of reports are among them: one of the day for each order or request
 * that changes (another one the first time on a day), one more where an order comes, ends or costs something else, and three for each product that it sells, or six where nothing of the product
 * is left; and those of each product's event. A decision writes to the
 * indexes by shop, by e-mail and of bodies that go later, which accepting a request leaves out; a new customer to the index of names.
 */
const WRITES: [string, Pick<Cost, 'statements' | 'rowsWritten'>, Prepare][] = [
  [
    'an order request',
    { statements: 6, rowsWritten: 7 },
    (api) => () => callApi(api, 'POST', '/order-requests', { body: requestBody(api) }),
  ],
  [
    'an order request with a PDF',
    { statements: 8, rowsWritten: 13 },
    (api) => () =>
      callApi(api, 'POST', '/order-requests', { body: requestBody(api, { prescription_pdf_base64: PDF_BASE64 }) }),
  ],
  [
    'an approval',
    { statements: 24, rowsWritten: 42 },
    async (api) => {
      const { id } = await openApprovable(api);
      return () => approve(api, id);
    },
  ],
  [
    'an approval with changed lines and a reason',
    { statements: 24, rowsWritten: 45 },
    async (api) => {
      const { id, product } = await openApprovable(api);
      const lines = [itemOf(product), { name: 'Beratung', quantity: 1, price: 1 }];
      return () => approve(api, id, { lines, override_reason: 'Ohne Artikel' });
    },
  ],
  [
    'a rejection',
    { statements: 8, rowsWritten: 16 },
    async (api) => {
      const id = await openRequest(api);
      return () => reject(api, id);
    },
  ],
  [
    'the deletion of a request with a PDF',
    { statements: 17, rowsWritten: 17 },
    async (api) => {
      const { id } = await openPrescribed(api);
      return () => deleteRequest(api, id);
    },
  ],
  [
    'a new order',
    { statements: 16, rowsWritten: 29 },
    async (api) => {
      const { p1_id } = await holdProduct(api);
      return () => upsert(api, orderBody(api, { items: [{ p1_id, qty: 1, price: 1 }] }));
    },
  ],
  [
    'an upsert that changes lines',
    { statements: 16, rowsWritten: 18 },
    async (api) => {
      const { p1_id } = await holdProduct(api);
      const body = orderBody(api, { items: [{ p1_id, qty: 1, price: 1 }] });
      succeeded(await upsert(api, body), 201);
      return () => upsert(api, { ...body, items: [{ p1_id, qty: 2, price: 1 }] });
    },
  ],
  [
    'a status',
    { statements: 9, rowsWritten: 12 },
    async (api) => {
      const { id } = await openOrder(api);
      return () => patchOrder(api, id, { status: 'ready_pickup' });
    },
  ],
  [
    'status, flags and fields in one',
    { statements: 10, rowsWritten: 15 },
    async (api) => {
      const { id } = await openOrder(api);
      return () => patchOrder(api, id, { status: 'ready_pickup', express: true, note: 'Klingel' });
    },
  ],
  [
    'a cancellation',
    { statements: 12, rowsWritten: 24 },
    async (api) => {
      const { p1_id } = await holdProduct(api);
      const { id } = await openOrder(api, { items: [{ p1_id, qty: 1, price: 1 }] });
      return () => patchOrder(api, id, { status: 'cancelled', reason_code: 'test' });
    },
  ],
];

test.each(WRITES)('%s costs two round trips: %o', async (_, expected, prepare) => {
  const api = await openBudgeted();
  const act = await prepare(api);
  await warm(api);
  const { rowsRead, ...cost } = await costOf(async () => expect((await act()).status).toBeLessThan(300));
  expect(cost).toEqual({ roundTrips: 2, ...expected });
  expect(rowsRead).toBeLessThan(120);
});

test.each<[string, Prepare]>([
  [
    'an upsert of the same content',
    async (api) => {
      const body = orderBody(api);
      succeeded(await upsert(api, body), 201);
      return () => upsert(api, body);
    },
  ],
  [
    'a PATCH that changes nothing',
    async (api) => {
      const { id, status } = await openOrder(api);
      return () => patchOrder(api, id, { status, express: false });
    },
  ],
  [
    'a step that is not allowed',
    async (api) => {
      const { id } = await openOrder(api);
      return () => patchOrder(api, id, { status: 'delivered' });
    },
  ],
  [
    'an approval with blockers',
    async (api) => {
      const id = await openRequest(api);
      return () => approve(api, id);
    },
  ],
  [
    'a second decision',
    async (api) => {
      const id = await openRequest(api);
      succeeded(await reject(api, id));
      return () => reject(api, id);
    },
  ],
])('%s costs one round trip and writes nothing', async (_, prepare) => {
  const api = await openBudgeted();
  const act = await prepare(api);
  await warm(api);
  expect(await costOf(act)).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
});

test('an approval of 100 lines stays within two round trips and as many statements as one of one line', async () => {
  const api = await openBudgeted();
  const products = await importProducts(...Array(100).fill({}));
  for (const { p1_id } of products) {
    succeeded(await callApi(api, 'POST', '/products/add-to-inventory', { body: { p1_id, initial_stock: 6 } }), 201);
  }
  const types = ['low_stock', 'order_request_approved', 'order_created'] as const;
  await subscribe(api.orgId, 'https://hooks.example.com/', [...types]);
  const id = await openRequest(api, { items: products.map((product) => itemOf(product, 2)) });
  const { id: small } = await openApprovable(api);
  // The customer is known to both.
  await openOrder(api);
  await warm(api);
  const one = await costOf(async () => succeeded(await approve(api, small)));
  const cost = await costOf(async () => succeeded(await approve(api, id)));
  expect(cost).toMatchObject({ roundTrips: 2, statements: one.statements });
  const [sum] = await rows<{ stock: number; events: number; deliveries: number }>(
    `select (select sum(stock_quantity) from inventory where org_id = ?1 and stock_quantity = 4) as stock,
      (select count(*) from events where org_id = ?1 and type = 'low_stock') as events,
      (select count(*) from deliveries where org_id = ?1) as deliveries`,
    api.orgId,
  );
  expect(sum).toEqual({ stock: 400, events: 100, deliveries: 105 });
});

test('lists read no more rows than their page needs, whatever else is there', async () => {
  const api = await openBudgeted();
  const other = await openBudgeted();
  for (let count = 0; count < 8; count += 1) {
    await openRequest(api);
    await openOrder(api);
    await openRequest(other);
    await openOrder(other);
  }
  await warm(api);
  const read = (path: string) => costOf(() => callApi(api, 'GET', path, { query: { limit: 2 } }));
  const [orders, requests] = [await read('/orders'), await read('/order-requests')];
  expect(orders.rowsRead).toBeLessThanOrEqual(2 * 3 + 10);
  expect(requests.rowsRead).toBeLessThan(60);
  const before = [orders.rowsRead, requests.rowsRead];
  for (let count = 0; count < 8; count += 1) {
    await openRequest(api);
    await openOrder(api);
  }
  expect([(await read('/orders')).rowsRead, (await read('/order-requests')).rowsRead]).toEqual(before);
});
