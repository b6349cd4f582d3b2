import { newApiKey } from '../../src/auth/keys/format';
import { newId } from '../../src/platform/ids';
import { ask, freshHost } from '../support/operator';
import { callApi, createKey, importProduct, succeeded } from '../support/organization';
import { accepted, problemOf } from '../support/probe';
import { rowOf } from '../support/rows';
import { IBAN } from '../support/seller';
import { expect, test } from '../support/test';
import { openTestOf, openTestPharmacy } from '../support/test-organization';
import {
  BASE,
  call,
  envelope,
  everywhere,
  OPERATOR_TOKEN,
  openPharmacy,
  operate,
  rows,
  submit,
} from '../support/world';

const testsOf = (orgId: string) =>
  everywhere<{ id: string }>('select id from organizations where counterpart_id = ? and is_test = 1', orgId);

test('a test organization has the settings of the live one, a shop below the base host and a demo assortment', async ({
  seller,
}) => {
  await importProduct();
  await operate(`/organizations/${seller.orgId}`, { prescription_valid_days: 30, low_stock_threshold: 7 }, 'PATCH');
  const made = await openTestPharmacy(seller.orgId);
  expect(await rowOf('organizations', { id: made.orgId })).toMatchObject({
    name: 'TEST Löwen-Apotheke',
    is_test: 1,
    counterpart_id: seller.orgId,
    prescription_valid_days: 30,
    low_stock_threshold: 7,
    // Nobody is paid by it.
    iban: IBAN,
    payment_recipient: 'TEST',
  });
  expect(made.host).toMatch(/^test-[0-9a-z]{12}\.localhost$/);
  const query = { shop_id: made.shopId };
  const { data } = succeeded(
    await callApi<{ data: { stock_quantity: number }[] }>(made, 'GET', '/products', { query }),
  );
  expect(data.length).toBeGreaterThan(0);
  expect(data.map(({ stock_quantity }) => stock_quantity)).toEqual(data.map(() => 100));
});

test('it holds what the live one holds, at its price, and else products of the catalog', async ({ api }) => {
  const { p1_id } = await importProduct();
  const free = await importProduct();
  succeeded(
    await callApi(api, 'POST', '/products/add-to-inventory', { body: { p1_id, price: 12.34, initial_stock: 3 } }),
    201,
  );
  const made = await openTestPharmacy(api.orgId);
  const held = await rows('select p1_id, price_cents, stock_quantity from inventory where org_id = ?', made.orgId);
  expect(held).toContainEqual({ p1_id, price_cents: 1234, stock_quantity: 100 });
  expect(held.length).toBeLessThanOrEqual(50);
  if (held.length < 50) expect(held).toContainEqual({ p1_id: free.p1_id, price_cents: null, stock_quantity: 100 });
});

test('a second call gives the one that is there', async ({ orgId }) => {
  const first = await ask(`/organizations/${orgId}/test`, {});
  const again = await ask(`/organizations/${orgId}/test`, {});
  expect([first.status, again.status]).toEqual([201, 200]);
  const made = await first.json<{ org_id: string }>();
  expect(made).toEqual({ org_id: expect.any(String), is_test: true });
  expect(await again.json()).toEqual(made);
});

test.for([0, 1])('many calls at once make one, on database %i', async (shard) => {
  const { orgId } = await openPharmacy(shard);
  const ids = await Promise.all(Array.from({ length: 6 }, () => openTestOf(orgId)));
  expect(new Set(ids).size).toBe(1);
  expect(await testsOf(orgId)).toEqual([{ id: ids[0] }]);
  const { host } = await openTestPharmacy(orgId, shard);
  expect(host).toMatch(/^test-/);
});

test('a test organization has none of its own', async ({ orgId }) => {
  const testId = await openTestOf(orgId);
  await problemOf(await ask(`/organizations/${testId}/test`, {}), 409, 'conflict');
  await problemOf(await ask(`/organizations/${newId()}/test`, {}), 404, 'organization_not_found');
});

test('the database refuses a second one, and one of nobody', async ({ orgId }) => {
  await openTestOf(orgId);
  const insert = (counterpart: string | null) =>
    rows(
      `insert into organizations (id, name, is_test, counterpart_id, low_stock_threshold, request_retention_days,
        order_retention_days, created_at, updated_at) values (?, 'x', 1, ?, 5, 90, 2000, 1, 1)`,
      newId(),
      counterpart,
    );
  await expect(insert(orgId)).rejects.toThrow(/UNIQUE/);
  await expect(insert(null)).rejects.toThrow(/CHECK/);
});

test('its keys begin with ofz_test_, rotated ones too, and those of live organizations do not', async ({ orgId }) => {
  const testId = await openTestOf(orgId);
  const [inTest, live] = [await createKey(testId, ['products.read']), await createKey(orgId, ['products.read'])];
  expect(inTest.apiKey).toMatch(/^ofz_test_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
  expect(live.apiKey).toMatch(/^ofz_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
  expect(newApiKey(true).key).toMatch(/^ofz_test_/);
});

test('it takes order requests on its own address, as a live one does', async ({ pharmacy }) => {
  const made = await openTestPharmacy(pharmacy.orgId);
  const { id } = await accepted(await submit(made, envelope()));
  expect(await rowOf('order_requests', { id })).toMatchObject({ org_id: made.orgId });
});

test('every shop of it gets an address below the base host', async ({ orgId }) => {
  const testId = await openTestOf(orgId);
  const own = freshHost();
  const { shop_id } = await operate(`/organizations/${testId}/shops`, { name: 'Zweiter', hosts: [own] });
  const hosts = await rows<{ host: string }>(
    'select host from shop_hosts where shop_id = ? order by created_at',
    shop_id,
  );
  expect(hosts.map(({ host }) => host)).toEqual(expect.arrayContaining([own, expect.stringMatching(/^test-/)]));
  const live = await operate(`/organizations/${orgId}/shops`, { name: 'Zweiter', hosts: [] });
  expect(await rows('select host from shop_hosts where shop_id = ?', live.shop_id)).toEqual([]);
});

test('the operator sees which organization is a test', async ({ pharmacy: { orgId } }) => {
  const testId = await openTestOf(orgId);
  for (const [id, isTest] of [
    [orgId, false],
    [testId, true],
  ] as const) {
    const response = await ask(`/organizations/${id}`, { low_stock_threshold: 3 }, { method: 'PATCH' });
    expect(await response.json()).toEqual({ org_id: id, is_test: isTest });
  }
});

test('the number of organizations in /readyz leaves test organizations out', async () => {
  const organizations = async () => {
    const response = await call(`${BASE}/readyz`, { headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` } });
    const { databases } = await response.json<{ databases: { organizations: number }[] }>();
    return databases.map((database) => database.organizations);
  };
  const { orgId } = await openPharmacy();
  const before = await organizations();
  await openTestOf(orgId);
  expect(await organizations()).toEqual(before);
});
