import {
  attachNewProduct,
  callApi,
  holdProduct,
  importFile,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { rounds } from '../support/rounds';
import { seeded } from '../support/seeded';
import { expect, test } from '../support/test';
import { operate, rows } from '../support/world';

/** What triggers keep beside the products, so that lists and searches need not read all of them. */

async function foundBy(api: OrganizationApi, q: string): Promise<string[]> {
  const { data } = succeeded(await callApi(api, 'GET', '/products', { query: { shop_id: api.shopId, q } }));
  return data.map(({ p1_id }: { p1_id: string }) => p1_id);
}

test('a search finds a product by the name that the shop shows now, whoever changed it', async ({ api }) => {
  const product = await attachNewProduct(api, { name: 'Zinksalbe "Löwe" 5 %' });
  const { p1_id } = product;
  const listing = { shop_id: api.shopId, p1_id };
  const isFound = async (...texts: string[]) => {
    for (const text of texts) expect([text, await foundBy(api, text)]).toEqual([text, [p1_id]]);
  };
  const isLost = async (text: string) => expect([text, await foundBy(api, text)]).toEqual([text, []]);
  await isFound('salbe', '"lowe"', p1_id.toUpperCase(), '5 %');
  await isLost('nirgends');

  expect((await importFile(JSON.stringify({ ...product, name: 'Kühlpaste' }))).status).toBe(200);
  await isFound('kuhlpaste');
  await isLost('zinksalbe');

  succeeded(await callApi(api, 'PUT', `/products/${p1_id}`, { body: { name: 'Hausmarke' } }));
  await isFound('hausmarke');
  await isLost('kuhlpaste');

  const renamed = { ...listing, overrides: { name: 'Nachtcreme' } };
  succeeded(await callApi(api, 'POST', '/shops/product-overrides', { body: renamed }));
  await isFound('nachtcreme');
  await isLost('hausmarke');

  succeeded(
    await callApi(api, 'POST', '/shops/product-overrides', { body: { ...listing, overrides: { name: null } } }),
  );
  succeeded(await callApi(api, 'PUT', `/products/${p1_id}`, { body: { name: null } }));
  await isFound('kuhlpaste');
  await isLost('nachtcreme');

  succeeded(await callApi(api, 'DELETE', `/inventory/${p1_id}`));
  await isLost('kuhlpaste');
  const lists = JSON.stringify([api.orgId, api.shopId]);
  expect(await rows('select * from product_blocks where list_id in (select value from json_each(?))', lists)).toEqual(
    [],
  );
});

test('a product is short while its stock is zero or below the threshold that applies', async () => {
  const api = await openOrganizationApi({ low_stock_threshold: 5 });
  const { p1_id } = await holdProduct(api, { stock: 10 });
  const none = await holdProduct(api, { stock: 0 });
  const isShort = async (of = p1_id) => {
    const [row] = await rows('select is_short from inventory where org_id = ? and p1_id = ?', api.orgId, of);
    return row?.is_short === 1;
  };
  const set = async (body: Record<string, unknown>) =>
    succeeded(await callApi(api, 'PATCH', `/inventory/${p1_id}`, { body }));
  expect([await isShort(), await isShort(none.p1_id)]).toEqual([false, true]);
  const steps: [Record<string, unknown>, boolean][] = [
    [{ stock_quantity: 5 }, false],
    [{ delta: -1 }, true],
    [{ low_stock_threshold: 4 }, false],
    [{ stock_quantity: 0, low_stock_threshold: 0 }, true],
    [{ stock_quantity: 1 }, false],
    [{ low_stock_threshold: null }, true],
  ];
  for (const [body, expected] of steps) {
    await set(body);
    expect([body, await isShort()]).toEqual([body, expected]);
  }
  await operate(`/organizations/${api.orgId}`, { low_stock_threshold: 1 }, 'PATCH');
  expect([await isShort(), await isShort(none.p1_id)]).toEqual([false, true]);
});

/** Ids of which some need escapes in JSON, and whose order is not that in which they are made. */
const oddId = (run: string, n: number) => `${run}-${(n * 7919) % 1_000}${['', '"', '\\', '[1]', 'Ü', '.$'][n % 6]}`;

test.each(rounds([1], [1, 2, 3, 4]))('blocks hold what a recount finds, however products change (%i)', async (seed) => {
  const random = seeded(seed);
  const api = await openOrganizationApi();
  const { orgId, shopId } = api;
  const ids = Array.from({ length: rounds(400, 900) }, (_, n) => oddId(orgId.slice(-6), n));
  const some = (share: number) => JSON.stringify(ids.filter(() => random() < share));
  await rows(
    `insert into catalog_products (p1_id, name, name_folded, slug, category, price_cents, prescription_required, created_at, updated_at)
       select value, 'P', 'produkt ' || key, ?2 || '-' || key, 'K' || (key % 10), 100, 0, 0, 0 from json_each(?1)`,
    JSON.stringify(ids),
    orgId,
  );
  const hold = (list: string) =>
    rows(
      `insert or ignore into inventory (org_id, p1_id, stock_quantity, created_at, updated_at) select ?, value, 1, 0, 0 from json_each(?)`,
      orgId,
      list,
    );
  const attach = (list: string) =>
    rows(
      `insert or ignore into listings (shop_id, p1_id, org_id, overrides, attached_at, updated_at)
         select ?1, p1_id, ?2, iif(length(p1_id) % 2, '{"category":"K3"}', '{}'), 0, 0 from inventory
         where org_id = ?2 and p1_id in (select value from json_each(?3))`,
      shopId,
      orgId,
      list,
    );
  const isListed = 'p1_id in (select value from json_each(?))';
  const ofShop = `shop_id = ? and ${isListed}`;
  const ofOrganization = `org_id = ? and ${isListed}`;
  const steps: ((list: string) => Promise<unknown>)[] = [
    attach,
    attach,
    (list) => rows(`delete from listings where ${ofShop}`, shopId, list),
    (list) => rows(`update listings set overrides = '{"available":false}' where ${ofShop}`, shopId, list),
    (list) => rows(`update listings set name_folded = 'anders' where ${ofShop}`, shopId, list),
    (list) => rows(`update inventory set category = 'K3' where ${ofOrganization}`, orgId, list),
    (list) => rows(`update inventory set available = 0 where ${ofOrganization}`, orgId, list),
    (list) => rows(`update inventory set name_folded = 'hausmarke' where ${ofOrganization}`, orgId, list),
    (list) => rows(`update catalog_products set name_folded = name_folded || ' neu' where ${isListed}`, list),
    (list) => rows(`update catalog_products set category = 'K1' where ${isListed}`, list),
    async (list) => {
      await rows(`delete from listings where ${ofOrganization}`, orgId, list);
      await rows(`delete from inventory where ${ofOrganization}`, orgId, list);
    },
    hold,
  ];
  await hold(JSON.stringify(ids));
  await attach(JSON.stringify(ids));
  expect(await blockFaults()).toEqual([]);
  for (let step = 0; step < rounds(15, 30); step += 1) {
    const change = steps[Math.floor(random() * steps.length)];
    await change?.(some(random() ** 2));
    expect([step, await blockFaults()]).toEqual([step, []]);
    await expectPages(api, random);
  }
  await rows('delete from listings where shop_id = ?', shopId);
  expect(await rows('select 1 from product_blocks where list_id = ?', shopId)).toEqual([]);
  expect((await list(api, { page: 2, q: 'produkt' })).body).toMatchObject({ data: [], pagination: { total: 0 } });
});

/** Where blocks are other than the products themselves say, or not in order. */
function blockFaults(): Promise<unknown[]> {
  const held = 'select list_id, key as p1_id, value as entry from product_blocks, json_each(entries)';
  return rows(
    `select 'lacks' as fault, p1_id from (select * from product_entries except ${held})
     union all select 'has', p1_id from (${held} except select * from product_entries)
     union all select 'count', first_p1_id from (select *, lead(first_p1_id) over (partition by list_id order by first_p1_id) as next from product_blocks)
     where product_count not between 1 and 256 or product_count <> (select count(*) from json_each(entries))
       or exists (select 1 from json_each(entries) where key < first_p1_id or key >= next)`,
  );
}

const list = (api: OrganizationApi, query: Record<string, unknown>) =>
  callApi(api, 'GET', '/products', { query: { shop_id: api.shopId, limit: 20, ...query } });

/** A page of some filter is what the layers themselves say. */
async function expectPages(api: OrganizationApi, random: () => number): Promise<void> {
  const page = 1 + Math.floor(random() * 40);
  const filters: [Record<string, unknown>, string][] = [
    [{}, 'true'],
    [{ q: 'produkt' }, `instr(entry ->> 0, 'produkt') > 0`],
    [{ category: 'K3' }, `entry ->> 1 = 'K3'`],
    [{ available: false }, 'entry ->> 2 = 0'],
    [{ q: 'hausmarke', available: true }, `entry ->> 0 = 'hausmarke' and entry ->> 2 = 1`],
  ];
  for (const [query, where] of filters) {
    const matching = await rows<{ p1_id: string }>(
      `select p1_id from product_entries where list_id = ? and ${where} order by p1_id`,
      api.shopId,
    );
    for (const at of [1, page]) {
      const { data, pagination } = succeeded(await list(api, { ...query, page: at }));
      const expected = matching.slice((at - 1) * 20, at * 20).map(({ p1_id }) => p1_id);
      expect(data.map(({ p1_id }: { p1_id: string }) => p1_id)).toEqual(expected);
      expect(pagination.total).toBe(matching.length);
    }
  }
}
