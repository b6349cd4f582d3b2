import { readReview } from '../../src/order-requests/inbox/inbox';
import { approve, itemOf, openRequest, orderBody, reject, staffContext, upsert } from '../support/order-flow';
import { holdProduct, type OrganizationApi, openOrganizationApi, succeeded } from '../support/organization';
import { expect, test } from '../support/test';

const ERIKA = { customer_name: 'Erika Muster', customer_email: 'erika@example.com', address_phone: '+49 30 12-34' };

async function stripOf(api: OrganizationApi, person: Record<string, unknown>) {
  const id = await openRequest(api, person);
  return { id, ...(await readReview(staffContext(api.orgId).ctx, id)).person };
}

async function ordered(api: OrganizationApi, person: Record<string, unknown>): Promise<string> {
  const product = await holdProduct(api, { stock: 9 });
  const id = await openRequest(api, { ...person, items: [itemOf(product, 1)] });
  return succeeded(await approve(api, id)).order_id;
}

test('a first order is just that', async ({ api }) => {
  const { id: _, ...strip } = await stripOf(api, ERIKA);
  expect(strip).toEqual({ orders: [], requests: [], isMore: false, foundBy: null, possibleDuplicateId: null });
});

test('who ordered before is found by e-mail, with orders and rejected requests', async ({ api }) => {
  const orderId = await ordered(api, ERIKA);
  const rejectedId = await openRequest(api, { ...ERIKA, customer_email: 'ERIKA@example.com' });
  succeeded(await reject(api, rejectedId));
  const strip = await stripOf(api, { customer_name: 'Anders', customer_email: 'Erika@Example.com' });
  expect(strip).toMatchObject({
    foundBy: 'email',
    orders: [{ id: orderId, number: 1, status: 'awaiting_packing' }],
    requests: [{ id: rejectedId, status: 'rejected' }],
  });
});

test('else by name and telephone number together, however written, also of orders from elsewhere', async ({ api }) => {
  const { customer_email: _, ...nameAndPhone } = ERIKA;
  const { id } = succeeded(
    await upsert(api, orderBody(api, { ...nameAndPhone, customer_email: null, address_phone: '030/1234' })),
    201,
  );
  const strip = await stripOf(api, {
    ...nameAndPhone,
    customer_name: 'ERIKA muster',
    customer_email: 'neu@example.com',
  });
  expect(strip).toMatchObject({ foundBy: 'name_and_phone', orders: [{ id }] });
  for (const other of [{ address_phone: '030 9999' }, { address_phone: undefined }, { customer_name: 'Erik Muster' }]) {
    const found = await stripOf(api, { ...ERIKA, customer_email: 'neu2@example.com', ...other });
    expect(found, JSON.stringify(other)).toMatchObject({ foundBy: null, orders: [] });
  }
});

test.for<[[string, string], [string, string]]>([
  [
    ['Käthe Öztürk', '030 765 43 21'],
    ['KÄTHE  ÖZTÜRK', '030/7654321'],
  ],
  [
    ['Käthe Öztürk', '030 765 43 21'],
    ['Kaethe Oeztuerk', '+49 30 7654321'],
  ],
  [
    ['Jürgen Kaßmöller', '030 1112233'],
    ['Jürgen Kaßmöller'.normalize('NFD'), '030 1112233'],
  ],
  [
    ['Bernd Brot', '+49 (0)30 2223344'],
    ['Bernd Brot', '030 222 33 44'],
  ],
  [
    ['Carla Cent', '0049 30 3334455'],
    ['Carla Cent', '030 333 44 55'],
  ],
])('%j is found as %j, and the other way round', async (pair, { api }) => {
  for (const [[before, beforeAt], [now, nowAt]] of [pair, pair.toReversed() as typeof pair]) {
    const tag = ` ${before.length}${beforeAt.length}${now.length}${nowAt.length}`;
    const order = { customer_name: before + tag, customer_email: null, address_phone: beforeAt };
    const { id } = succeeded(await upsert(api, orderBody(api, order)), 201);
    const strip = await stripOf(api, { customer_name: now + tag, customer_email: undefined, address_phone: nowAt });
    expect(strip).toMatchObject({ foundBy: 'name_and_phone', orders: [{ id }] });
  }
});

test('nobody is found in another organization', async ({ api }) => {
  await ordered(await openOrganizationApi(), ERIKA);
  expect(await stripOf(api, ERIKA)).toMatchObject({ foundBy: null, orders: [], requests: [] });
});

test('a possible duplicate is named by its id', async ({ api }) => {
  const first = await openRequest(api, ERIKA);
  expect(await stripOf(api, ERIKA)).toMatchObject({ possibleDuplicateId: first });
});
