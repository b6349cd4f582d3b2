import {
  attach,
  attachNewProduct,
  callApi,
  expectProblem,
  holdProduct,
  newPzn,
  succeeded,
} from '../support/organization';
import { ask } from '../support/platform';
import { meteredDb } from '../support/probe';
import { describe, expect, test } from '../support/test';
import { ONE_DATABASE, rows } from '../support/world';

describe('the shop at an address', () => {
  test('is told by name, whether it is active and how it ships', async ({ seller }) => {
    await rows("update shops set delivery_service_name = 'Löwenbote' where id = ?", seller.shopId);
    const shop = { name: 'Mitte', is_active: true, shipping_options: ['Abholung', 'Versand', 'Express', 'Löwenbote'] };
    expect(succeeded(await ask(seller, 'GET', '/shop'))).toEqual(shop);
    await rows('update shops set is_active = 0 where id = ?', seller.shopId);
    const { DB, trips } = meteredDb();
    const asking = { env: { ...ONE_DATABASE, DB } };
    expect(succeeded(await ask(seller, 'GET', '/shop', asking))).toEqual({ ...shop, is_active: false });
    expect(trips).toHaveLength(1);
  });
});

/** What the catalog says, and when that changed. */
const SAID = {
  ...{ category: 'Schmerzmittel', unit: 'piece', unit_step: 1, thc_percent: null, cbd_percent: null },
  updated_at: expect.any(String),
};

describe('the products of a shop', () => {
  const products = async (at: Parameters<typeof ask>[0], query: Record<string, string> = {}) =>
    succeeded(await ask(at, 'GET', '/products', { query }));

  test('are what it offers, as it sells them', async ({ seller }) => {
    const pzn = newPzn();
    const plain = await attachNewProduct(seller, { pzn });
    const other = await attachNewProduct(seller, {
      prescription_required: true,
      overrides: { price: 9.95, name: 'Eigener Name', available: false },
    });
    await holdProduct(seller);
    await attach(seller, (await holdProduct(seller)).p1_id, {}, seller.otherShopId);
    const expected = [
      {
        ...{ p1_id: plain.p1_id, pzn, name: plain.name, price: 4.95, available: true, prescription_required: false },
        ...SAID,
        shipping_options: ['Abholung', 'Versand', 'Express', 'Lieferdienst'],
      },
      {
        ...{ p1_id: other.p1_id, pzn: null, name: 'Eigener Name', price: 9.95 },
        ...{ available: false, prescription_required: true, shipping_options: [], ...SAID },
      },
    ];
    expect(await products(seller)).toEqual({ data: expected, next_cursor: null, has_more: false });
    await callApi(seller, 'PATCH', `/inventory/${plain.p1_id}`, { body: { stock_quantity: 0, reason: 'count' } });
    expect((await products(seller)).data[0]).toMatchObject({ p1_id: plain.p1_id, available: false });
  });

  test('are found by a part of their name, their id and their PZN', async ({ seller }) => {
    const pzn = newPzn();
    const plain = await attachNewProduct(seller, { name: 'Läuse-Shampoo', pzn });
    const other = await attachNewProduct(seller, { name: 'Nasenspray', overrides: { name: 'Ibu Spray' } });
    const found = async (query: Record<string, string>) =>
      (await products(seller, query)).data.map(({ p1_id }: { p1_id: string }) => p1_id);
    expect(await found({ q: 'lause' })).toEqual([plain.p1_id]);
    expect(await found({ q: 'ibu' })).toEqual([other.p1_id]);
    expect(await found({ q: other.p1_id.slice(5) })).toEqual([other.p1_id]);
    expect(await found({ q: pzn })).toEqual([plain.p1_id]);
    expect(await found({ pzn })).toEqual([plain.p1_id]);
    expect(await found({ pzn: String(Number(pzn)) })).toEqual([plain.p1_id]);
    expect(await found({ pzn, q: 'ibu' })).toEqual([]);
    // An own product with the same PZN, which the shop does not offer.
    const own = await callApi(seller, 'POST', '/products', { body: { name: 'Eigenes', price: 1, pzn } });
    expect(own.status).toBe(201);
    expect([await found({ q: pzn }), await found({ pzn })]).toEqual([[plain.p1_id], [plain.p1_id]]);
    expect(await found({ pzn: newPzn() })).toEqual([]);
  });

  test('come in pages, searched or not', async ({ seller }) => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await attachNewProduct(seller)).p1_id);
    for (const query of [{}, { q: 'ibuprofen' }] as Record<string, string>[]) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: { data: { p1_id: string }[]; next_cursor: string | null } = await products(seller, {
          ...query,
          limit: '2',
          ...(cursor && { cursor }),
        });
        seen.push(...page.data.map(({ p1_id }) => p1_id));
        cursor = page.next_cursor;
        if (cursor) expect(cursor).not.toContain('P1-');
      } while (cursor);
      expect(seen).toEqual(ids.toSorted());
    }
  });

  const WRONG: [string, string][] = [
    ['limit', '0'],
    ['limit', '201'],
    ['limit', 'x'],
    ['cursor', 'x'],
    ['pzn', 'abc'],
    ['q', ''],
    ['page', '2'],
  ];

  test.for(WRONG)('with %s=%s are 400', async ([name, value], { seller }) => {
    const answer = await ask(seller, 'GET', '/products', { query: { [name]: value } });
    expectProblem(answer, 400, 'validation_failed');
  });

  test('cost two round trips', async ({ seller }) => {
    await attachNewProduct(seller);
    for (const query of [{}, { q: 'ibu' }, { pzn: newPzn() }] as Record<string, string>[]) {
      const { DB, trips } = meteredDb();
      await ask(seller, 'GET', '/products', { query, env: { ...ONE_DATABASE, DB } });
      expect(trips).toHaveLength(2);
    }
  });
});
