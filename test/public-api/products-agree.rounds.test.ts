import { expect, test } from 'vitest';
import {
  type CatalogRow,
  callApi,
  expectProblem,
  importProducts,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { rounds } from '../support/rounds';
import { seeded } from '../support/seeded';

const pick = <T>(random: () => number, values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;

/** Some fields with some values; null among them. */
function someFields(random: () => number): Record<string, unknown> {
  const values: [string, unknown[]][] = [
    ['name', ['Eins', 'Zwei & Söhne', null]],
    ['description', ['', 'Text', null]],
    ['category', ['A', 'B', null]],
    ['price', [0, 0.01, 19.99, 0.1 + 0.7, null]],
    ['available', [true, false, null]],
    ['thc_percent', [0, 22.5, null]],
    ['cbd_percent', [0.1, 100, null]],
    ['available_for_pickup', [true, false, null]],
    ['prescription_required', [true, false, null]],
  ];
  const chosen = values.filter(() => random() < 0.3);
  const fields = chosen.length > 0 ? chosen : [pick(random, values)];
  return Object.fromEntries(fields.map(([field, options]) => [field, pick(random, options)]));
}

test.each(rounds([1], [1, 2, 3]))(
  'list, detail and answers to writes agree, whatever is written (%i)',
  async (seed) => {
    const random = seeded(seed);
    const api = await openOrganizationApi();
    const products = await importProducts({}, {}, {});
    const shops = [api.shopId, api.otherShopId];
    let writes = 0;
    for (let step = 0; step < 60; step += 1) {
      const { p1_id } = pick(random, products);
      const shop_id = pick(random, shops);
      const mode = pick(random, ['merge', 'replace', undefined]);
      const overrides = someFields(random);
      const [method, path, body] = pick<[string, string, unknown]>(random, [
        ['POST', '/products/add-to-inventory', { p1_id, initial_stock: Math.floor(random() * 3) }],
        ['PUT', `/products/${p1_id}`, someFields(random)],
        ['POST', '/shops/attach-product', { shop_id, p1_id, overrides: pick(random, [undefined, overrides]), mode }],
        ['POST', '/shops/detach-product', { shop_id, p1_id }],
        ['POST', '/shops/product-overrides', { shop_id, p1_id, overrides, mode }],
        ['POST', '/shops/product-overrides', { shop_id, p1_id, overrides, mode }],
        ['PATCH', `/inventory/${p1_id}`, { delta: Math.floor(random() * 7) - 2 }],
        ['PATCH', `/inventory/${p1_id}`, { stock_quantity: Math.floor(random() * 4) }],
      ]);
      const answer = await callApi(api, method, path, { body });
      expect([200, 201, 404, 409]).toContain(answer.status);
      if (answer.status < 300) writes += 1;
      const shown = new Map<string, Record<string, unknown> | null>();
      for (const shopId of shops) {
        const query = { shop_id: shopId };
        const { data } = succeeded(await callApi(api, 'GET', '/products', { query }));
        const row = data.find((each: CatalogRow) => each.p1_id === p1_id);
        const single = await callApi(api, 'GET', `/products/${p1_id}`, { query });
        if (!row) expectProblem(single, 404, 'product_not_attached');
        else expect(single.body).toEqual({ ...row, overrides: single.body.overrides });
        shown.set(shopId, row ?? null);
      }
      if (answer.status >= 300) continue;
      if (path.startsWith('/shops/')) expect(answer.body.effective).toEqual(shown.get(shop_id));
      const inventory = succeeded(await callApi(api, 'GET', '/inventory'));
      const held = inventory.data.find((each: CatalogRow) => each.p1_id === p1_id);
      if (path.startsWith('/inventory/')) expect(answer.body.stock_quantity).toBe(held.stock_quantity);
      if (path.startsWith('/products/')) {
        const { name, slug, category, price, stock_quantity } = answer.body;
        expect(held).toMatchObject({ name, slug, category, price, stock_quantity });
        // What the shop inherits is what the organization was told.
        const inShop = shown.get(api.shopId);
        for (const [field, source] of Object.entries(inShop?.sources ?? {})) {
          if (source === 'shop') continue;
          expect([field, inShop?.[field], source]).toEqual([field, answer.body[field], answer.body.sources[field]]);
        }
      }
    }
    expect(writes).toBeGreaterThan(20);
  },
  60_000,
);
