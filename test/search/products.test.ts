import { enter } from '../management/browser';
import { attachNewProduct, callApi } from '../support/organization';
import { ask } from '../support/platform';
import { expect, test } from '../support/test';

test('every search finds a product by its name and its id, however their letters are written', async ({ seller }) => {
  const { browser } = await enter(seller.orgId, 'pharmacist');
  const mark = crypto.randomUUID().slice(-6).replaceAll('e', 'f');
  // Two letters of an id may look like an umlaut written as two: about one UUID in twelve has an "ae", some an "aee".
  const id = `p1-aee${mark}-0ae1-Due`;
  const { p1_id, slug } = await attachNewProduct(seller, { p1_id: id, name: `Läuse-Müsli Queen ${mark}` });
  const page = async (path: string, q: string) => {
    const { text } = await browser.get(`${path}?q=${encodeURIComponent(q)}`);
    return [p1_id, slug].some((each) => text.includes(`p-${each}`) || text.includes(`/${each}`));
  };
  const list = (body: unknown) => JSON.stringify(body).includes(`"${p1_id}"`);
  const doors: Record<string, (q: string) => Promise<boolean>> = {
    catalog: async (q) => list((await callApi(seller, 'GET', '/catalog/products', { query: { q } })).body),
    shop: async (q) => list((await callApi(seller, 'GET', '/products', { query: { q, shop_id: seller.shopId } })).body),
    connector: async (q) => list((await ask(seller, 'GET', '/products', { query: { q } })).body),
    inventory: (q) => page('/manage/products', q),
    'catalog page': (q) => page('/manage/catalog', q),
  };
  const names = [`läuse-müsli queen ${mark}`, `LAEUSE-MUESLI QUEEN ${mark}`, `Queen ${mark}`];
  for (const q of [id, id.toLowerCase(), id.slice(3), '0ae1-due', ...names]) {
    for (const [door, finds] of Object.entries(doors)) expect([door, q, await finds(q)]).toEqual([door, q, true]);
  }
});
