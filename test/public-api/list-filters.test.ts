import { EVENT_TYPES } from '../../src/webhooks/event-types';
import { openApi, operationsOf } from '../support/contract';
import { approve, openApprovable, openOrder, openRequest, patchOrder, reject, setStatus } from '../support/order-flow';
import {
  type Answer,
  attachNewProduct,
  callApi,
  expectProblem,
  type OrganizationApi,
  succeeded,
  tokenFor,
} from '../support/organization';
import { ask } from '../support/platform';
import { describe, expect, test } from '../support/test';
import { newReceiverUrl } from '../support/webhooks';
import { envelope, operate, rows, subscribe } from '../support/world';

type Query = Record<string, string | number>;

/** The ids of all pages. */
async function idsOf(api: OrganizationApi, path: string, query: Query = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Answer = await callApi(api, 'GET', path, { query: { ...query, ...(cursor && { cursor }) } });
    const { data, next_cursor } = succeeded(page);
    ids.push(...data.map(({ id }: { id: string }) => id));
    cursor = next_cursor as string | null;
  }
  return ids;
}

const iso = (at: number) => new Date(at).toISOString();

describe('orders', () => {
  test('of several statuses and payments, of a shop, together', async ({ api }) => {
    const paid = await openOrder(api, { payment_status: 'paid' });
    const cash = await openOrder(api, { payment_status: 'cash_on_pickup', shop_id: api.otherShopId });
    const open = await openOrder(api, { payment_status: 'pending' });
    await setStatus(cash.id, 'ready_pickup');
    const all = [open.id, cash.id, paid.id];
    const ask = (query: Query) => idsOf(api, '/orders', query);
    expect(await ask({})).toEqual(all);
    expect(await ask({ status: 'awaiting_packing,ready_pickup' })).toEqual([cash.id, paid.id]);
    expect(await ask({ status: 'awaiting_payment' })).toEqual([open.id]);
    expect(await ask({ payment_status: 'pending,cash_on_pickup' })).toEqual([open.id, cash.id]);
    expect(await ask({ payment_status: 'paid', status: 'awaiting_packing,shipped', limit: 1 })).toEqual([paid.id]);
    expect(await ask({ payment_status: 'paid', shop_id: api.otherShopId })).toEqual([]);
    expect(await ask({ status: 'ready_pickup,shipped', shop_id: api.otherShopId })).toEqual([cash.id]);
    expect(await ask({ payment_status: 'refunded' })).toEqual([]);
    expect(await ask({ external_id: paid.external_id, payment_status: 'pending' })).toEqual([]);
    expect(await ask({ external_id: paid.external_id, status: 'awaiting_packing' })).toEqual([paid.id]);
    const green = await openOrder(api, { external_id: 'Grün' });
    expect(await ask({ external_id: green.external_id.normalize('NFD') })).toEqual([green.id]);
  });

  test('of a period, to the millisecond: neither end belongs to it', async ({ api }) => {
    const orders = [await openOrder(api), await openOrder(api), await openOrder(api)];
    const [first, second, third] = orders.map(({ created_at }) => Date.parse(created_at)) as [number, number, number];
    const made = (after: number, before: number) =>
      orders
        .filter(({ created_at }) => Date.parse(created_at) > after && Date.parse(created_at) < before)
        .map(({ id }) => id)
        .toReversed();
    for (const [after, before] of [
      [first - 1, third + 1],
      [first, third],
      [second - 1, second + 1],
      [third, third + 60_000],
      [first - 3_600_000, first],
    ] as const) {
      const query = { created_after: iso(after), created_before: iso(before) };
      expect(await idsOf(api, '/orders', query)).toEqual(made(after, before));
      expect(await idsOf(api, '/orders', { ...query, payment_status: 'cash_on_pickup', limit: 1 })).toEqual(
        made(after, before),
      );
      expect(await idsOf(api, '/orders', { ...query, status: 'awaiting_packing' })).toEqual(made(after, before));
    }
    expect(await idsOf(api, '/orders', { created_after: iso(third) })).toEqual([]);
    expect(await idsOf(api, '/orders', { created_before: iso(first) })).toEqual([]);
  });

  test('of the request with a reference, and of none of another organization', async ({ api, seller }) => {
    const { id } = await openApprovable(api, { rest: { external_reference: ' RX-7 ' } });
    const { order_id } = succeeded(await approve(api, id));
    const other = await openApprovable(seller, { rest: { external_reference: 'RX-7' } });
    succeeded(await approve(seller, other.id));
    expect(await idsOf(api, '/orders', { external_reference: 'RX-7' })).toEqual([order_id]);
    expect(await idsOf(api, '/orders', { external_reference: 'RX-7', payment_status: 'paid' })).toEqual([]);
    expect(await idsOf(api, '/orders', { external_reference: 'RX-8' })).toEqual([]);
  });

  test('have the numbers that people say', async ({ api }) => {
    const numbers = [(await openOrder(api)).number, (await openOrder(api)).number];
    expect(numbers).toEqual([1, 2]);
  });

  test('no payment is missed behind so many others that a page does not look through them all', async ({ api }) => {
    const { id } = await openOrder(api, { payment_status: 'paid' });
    const columns = Object.keys((await rows<object>('select * from orders where id = ?', id))[0] ?? {});
    const others = columns.filter(
      (name) => !['id', 'number', 'change_number', 'external_id', 'payment_status'].includes(name),
    );
    await rows(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1200)
       insert into orders (id, number, change_number, payment_status, ${others.join(', ')})
       select substr(id, 1, 24) || printf('%012x', i), number + i, change_number + i, 'pending', ${others.join(', ')}
       from orders, n where orders.id = ? and i <> 600`,
      id,
    );
    expect(await idsOf(api, '/orders', { payment_status: 'paid' })).toEqual([id]);
    expect(await idsOf(api, '/orders', { payment_status: 'paid', status: 'awaiting_packing,shipped' })).toEqual([id]);
    expect(await idsOf(api, '/orders', { payment_status: 'paid', updated_after: iso(0) })).toEqual([id]);
    expect(await idsOf(api, '/orders', { payment_status: 'pending', limit: 200 })).toHaveLength(1_199);
  });
});

describe('order requests', () => {
  test('of statuses, payments, a shop and a period', async ({ api }) => {
    const paid = await openRequest(api, { payment_status: 'paid' });
    const cash = await openRequest(api, {}, { shop_id: api.otherShopId });
    const rejected = await openRequest(api, { payment_status: 'pending' });
    succeeded(await reject(api, rejected));
    const ask = (query: Query) => idsOf(api, '/order-requests', query);
    expect(await ask({})).toEqual([cash, paid]);
    expect(await ask({ status: 'all' })).toEqual([rejected, cash, paid]);
    expect(await ask({ status: 'pending,rejected', payment_status: 'pending,paid' })).toEqual([rejected, paid]);
    expect(await ask({ payment_status: 'paid', limit: 1 })).toEqual([paid]);
    expect(await ask({ payment_status: 'paid', shop_id: api.otherShopId })).toEqual([]);
    const [row] = await rows<{ created_at: number }>('select created_at from order_requests where id = ?', paid);
    const at = row?.created_at ?? 0;
    expect(await ask({ created_before: iso(at) })).toEqual([]);
    expect(await ask({ created_before: iso(at + 1) })).toContain(paid);
    expect(await ask({ created_after: iso(at), status: 'all' })).not.toContain(paid);
    expect(await ask({ created_after: iso(at - 1), payment_status: 'paid' })).toEqual([paid]);
  });

  test('with a reference are found in every status, and its blanks do not matter', async ({ api }) => {
    const id = await openRequest(api, {}, { external_reference: 'RX-9' });
    succeeded(await reject(api, id));
    expect(await idsOf(api, '/order-requests', { external_reference: ' RX-9 ' })).toEqual([id]);
    expect(await idsOf(api, '/order-requests', { external_reference: 'RX-9', payment_status: 'paid' })).toEqual([]);
  });
});

describe('what is not taken', () => {
  test.for<[string, Query, string]>([
    ['/orders', { status: 'shiped' }, '/status'],
    ['/orders', { status: 'all' }, '/status'],
    ['/orders', { payment_status: 'paid,' }, '/payment_status'],
    ['/orders', { created_after: '2026-11-01' }, '/created_after'],
    ['/orders', { updated_after: 'yesterday' }, '/updated_after'],
    ['/order-requests', { payment_status: 'refunded' }, '/payment_status'],
    ['/order-requests', { updated_after: '' }, '/updated_after'],
  ])('%s with %j', async ([path, query, pointer], { api }) => {
    const answer = await callApi(api, 'GET', path, { query });
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ pointer }]);
  });

  test.for(['2026-11-01', '2026-11-20T09:30:00', '2026-11-20T09:30:00 01:00'])(
    'the time %s is refused with a right one',
    async (created_after, { api }) => {
      const answer = await callApi(api, 'GET', '/orders', { query: { created_after } });
      const message = expect.stringMatching(/with an offset, such as 2026-11-20T09:30:00Z .*%2B/);
      expect(answer.body.errors).toMatchObject([{ pointer: '/created_after', code: 'invalid_format', message }]);
    },
  );

  test('a cursor of a list by age does not begin one by change', async ({ api }) => {
    const orders = [await openOrder(api), await openOrder(api)];
    const { next_cursor } = succeeded(await callApi(api, 'GET', '/orders', { query: { limit: 1 } }));
    const query = { cursor: next_cursor, updated_after: iso(0) };
    const answer = await callApi(api, 'GET', '/orders', { query });
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ pointer: '/cursor' }]);
    await patchOrder(api, orders[0]?.id ?? '', { note: 'x' });
  });
});

test('a shop is told with its address and what it ships by', async ({ api }) => {
  const { data } = succeeded(await callApi(api, 'GET', '/shops'));
  expect(data).toMatchObject([
    { name: 'Mitte', is_active: true, shipping_options: ['Abholung', 'Versand', 'Express', 'Lieferdienst'] },
    { name: 'Nord' },
  ]);
  for (const { url } of data) expect(url).toMatch(/^http:\/\/rx-[0-9a-f-]+\.localhost(?::\d+)?$/);
  await rows('delete from shop_hosts where shop_id = ?', api.otherShopId);
  const [, nord] = succeeded(await callApi(api, 'GET', '/shops')).data;
  expect(nord).toMatchObject({ name: 'Nord', url: null });
});

describe('a customer by e-mail', () => {
  const find = (api: OrganizationApi, email: string) => callApi(api, 'GET', '/customers', { query: { email } });

  test('is found whatever its case, with the number of orders; nobody else is', async ({ api, seller }) => {
    const members = { customer_email: 'Frieda@Example.com', customer_name: 'Frieda Müller' };
    const order = await openOrder(api, members);
    const second = await openOrder(api, members);
    await openOrder(seller, members);
    const { data, next_cursor } = succeeded(await find(api, ' frieda@EXAMPLE.com '));
    expect(data).toMatchObject([
      { id: order.customer.id, name: 'Frieda Müller', email: 'frieda@example.com', orders: 2 },
    ]);
    expect(Object.keys(data[0])).toEqual(['id', 'name', 'email', 'created_at', 'orders']);
    expect(next_cursor).toBeNull();
    succeeded(await patchOrder(api, second.id, { status: 'cancelled', reason_code: 'test' }));
    succeeded(await callApi(api, 'DELETE', `/orders/${second.id}`));
    expect(succeeded(await find(api, 'frieda@example.com')).data).toMatchObject([{ orders: 1 }]);
    expect(succeeded(await find(api, 'frieda@example')).data).toEqual([]);
  });

  test('is not found once erased, and not without an address', async ({ api }) => {
    const order = await openOrder(api, { customer_email: 'frieda@example.com' });
    succeeded(await patchOrder(api, order.id, { status: 'cancelled', reason_code: 'test' }));
    succeeded(await callApi(api, 'DELETE', `/customers/${order.customer.id}`));
    expect(succeeded(await find(api, 'frieda@example.com')).data).toEqual([]);
    expectProblem(await callApi(api, 'GET', '/customers'), 400, 'validation_failed');
    expectProblem(await find(api, ''), 400, 'validation_failed');
  });
});

/** The values of a parameter that takes several by comma, which its pattern lists. */
function severalIn(schema: { pattern?: string }): string[] {
  return /\(([\w|]+)\)\(,/.exec(schema.pattern ?? '')?.[1]?.split('|') ?? [];
}

test('every list parameter of every call takes each number of its values, up to all of them', async ({ api }) => {
  const { subscriptionId } = await subscribe(api.orgId, newReceiverUrl(), [...EVENT_TYPES]);
  const asked: string[] = [];
  for (const [operation, { parameters = [] }] of operationsOf(await openApi())) {
    const [method = '', path = ''] = operation.split(' ');
    for (const { name, schema } of parameters as unknown as { name: string; schema: { pattern?: string } }[]) {
      const values = severalIn(schema);
      if (values.length > 0) asked.push(`${path.split('/').at(-1)} ${name}`);
      for (const count of values.keys()) {
        const forms: Record<string, string>[] = path.endsWith('/deliveries')
          ? [{}, { subscription_id: subscriptionId }]
          : [{}];
        for (const of of forms) {
          const query = { ...of, [name]: values.slice(0, count + 1).join() };
          const answer = await callApi(api, method, path.replace('/api/v2/public/orgs/{orgId}', ''), { query });
          expect({ path, query, status: answer.status }).toMatchObject({ status: 200 });
        }
      }
    }
  }
  expect(asked).toEqual(expect.arrayContaining(['orders status', 'events event_type', 'deliveries event_type']));
});

test('a shop or subscription that is not the organization’s is 404, an empty value is 400', async ({
  api,
  pharmacy,
}) => {
  const lists = ['/orders', '/order-requests'] as const;
  for (const path of lists) {
    for (const shop_id of ['nope', pharmacy.shopId]) {
      const queries: Query[] = [{ shop_id }, { shop_id, updated_after: '2020-01-01T00:00:00Z' }];
      for (const query of queries) {
        expectProblem(await callApi(api, 'GET', path, { query }), 404, 'shop_not_found');
      }
    }
    expectProblem(await callApi(api, 'GET', path, { query: { external_reference: '' } }), 400, 'validation_failed');
  }
  expectProblem(await callApi(api, 'GET', '/orders', { query: { external_id: '' } }), 400, 'validation_failed');
});

test('a product id of the catalog keeps its case, also where it looks like a UUID', async ({ seller }) => {
  const p1_id = crypto.randomUUID().toUpperCase();
  await attachNewProduct(seller, { p1_id });
  const query = { shop_id: seller.shopId };
  expect(succeeded(await callApi(seller, 'GET', `/products/${p1_id}`, { query })).p1_id).toBe(p1_id);
  expect((await callApi(seller, 'GET', `/products/${p1_id.toLowerCase()}`, { query })).status).toBe(404);
});

test('a UUID means the same in upper case, wherever it comes in', async ({ seller }) => {
  const order = await openOrder(seller);
  const requestId = await openRequest(seller);
  const up = (id: string) => id.toUpperCase();
  const at = { ...seller, orgId: up(seller.orgId) };
  const [event] = await rows<{ id: string }>('select id from events where org_id = ?', seller.orgId);
  for (const [path, query] of [
    ['/orders', { shop_id: up(seller.shopId) }],
    ['/order-requests', { shop_id: up(seller.shopId) }],
    [`/orders/${up(order.id)}`, {}],
    [`/order-requests/${up(requestId)}`, {}],
    ['/products', { shop_id: up(seller.shopId) }],
    ['/webhooks/deliveries', { event_id: up(event?.id ?? '') }],
  ] as const) {
    const lower = JSON.parse(JSON.stringify([path, query]).toLowerCase()) as [string, Query];
    const expected = succeeded(await callApi(seller, 'GET', lower[0], { query: lower[1] }));
    expect([path, succeeded(await callApi(at, 'GET', path, { query }))]).toEqual([path, expected]);
  }
  await operate(`/organizations/${up(seller.orgId)}/shops/${up(seller.shopId)}`, { name: 'Laden' }, 'PATCH');
  expect(await tokenFor({ ...seller, orgId: up(seller.orgId) })).toContain('.');
  const body = envelope({ external_reference: 'upper' });
  const sent = await ask(seller, 'POST', '/external-order', { body: { ...body, org_id: up(seller.orgId) } });
  expect(sent.status).toBe(200);
  expect(succeeded(await ask(seller, 'GET', `/external-order/${up(sent.body.id)}`)).id).toBe(sent.body.id);
});
