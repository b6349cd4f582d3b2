import { expect, it } from 'vitest';
import {
  attachNewProduct,
  callApi,
  holdProduct,
  importFile,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { operate, rows } from '../support/world';

/** What triggers keep beside the products, so that lists and searches need not read all of them. */

async function foundBy(api: OrganizationApi, q: string): Promise<string[]> {
  const { data } = succeeded(await callApi(api, 'GET', '/products', { query: { shop_id: api.shopId, q } }));
  return data.map(({ p1_id }: { p1_id: string }) => p1_id);
}

it('a search finds a product by the name that the shop shows now, whoever changed it', async () => {
  const api = await openOrganizationApi();
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
  const kept = await rows<{ names: string }>('select names from product_names where org_id = ?', api.orgId);
  expect(kept.map(({ names }) => names)).toEqual(['{}']);
});

it('a product is short while its stock is zero or below the threshold that applies', async () => {
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
