import {
  approve,
  atOnce,
  eventsAfter,
  getOrder,
  getRequest,
  openOrder,
  openRequest,
  orderBody,
  orderMovements,
  patchOrder,
  setOwed,
  setStatus,
  stockOf,
  upsert,
} from '../support/order-flow';
import {
  attach,
  callApi,
  eventsOf,
  expectProblem,
  footprint,
  holdProduct,
  importProduct,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { auditOf } from '../support/rows';
import { describe, expect, test } from '../support/test';
import { rows } from '../support/world';

const line = (p1_id: string, qty: number, price = 1) => ({ p1_id, qty, price });

test('a new order is 201 with all that was sent, takes its stock and is announced once', async ({ api }) => {
  const product = await holdProduct(api, { stock: 10 });
  const body = orderBody(api, {
    source: 'shop.example',
    address_street: 'Hauptstraße 1',
    address_city: 'Berlin',
    address_postal_code: '10115',
    address_phone: '+49 30 1234',
    shipping_option: 'Versand',
    payment_status: 'paid',
    payment_reference: 'TX-1',
    items: [line(product.p1_id, 2, 4.95), { name: 'Versandkosten', qty: 1, price: 3.9 }],
  });
  const happened = await eventsAfter(api.orgId, async () => {
    const order = succeeded(await upsert(api, body), 201);
    expect(order).toEqual({
      id: expect.any(String),
      number: 1,
      external_id: body.external_id,
      status: 'awaiting_packing',
      payment_status: 'paid',
      payment_reference: 'TX-1',
      flags: { on_hold: false, original_missing: false, express: false, archived: false },
      hold_reason: null,
      withdrawal: 'none',
      cancel_reason_code: null,
      shop_id: api.shopId,
      source: 'shop.example',
      external_reference: null,
      order_request_id: null,
      shipping_option: 'Versand',
      carrier: null,
      tracking_number: null,
      tracking_url: null,
      items: [
        {
          name: product.name,
          qty: 2,
          price: 4.95,
          p1_id: product.p1_id,
          prescription_required: false,
          unit: 'piece',
          quantity: 2,
          product_name: product.name,
          batches: [],
        },
        {
          name: 'Versandkosten',
          quantity: 1,
          qty: 1,
          price: 3.9,
          p1_id: null,
          prescription_required: false,
          unit: 'piece',
          product_name: null,
          batches: [],
        },
      ],
      customer: { id: expect.any(String), name: 'Erika Mustermann', email: 'erika@example.com', birth_date: null },
      prescriber_name: null,
      address: { street: 'Hauptstraße 1', city: 'Berlin', postal_code: '10115', phone: '+49 30 1234' },
      totals: { items_amount: 13.8, fee_amount: 0, discount_amount: 0, total_amount: 13.8 },
      refunded_amount: 0,
      payment_action: null,
      payment_difference: null,
      note: null,
      platform_details: null,
      created_at: expect.any(String),
      updated_at: order.created_at,
      paid_at: order.created_at,
      deleted_at: null,
    });
    expect(await getOrder(api, order.id)).toEqual(order);
    expect(await auditOf(order.id)).toMatchObject([{ action: 'order.created', actor_id: api.keyId }]);
  });
  expect(happened).toEqual([
    {
      type: 'product_updated',
      metadata: {
        p1_id: product.p1_id,
        changed_fields: ['stock_quantity'],
        ...{
          unit: 'piece',
          stock_quantity: 8,
          on_hand: 10,
          committed_quantity: 2,
          reserved_quantity: 0,
          stock_version: 2,
          shop_ids: [],
        },
      },
    },
    {
      type: 'order_created',
      metadata: {
        order_id: expect.any(String),
        shop_id: api.shopId,
        source: 'shop.example',
        external_reference: '',
        status: 'awaiting_packing',
        payment_status: 'paid',
      },
    },
  ]);
  expect(await stockOf(api.orgId, product.p1_id)).toEqual({ stock: 8, ledger: 8 });
});

test.for([
  [{}, 'cash_on_pickup', 'awaiting_packing'],
  [{ cash_on_pickup: true }, 'cash_on_pickup', 'awaiting_packing'],
  [{ cash_on_pickup: false }, 'pending', 'awaiting_payment'],
  [{ cash_on_pickup: true, payment_status: 'pending' }, 'pending', 'awaiting_payment'],
  [{ payment_status: 'paid' }, 'paid', 'awaiting_packing'],
] as const)('%o is paid by %s and starts as %s', async ([payment, payment_status, status], { api }) => {
  expect(await openOrder(api, payment)).toMatchObject({ payment_status, status });
});

describe('a product that has left the inventory', () => {
  test('stays linked to the line of an order that is sent again, with its prescription and its stock', async ({
    api,
  }) => {
    const { p1_id } = await holdProduct(api, { prescription_required: true, stock: 10 });
    const body = orderBody(api, { items: [line(p1_id, 2)] });
    const order = succeeded(await upsert(api, body), 201);
    succeeded(await callApi(api, 'DELETE', `/inventory/${p1_id}`));
    const before = await footprint(api.orgId);
    expect(succeeded(await upsert(api, body)).items).toEqual(order.items);
    expect(await footprint(api.orgId)).toEqual(before);
    expectProblem(await patchOrder(api, order.id, { status: 'awaiting_packing' }), 409, 'prescription_not_approved');
    const more = succeeded(
      await upsert(api, { ...body, items: [line(p1_id, 2), { name: 'Porto', qty: 1, price: 1 }] }),
    );
    expect(more.items).toMatchObject([{ p1_id, prescription_required: true }, { p1_id: null }]);
    const grown = await upsert(api, { ...body, items: [line(p1_id, 3)] });
    expectProblem(grown, 409, 'product_not_in_inventory');
  });

  test('does not lock an order in parts that is sent again', async ({ api }) => {
    const { p1_id } = await holdProduct(api, { stock: 10 });
    const body = orderBody(api, { items: [line(p1_id, 2)] });
    const order = succeeded(await upsert(api, body), 201);
    await setOwed(order.id, 1, '2030-01-01');
    succeeded(await callApi(api, 'DELETE', `/inventory/${p1_id}`));
    expect(succeeded(await upsert(api, body)).items).toMatchObject([{ p1_id, qty: 2 }]);
  });
});

test('a line of a product that is not held requires the prescription that the catalog names, also given back as read', async ({
  api,
}) => {
  const { p1_id } = await importProduct({ prescription_required: true });
  const body = orderBody(api, { items: [line(p1_id, 1)] });
  const order = succeeded(await upsert(api, body), 201);
  expect(order).toMatchObject({
    status: 'awaiting_prescription',
    items: [{ p1_id: null, prescription_required: true }],
  });
  const again = succeeded(await upsert(api, { ...body, address_city: 'Köln', items: order.items }));
  expect(again.items).toEqual(order.items);
  expectProblem(await patchOrder(api, order.id, { status: 'awaiting_packing' }), 409, 'prescription_not_approved');
  expectProblem(await patchOrder(api, order.id, { status: 'ready_pickup' }), 409, 'invalid_transition');
  const id = await openRequest(api, { items: [{ p1_id, quantity: 1, price: 1 }] });
  const { lines } = await getRequest(api, id);
  for (const asRead of [{}, { lines }]) {
    const refused = await approve(api, id, { override_reason: 'Known.', ...asRead });
    expectProblem(refused, 409, 'not_approvable');
    expect(refused.body.blockers).toContainEqual(
      expect.objectContaining({ code: 'prescription_missing', overridable: false }),
    );
  }
});

test('what a shop says of a product holds for its orders', async ({ api, held: { p1_id } }) => {
  await attach(api, p1_id, { prescription_required: true, name: 'Nur auf Rezept' });
  expect(await openOrder(api, { items: [line(p1_id, 1)] })).toMatchObject({
    items: [{ name: 'Nur auf Rezept', prescription_required: true }],
  });
  expect(await openOrder(api, { items: [line(p1_id, 1)], shop_id: api.otherShopId })).toMatchObject({
    items: [{ prescription_required: false }],
  });
});

test('the same content again is 200 with the same order, nothing written or sent', async ({ api, held: { p1_id } }) => {
  const body = orderBody(api, { items: [line(p1_id, 2), { name: 'Beratung', qty: 1, price: 0 }] });
  const order = succeeded(await upsert(api, body), 201);
  const before = await footprint(api.orgId);
  expect(succeeded(await upsert(api, body))).toEqual(order);
  expect(succeeded(await upsert(api, { ...body, customer_name: ' Erika Mustermann ', source: 'other' }))).toEqual(
    order,
  );
  expect(await footprint(api.orgId)).toEqual(before);
  expect(await auditOf(order.id)).toHaveLength(1);
});

const CHANGES: [string, unknown][] = [
  ['customer_name', 'Max Muster'],
  ['customer_email', 'max@example.com'],
  ['address_street', 'Am Markt 2'],
  ['address_city', 'Köln'],
  ['address_postal_code', '50667'],
  ['address_phone', '+49 221 1'],
  ['shipping_option', 'Versand'],
  ['payment_reference', 'TX-2'],
  ['items', [{ name: 'Beratung', qty: 2, price: 4.95 }]],
];

test.for(CHANGES)('another %s is 200 and one order_updated that names it', async ([name, value], { api }) => {
  const body = orderBody(api);
  const { id } = succeeded(await upsert(api, body), 201);
  const happened = await eventsAfter(api.orgId, async () => {
    const order = succeeded(await upsert(api, { ...body, [name]: value }));
    expect(order.id).toBe(id);
    expect(await getOrder(api, id)).toEqual(order);
    expect(JSON.stringify(order)).toContain(typeof value === 'string' ? value : '"qty":2');
  });
  expect(happened).toEqual([{ type: 'order_updated', metadata: { order_id: id, changed_fields: [name] } }]);
  expect((await auditOf(id)).map(({ action, fields }) => [action, fields])).toEqual([
    ['order.created', null],
    ['order.updated', JSON.stringify([name])],
  ]);
});

test('a field that is left out is taken away', async ({ api }) => {
  const body = orderBody(api, { address_city: 'Berlin' });
  const { id } = succeeded(await upsert(api, body), 201);
  succeeded(await upsert(api, { ...body, address_city: undefined }));
  expect((await getOrder(api, id)).address.city).toBeNull();
});

test('how it is paid is set once: a later upsert changes nothing of it', async ({ api }) => {
  const body = orderBody(api, { payment_status: 'pending' });
  const order = succeeded(await upsert(api, body), 201);
  expect(succeeded(await upsert(api, { ...body, payment_status: 'paid' }))).toEqual(order);
});

test('changed lines give back and take by the difference, and the total follows', async ({ api }) => {
  const [more, less, gone, fresh, same] = [
    await holdProduct(api),
    await holdProduct(api),
    await holdProduct(api),
    await holdProduct(api),
    await holdProduct(api),
  ];
  const body = orderBody(api, {
    items: [line(more.p1_id, 1), line(less.p1_id, 5), line(gone.p1_id, 2), line(same.p1_id, 3), line(same.p1_id, 1)],
  });
  const { id } = succeeded(await upsert(api, body), 201);
  const items = [line(more.p1_id, 4), line(less.p1_id, 2), line(fresh.p1_id, 6), line(same.p1_id, 4, 2)];
  expect(succeeded(await upsert(api, { ...body, items })).totals).toMatchObject({ items_amount: 20, total_amount: 20 });
  const ledger = async (p1_id: string) => ({
    deltas: (await orderMovements(api.orgId, p1_id)).map(({ delta }) => delta),
    ...(await stockOf(api.orgId, p1_id)),
  });
  expect(await ledger(more.p1_id)).toEqual({ deltas: [-1, -3], stock: 6, ledger: 6 });
  expect(await ledger(less.p1_id)).toEqual({ deltas: [-5, 3], stock: 8, ledger: 8 });
  expect(await ledger(gone.p1_id)).toEqual({ deltas: [-2, 2], stock: 10, ledger: 10 });
  expect(await ledger(fresh.p1_id)).toEqual({ deltas: [-6], stock: 4, ledger: 4 });
  expect(await ledger(same.p1_id)).toEqual({ deltas: [-4], stock: 6, ledger: 6 });
  succeeded(await patchOrder(api, id, { status: 'cancelled', reason_code: 'test' }));
  for (const { p1_id } of [more, less, gone, fresh, same]) {
    expect(await stockOf(api.orgId, p1_id)).toEqual({ stock: 10, ledger: 10 });
  }
});

test('short stock is 409 and writes nothing: no order, no customer, no other product’s stock', async ({ api }) => {
  const [enough, short] = [await holdProduct(api, { stock: 9 }), await holdProduct(api, { stock: 2 })];
  const before = await footprint(api.orgId);
  const body = orderBody(api, { items: [line(enough.p1_id, 1), line(short.p1_id, 2), line(short.p1_id, 1)] });
  expectProblem(await upsert(api, body), 409, 'insufficient_stock');
  expect(await footprint(api.orgId)).toEqual(before);

  const { id } = succeeded(await upsert(api, { ...body, items: [line(short.p1_id, 2)] }), 201);
  const held = await footprint(api.orgId);
  expectProblem(await upsert(api, { ...body, items: [line(short.p1_id, 3)] }), 409, 'insufficient_stock');
  expect(await footprint(api.orgId)).toEqual(held);
  expect((await getOrder(api, id)).items).toMatchObject([{ qty: 2 }]);
});

test.each(['delivered', 'picked_up', 'returned', 'cancelled'])(
  'an order that is %s is locked: another content is 409, the same one 200',
  async (status) => {
    const api = await openOrganizationApi();
    const body = orderBody(api);
    const { id } = succeeded(await upsert(api, body), 201);
    await setStatus(id, status);
    const before = await footprint(api.orgId);
    expectProblem(await upsert(api, { ...body, customer_name: 'Max' }), 409, 'order_locked');
    expect(succeeded(await upsert(api, body))).toMatchObject({ id, status });
    expect(await footprint(api.orgId)).toEqual(before);
  },
);

test('the lines of an order that is shipped are locked: they are what the prescription covered', async ({ api }) => {
  const free = await holdProduct(api, { stock: 40 });
  const prescribed = await holdProduct(api, { stock: 40, prescription_required: true });
  const body = orderBody(api, { shipping_option: 'Versand', items: [line(free.p1_id, 1)] });
  const { id } = succeeded(await upsert(api, body), 201);
  for (const status of ['ready_shipping', 'shipped']) succeeded(await patchOrder(api, id, { status }));
  const before = await footprint(api.orgId);
  for (const items of [[line(prescribed.p1_id, 30)], [line(free.p1_id, 2)], [line(free.p1_id, 1, 2)]]) {
    expectProblem(await upsert(api, { ...body, items }), 409, 'order_locked');
    expectProblem(await upsert(api, { ...body, items, address_city: 'Köln' }), 409, 'order_locked');
  }
  expect(await footprint(api.orgId)).toEqual(before);
  await attach(api, free.p1_id, { prescription_required: true });
  expect(succeeded(await upsert(api, { ...body, address_city: 'Köln' }))).toMatchObject({
    status: 'shipped',
    address: { city: 'Köln' },
    items: [{ prescription_required: false }],
  });
  succeeded(await patchOrder(api, id, { status: 'delivered' }));
  expect(succeeded(await upsert(api, { ...body, address_city: 'Köln' }))).toMatchObject({ status: 'delivered' });
});

test('the orders of an organization are counted from 1 without a gap, also when several are made at once', async () => {
  const apis = [await openOrganizationApi(), await openOrganizationApi()];
  await Promise.all(
    Array.from({ length: 10 }, (_, index) => apis[index % 2] as OrganizationApi).map(async (api) =>
      succeeded(await upsert(api, orderBody(api)), 201),
    ),
  );
  for (const { orgId } of apis) {
    const numbers = await rows<{ number: number }>('select number from orders where org_id = ? order by number', orgId);
    expect(numbers.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  }
});

test('after its deletion the external_id is free again', async ({ api }) => {
  const body = orderBody(api);
  const { id } = succeeded(await upsert(api, body), 201);
  succeeded(await patchOrder(api, id, { status: 'cancelled', reason_code: 'test' }));
  succeeded(await callApi(api, 'DELETE', `/orders/${id}`));
  expect(succeeded(await upsert(api, body), 201).id).not.toBe(id);
});

test('the external_id is the shop’s: another shop’s order of the same one is another order', async ({ api }) => {
  const body = orderBody(api);
  const here = succeeded(await upsert(api, body), 201);
  const there = succeeded(await upsert(api, { ...body, shop_id: api.otherShopId }), 201);
  expect(there.id).not.toBe(here.id);
  expect(await getOrder(api, here.id)).toEqual(here);
});

describe('what is wrong with an upsert is said', () => {
  test.each<[string, Record<string, unknown>, string, string]>([
    ['neither name nor e-mail', { customer_name: null, customer_email: null }, 'customer_required', ''],
    ['a line without a name', { items: [{ qty: 1, price: 1 }] }, 'item_identity_required', '/items/0'],
    ['101 lines', { items: Array(101).fill({ name: 'a', qty: 1, price: 1 }) }, 'validation_failed', '/items'],
    ['qty 10000', { items: [{ name: 'a', qty: 10_000, price: 1 }] }, 'validation_failed', '/items/0/qty'],
    ['thirds of a cent', { items: [{ name: 'a', qty: 1, price: 0.333 }] }, 'validation_failed', '/items/0/price'],
    ['no external_id', { external_id: ' ' }, 'validation_failed', '/external_id'],
  ])('%s', async (_, members, code, pointer) => {
    const api = await openOrganizationApi();
    const before = await footprint(api.orgId);
    const answer = await upsert(api, orderBody(api, members));
    expectProblem(answer, 400, code);
    expect(answer.body.errors).toContainEqual(expect.objectContaining({ pointer }));
    expect(await footprint(api.orgId)).toEqual(before);
  });

  test('quantity belongs to order requests: the answer says that it is qty here', async ({ api }) => {
    const answer = await upsert(api, orderBody(api, { items: [{ name: 'a', quantity: 1, price: 1 }] }));
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.errors).toEqual([
      { pointer: '/items/0/qty', code: 'required', message: 'Send this field (a number).' },
    ]);
  });
});

describe('at once', () => {
  test('10 upserts of one external_id make one order and take its stock once', async ({ api }) => {
    const { p1_id } = await holdProduct(api, { stock: 10 });
    const body = orderBody(api, { items: [line(p1_id, 3)] });
    const answers = await atOnce(...Array.from({ length: 10 }, () => () => upsert(api, body)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect(await eventsOf(api.orgId, 'order_created')).toHaveLength(1);
    expect(await eventsOf(api.orgId, 'order_updated')).toHaveLength(0);
    expect(await stockOf(api.orgId, p1_id)).toEqual({ stock: 7, ledger: 7 });
    expect(await rows('select id from customers where org_id = ?', api.orgId)).toHaveLength(1);
  });

  test('different lines for one order end as one of them, and the ledger agrees', async ({ api }) => {
    const { p1_id } = await holdProduct(api, { stock: 20 });
    const body = orderBody(api, { items: [line(p1_id, 1)] });
    const { id } = succeeded(await upsert(api, body), 201);
    const answers = await atOnce(...[2, 3, 4].map((qty) => () => upsert(api, { ...body, items: [line(p1_id, qty)] })));
    for (const answer of answers) succeeded(answer);
    const [item] = (await getOrder(api, id)).items;
    expect([2, 3, 4]).toContain(item.qty);
    expect(await stockOf(api.orgId, p1_id)).toEqual({ stock: 20 - item.qty, ledger: 20 - item.qty });
    expect(await eventsOf(api.orgId, 'order_updated')).toHaveLength(3);
  });

  test('two orders of one new person share one customer', async ({ api }) => {
    const orders = await atOnce(
      () => openOrder(api, { customer_email: 'neu@example.com' }),
      () => openOrder(api, { customer_email: 'NEU@example.com' }),
    );
    expect(new Set(orders.map(({ customer }) => customer.id)).size).toBe(1);
    expect(await rows('select email from customers where org_id = ?', api.orgId)).toEqual([
      { email: 'neu@example.com' },
    ]);
  });
});
