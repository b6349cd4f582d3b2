import {
  attach,
  callApi,
  importProducts,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { rounds } from '../support/rounds';
import { seeded } from '../support/seeded';
import { expect, test } from '../support/test';
import { rows } from '../support/world';

type Item = Record<string, unknown> & { p1_id: string };

const pick = <T>(random: () => number, values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
const maybe = (random: () => number, share: number, members: () => object) => (random() < share ? members() : {});

/** What somebody may ask of a product; much of it cannot be. */
function someItem(random: () => number, p1_id: string, { shopId, otherShopId }: OrganizationApi): Item {
  const count = Math.floor(random() * 6);
  const stock = pick<object>(random, [{ stock_quantity: count }, { on_hand: count }, { delta: count - 4 }, {}]);
  const shops = () => [pick(random, [shopId, otherShopId])];
  return {
    p1_id,
    ...stock,
    ...maybe(random, 0.2, () => ({ if_stock_version: pick(random, [0, 1, 2]) })),
    ...maybe(random, 0.3, () => ({ price: pick(random, [1, 2.5, null]) })),
    low_stock_threshold: pick(random, [2, 3, null]),
    ...maybe(random, 0.3, () => ({ attach_to: shops() })),
    ...('stock_quantity' in stock || 'on_hand' in stock ? maybe(random, 0.5, () => ({ add: true })) : {}),
  };
}

/** @returns what became of the item alone */
async function byItself(api: OrganizationApi, item: Item): Promise<string> {
  const { results } = succeeded(await callApi(api, 'PATCH', '/inventory', { body: { items: [item] } }));
  return results[0].code ?? results[0].status;
}

/** What is stored of the products, without what tells the organization, and times and ids. */
async function stateOf({ orgId, shopId }: OrganizationApi) {
  const held = `select p1_id, stock_quantity, committed_quantity, shortage, stock_version, is_short, price_cents, low_stock_threshold
    from inventory where org_id = ? order by p1_id`;
  const moved =
    'select p1_id, delta, stock_after, on_hand_after, reason from stock_movements where org_id = ? order by p1_id, id';
  const listed =
    'select p1_id, shop_id = ?2 as is_first, overrides from listings where org_id = ?1 order by p1_id, is_first';
  return { held: await rows(held, orgId), moved: await rows(moved, orgId), listed: await rows(listed, orgId, shopId) };
}

test.each(rounds([1], [1, 2, 3, 4]))(
  'single items and one bulk of them leave the same (%i)',
  async (seed) => {
    const random = seeded(seed);
    const products = await importProducts(...Array.from({ length: rounds(100, 500) }, () => ({})));
    const [single, bulk] = [await openOrganizationApi(), await openOrganizationApi()];
    const held = products.filter(() => random() < 0.7);
    const stocks = held.map(() => Math.floor(random() * 4));
    for (const api of [single, bulk]) {
      const items = held.map(({ p1_id }, index) => ({ p1_id, add: true, stock_quantity: stocks[index] }));
      expect(succeeded(await callApi(api, 'PATCH', '/inventory', { body: { items } })).summary.created).toBe(
        held.length,
      );
    }
    expect(await stateOf(single)).toEqual(await stateOf(bulk));
    const seeds = products.map(({ p1_id }) => ({ p1_id, of: Math.floor(random() * 1e9) }));
    const itemsFor = (api: OrganizationApi) => seeds.map(({ p1_id, of }) => someItem(seeded(of), p1_id, api));
    const codes: string[] = [];
    for (const item of itemsFor(single)) codes.push(await byItself(single, item));
    const { results } = succeeded(await callApi(bulk, 'PATCH', '/inventory', { body: { items: itemsFor(bulk) } }));
    expect(results.map(({ code, status }: { code?: string; status: string }) => code ?? status)).toEqual(codes);
    expect(await stateOf(bulk)).toEqual(await stateOf(single));
    expect(codes).toEqual(
      expect.arrayContaining([
        'created',
        'updated',
        'insufficient_stock',
        'out_of_stock',
        'version_mismatch',
        'product_not_in_inventory',
      ]),
    );
  },
  120_000,
);

test('an item of a bulk does what the calls for one product do', async () => {
  const [single, bulk] = [await openOrganizationApi(), await openOrganizationApi()];
  const [one, other] = await importProducts({}, {});
  if (!one || !other) throw new Error('no products');
  for (const { p1_id } of [one, other]) {
    succeeded(
      await callApi(single, 'POST', '/products/add-to-inventory', { body: { p1_id, initial_stock: 6, price: 3 } }),
      201,
    );
    await attach(single, p1_id);
    succeeded(
      await callApi(single, 'PATCH', `/inventory/${p1_id}`, {
        body: { delta: -2, reason: 'damage', low_stock_threshold: 1 },
      }),
    );
    succeeded(await callApi(single, 'PUT', `/products/${p1_id}`, { body: { name: 'Neu', price: 4 } }));
    const overrides = { price: 5, metadata: { a: 1 } };
    succeeded(
      await callApi(single, 'POST', '/shops/product-overrides', { body: { shop_id: single.shopId, p1_id, overrides } }),
    );
  }
  const many = async (path: string, item: object) => {
    const items = [one, other].map(({ p1_id }) => ({ p1_id, ...item }));
    expect(succeeded(await callApi(bulk, 'PATCH', path, { body: { items } })).summary.failed).toBe(0);
  };
  await many('/inventory', { add: true, stock_quantity: 6, price: 3, attach_to: [bulk.shopId] });
  await many('/inventory', { delta: -2, reason: 'damage', low_stock_threshold: 1 });
  const overrides = { price: 5, metadata: { a: 1 } };
  await many('/products', { name: 'Neu', price: 4, overrides: [{ shop_id: bulk.shopId, overrides }] });
  expect(await stateOf(bulk)).toEqual(await stateOf(single));
  const named = ({ orgId }: OrganizationApi) => rows('select name, name_folded from inventory where org_id = ?', orgId);
  expect(await named(bulk)).toEqual(await named(single));
});
