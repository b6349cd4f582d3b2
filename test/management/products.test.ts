import { parseChange } from '../../src/management/products/product-table';
import { newId } from '../../src/platform/ids';
import { fieldsOf, linksOf } from '../support/html';
import { openOrder } from '../support/order-flow';
import {
  attach,
  attachNewProduct,
  type CatalogRow,
  callApi,
  holdProduct,
  importProduct,
  importProducts,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { insertRow, rowsOf } from '../support/rows';
import { test as base, expect } from '../support/test';
import { enter, type Page } from './browser';
import { formOn } from './page-forms';

const PRODUCTS = '/manage/products';
const ADD = '/manage/catalog';

function pathOf({ p1_id }: Pick<CatalogRow, 'p1_id'>, sub = ''): string {
  return `${PRODUCTS}/${encodeURIComponent(p1_id)}${sub}`;
}

const test = base.extend('browser', async ({ api }) => (await enter(api.orgId, 'pharmacist')).browser);

async function stored(api: OrganizationApi, { p1_id }: CatalogRow) {
  const [row] = await rowsOf('inventory', { org_id: api.orgId, p1_id });
  return row;
}

async function overridesIn(shop_id: string, { p1_id }: CatalogRow): Promise<unknown> {
  const [row] = await rowsOf<{ overrides: string }>('listings', { shop_id, p1_id });
  return row && JSON.parse(row.overrides);
}

/** The ids of the products that a page lists, in its order. */
function listed({ text }: Page): string[] {
  return [...text.matchAll(/<tr id="p-([\w-]+)"/g)].map(([, slug = '']) => slug);
}

const hrefs = ({ text }: Page) => linksOf(text);

test('the list is narrowed to what runs low or out, and paged behind a cursor that keeps its filter', async () => {
  const api = await openOrganizationApi({ low_stock_threshold: 5 });
  const { browser } = await enter(api.orgId, 'staff');
  const run = newId();
  const [plenty, low, out] = [
    await holdProduct(api, { stock: 5 }),
    await holdProduct(api, { stock: 4 }),
    await holdProduct(api, { stock: 0, price: 7.5 }),
  ];
  const list = async (query: string) => listed(await browser.get(`${PRODUCTS}?${query}`));
  expect(await list('')).toEqual([plenty.slug, low.slug, out.slug]);
  expect(await list('stock=low')).toEqual([low.slug, out.slug]);
  expect(await list('stock=out')).toEqual([out.slug]);
  const { text } = await browser.get(PRODUCTS);
  for (const words of ['Eigener Preis, Katalog 4,95', '7,50', '<strong>4</strong> von 5', 'ausverkauft'])
    expect(text).toContain(words);
  expect(await browser.get(`${PRODUCTS}?q=${'x'.repeat(65)}`)).toMatchObject({ status: 400 });

  const many = await importProducts(
    ...Array.from({ length: 56 }, (_, index) => ({ p1_id: `Z-${run}-${index + 100}` })),
  );
  for (const { p1_id } of many) await insertRow('inventory', { org_id: api.orgId, p1_id });
  const first = await browser.get(`${PRODUCTS}?q=${run}&stock=low`);
  expect(listed(first)).toEqual(many.slice(0, 50).map(({ slug }) => slug));
  const next = hrefs(first).find((href) => href.includes('after=')) ?? '';
  expect(next).toContain(`q=${run}&stock=low`);
  const link = hrefs(first).find((href) => href.startsWith(pathOf({ p1_id: many[0]?.p1_id ?? '' }))) ?? '';
  // From the product back to where it was found.
  expect(hrefs(await browser.get(link))).toContain(`${PRODUCTS}?q=${run}&stock=low#p-${many[0]?.slug}`);
  const second = await browser.get(next);
  expect(listed(second)).toEqual(many.slice(50).map(({ slug }) => slug));
  expect(second.text).toContain('<span>51–56</span>');
  expect((await browser.get(`${PRODUCTS}?stock=low`)).text).toContain('<span>1–50 von 58</span>');
});

test('what a count misses of what is promised stands in the row, in a list of its own and on the product’s page', async () => {
  const api = await openOrganizationApi();
  const { browser } = await enter(api.orgId, 'staff');
  const [short, other] = [await holdProduct(api, { stock: 6 }), await holdProduct(api, { stock: 6 })];
  await openOrder(api, { items: [{ p1_id: short.p1_id, qty: 4, price: 1 }] });
  expect((await browser.get(PRODUCTS)).text).toContain('Lagerbestand 6, reserviert 4');
  await browser.submit(PRODUCTS, { p1_id: short.p1_id, change: '=1', reason: 'count' }, PRODUCTS);
  const missing = await browser.get(`${PRODUCTS}?stock=missing`);
  expect(missing.text).toContain('3 Fehlmenge');
  expect(listed(missing)).toEqual([short.slug]);
  expect(listed(await browser.get(PRODUCTS))).toContain(other.slug);
  const page = await browser.get(pathOf(short));
  expect(page.text).toContain('Gezählt wurde weniger, als für Bestellungen reserviert ist.');
  await browser.submit(PRODUCTS, { p1_id: short.p1_id, change: '+3', reason: 'delivery' }, PRODUCTS);
  expect((await browser.get(`${PRODUCTS}?stock=missing`)).text).toContain('ist nach der letzten Zählung auch vorrätig');
});

test('stock is changed in its row, and the list is where it was', async ({ api, held: product }) => {
  const { browser } = await enter(api.orgId, 'staff');
  const path = `${PRODUCTS}?q=ibu`;
  const send = (change: string, reason: string) => browser.submit(path, { p1_id: product.p1_id, change, reason }, path);
  expect(await send('+10', 'delivery')).toMatchObject({ status: 303, location: path });
  const page = await browser.get(path);
  expect(page.text).toContain('Der Bestand ist gebucht.');
  expect(page.text).toContain(`action="${path}#p-${product.slug}"`);
  await send('−3', 'damage');
  await send('=25', 'count');
  await send('=25', 'count');
  expect((await browser.get(PRODUCTS)).text).toContain('Bestand unverändert.');
  expect(await stored(api, product)).toMatchObject({ stock_quantity: 25 });
  const detail = await browser.get(pathOf(product));
  for (const words of ['Kim Öztürk', 'Bruch oder Verderb', 'erp']) expect(detail.text).toContain(words);
});

test('a change of stock that cannot be is refused in its row, which keeps what was typed', async ({ api }) => {
  const { browser } = await enter(api.orgId, 'staff');
  const product = await holdProduct(api, { stock: 3 });
  const send = (typed: Record<string, string>, path = PRODUCTS) =>
    browser.submit(path, { p1_id: product.p1_id, ...typed }, PRODUCTS);
  for (const [typed, message] of [
    [{ change: '-4', reason: 'damage' }, 'nicht unter 0'],
    [{ change: '"viel', reason: 'damage' }, 'Eine Änderung wie +10'],
    [{ change: '-1', reason: 'removed' }, 'Bitte einen Grund wählen.'],
  ] as const) {
    for (const path of [PRODUCTS, pathOf(product, '/stock')]) {
      const page = await send(typed, path);
      expect(page.status).toBe(400);
      expect(page.text).toContain(message);
      expect(fieldsOf(page.text)).toContainEqual(expect.objectContaining({ name: 'change', value: typed.change }));
    }
  }
  // Another one filled it up, so that the row left the page.
  const gone = await send({ change: '-4', reason: 'damage' }, `${PRODUCTS}?stock=out`);
  expect(gone.status).toBe(400);
  expect(gone.text).toContain('steht nicht mehr auf dieser Seite');
  expect(await stored(api, product)).toMatchObject({ stock_quantity: 3 });
});

test.each([
  ['+10', { delta: 10 }],
  ['10', { delta: 10 }],
  ['-2', { delta: -2 }],
  ['− 2', { delta: -2 }],
  ['=0', { onHand: 0 }],
  ['= 25', { onHand: 25 }],
  ['', null],
  ['0', null],
  ['+0', null],
  ['1,5', null],
  ['1e3', null],
  ['--1', null],
  ['9999999999', null],
  ['01126619', null],
  ['-01126619', null],
])('the change %j is read as %j', (text, expected) => expect(parseChange(text)).toEqual(expected));

test('a product is added once from the catalog with stock and price; the search stays', async ({ api, browser }) => {
  const product = await importProduct({ name: 'Salbe & Söhne' });
  const path = `${ADD}?q=${product.p1_id}`;
  expect((await browser.get(path)).text).toContain('Salbe &amp; Söhne');
  const send = (typed: Record<string, string>) => browser.submit(path, { p1_id: product.p1_id, ...typed }, path);
  for (const [typed, message] of [
    [{ initial_stock: '-1', price: '' }, 'Eine ganze Zahl ab 0.'],
    [{ initial_stock: '3', price: '1,234' }, 'Ein Preis in Euro'],
  ] as const) {
    const page = await send(typed);
    expect(page.status).toBe(400);
    expect(page.text).toContain(message);
    expect(page.text).toContain(`name="initial_stock" value="${typed.initial_stock}"`);
  }
  expect(await send({ initial_stock: '3', price: '8,40' })).toMatchObject({ status: 303, location: path });
  expect((await browser.get(path)).text).toContain('Im Sortiment, Bestand 3');
  await send({ initial_stock: '100', price: '' });
  expect((await browser.get(path)).text).toContain('war schon im Sortiment');
  expect(await stored(api, product)).toMatchObject({ stock_quantity: 3, price_cents: 840 });
  expect(await browser.submit(ADD, { p1_id: 'none' })).toMatchObject({ status: 404 });
});

test('the product’s page says where each value of each shop comes from, and resets one', async ({ api, browser }) => {
  const product = await attachNewProduct(api, { price: 5, overrides: { price: 200, category: 'Eigene' } });
  await attach(api, product.p1_id, {}, api.otherShopId);
  const page = await browser.get(pathOf(product));
  for (const words of ['200,00', 'geerbt vom Katalog', 'geerbt von der Apotheke', 'eigener Wert', 'Vorgabe']) {
    expect(page.text, words).toContain(words);
  }
  const price = { price: '7,50', 'seen-price': '20000' };
  await browser.submit(pathOf(product, `/shops/${api.shopId}`), price, pathOf(product));
  expect(await overridesIn(api.shopId, product)).toEqual({ price: 7.5, category: 'Eigene' });
  const reset = (field: string, shop = `/shops/${api.shopId}`) =>
    browser.submit(pathOf(product, `${shop}/reset`), { field }, pathOf(product));
  expect(await reset('price')).toMatchObject({ status: 303, location: pathOf(product) });
  expect(await overridesIn(api.shopId, product)).toEqual({ category: 'Eigene' });
  expect(await reset('price', '')).toMatchObject({ status: 303 });
  expect(await stored(api, product)).toMatchObject({ price_cents: null });
  for (const [field, shop] of [['slug'], ['__proto__', '']] as const)
    expect(await reset(field, shop)).toMatchObject({ status: 404 });
});

test('the organization’s values are edited: empty inherits, only typed ones are written', async ({ api, browser }) => {
  const product = await holdProduct(api, { price: 5 });
  const path = pathOf(product, '/edit');
  const body = { description: ' Erste Zeile\nzweite Zeile\u0009\r\n', thc_percent: 1.25 };
  succeeded(await callApi(api, 'PUT', `/products/${product.p1_id}`, { body }));
  const typed = { name: 'Neu', price: '', available: 'no', cbd_percent: '12,5 %' };
  expect(await browser.fill(path, typed)).toMatchObject({ status: 303, location: pathOf(product) });
  // What no form gives back as it is stays as it is.
  const written = { ...body, name: 'Neu', price_cents: null, available: 0, cbd_percent: 12.5 };
  expect(await stored(api, product)).toMatchObject(written);
  await browser.fill(path, {});
  expect((await browser.get(pathOf(product))).text).toContain('Es gab nichts zu ändern.');
  await browser.fill(path, { description: 'Neu\r\nund neu' });
  expect(await stored(api, product)).toMatchObject({ description: 'Neu\nund neu' });
});

test('a refused value stands beside its field with what was typed', async ({ api, browser }) => {
  const [other, product] = [await holdProduct(api), await attachNewProduct(api)];
  succeeded(await callApi(api, 'PUT', `/products/${other.p1_id}`, { body: { slug: `taken-${other.slug}` } }));
  const shop = pathOf(product, `/shops/${api.shopId}`);
  const refusals: [string, string, Record<string, string>][] = [
    [pathOf(product, '/edit'), 'diesen Kurznamen', { slug: `taken-${other.slug}` }],
    [pathOf(product, '/edit'), 'Ein Preis in Euro', { price: '4,999' }],
    [shop, 'Höchstens 200 Zeichen', { name: 'x'.repeat(201) }],
    [shop, 'Ja, Nein oder geerbt', { available: 'maybe' }],
    [shop, 'zusammen zu lang', { description: '€'.repeat(4000) }],
  ];
  for (const [path, message, typed] of refusals) {
    const page = await browser.fill(path, { category: 'Getippt', ...typed });
    expect([page.status, message]).toEqual([400, message]);
    expect(page.text).toContain(message);
    expect(page.text).toContain('value="Getippt"');
  }
  expect(await overridesIn(api.shopId, product)).toEqual({});
});

test('two tabs lose nothing: other fields stay, the same field is not replaced unseen', async ({ api, browser }) => {
  const product = await attachNewProduct(api, { overrides: { category: 'A' } });
  const layers = [
    { path: pathOf(product, '/edit'), now: async () => stored(api, product) },
    { path: pathOf(product, `/shops/${api.shopId}`), now: () => overridesIn(api.shopId, product) },
  ];
  for (const { path, now } of layers) {
    const first = formOn(await browser.get(path), path);
    const second = formOn(await browser.get(path), path);
    expect(await browser.post(path, { ...first, name: 'Von links' })).toMatchObject({ status: 303 });
    expect(await browser.post(path, { ...second, category: 'Von rechts' })).toMatchObject({ status: 303 });
    expect(await now()).toMatchObject({ name: 'Von links', category: 'Von rechts' });
    const late = await browser.post(path, { ...second, name: 'Zu spät' });
    expect(late.status).toBe(400);
    expect(late.text).toContain('Inzwischen steht hier: Von links.');
    expect(late.text).toContain('value="Zu spät"');
    expect(await now()).toMatchObject({ name: 'Von links' });
    // Sent again it is meant.
    expect(await browser.post(path, formOn(late, path))).toMatchObject({ status: 303 });
    expect(await now()).toMatchObject({ name: 'Zu spät', category: 'Von rechts' });
    // Another fault of the form hides no change of somebody else's.
    const stale = formOn(await browser.get(path), path);
    await browser.fill(path, { name: 'Wieder neu' });
    const faulty = await browser.post(path, { ...stale, name: 'Alt', price: 'x' });
    expect(faulty.status).toBe(400);
    expect(await browser.post(path, { ...formOn(faulty, path), price: '5' })).toMatchObject({ status: 400 });
    expect(await now()).toMatchObject({ name: 'Wieder neu' });
    const prices = ['1', '2', '3', '4'];
    const fresh = formOn(await browser.get(path), path);
    const answers = await Promise.all(prices.map((price) => browser.post(path, { ...fresh, price })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400, 400, 400]);
  }
});

test('a shop offers what is in stock, and stops after being asked', async ({ api, browser }) => {
  const product = await holdProduct(api, { stock: 0 });
  const shop = `/shops/${api.shopId}`;
  expect((await browser.get(pathOf(product))).text).toContain('nicht angeboten');
  const act = (sub: string) => browser.submit(pathOf(product, sub), {}, pathOf(product));
  const refused = await act(`${shop}/attach`);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('sobald der Bestand über 0 liegt');
  await browser.submit(pathOf(product, '/stock'), { change: '+5', reason: 'delivery' }, pathOf(product));
  for (const _ of [1, 2]) expect(await act(`${shop}/attach`)).toMatchObject({ status: 303 });
  await browser.fill(pathOf(product, shop), { price: '9,99' });
  expect(await overridesIn(api.shopId, product)).toEqual({ price: 9.99 });
  const asked = await browser.get(pathOf(product, `${shop}/detach`));
  expect(asked.text).toContain('Diese Überschreibungen gehen verloren');
  await act(`${shop}/detach`);
  expect(await overridesIn(api.shopId, product)).toBeUndefined();
  expect(await browser.get(pathOf(product, `${shop}/detach`))).toMatchObject({ status: 404 });
});

test('the threshold is the product’s own or the organization’s', async () => {
  const api = await openOrganizationApi({ low_stock_threshold: 4 });
  const { browser } = await enter(api.orgId, 'staff');
  const product = await holdProduct(api, { stock: 5 });
  const send = (threshold: string) => browser.submit(pathOf(product, '/threshold'), { threshold }, pathOf(product));
  expect(await send('6')).toMatchObject({ status: 303 });
  expect((await browser.get(PRODUCTS)).text).toContain('<strong>5</strong> von 6');
  const refused = await send('-1');
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('value="-1"');
  await send('');
  expect(await stored(api, product)).toMatchObject({ low_stock_threshold: null });
});

test('removing names the product and its shops first, and takes it from all of them', async ({ api, browser }) => {
  const product = await attachNewProduct(api, { name: 'Hustensaft', stock: 12 });
  const asked = await browser.get(pathOf(product, '/remove?stock=low'));
  for (const words of ['Hustensaft aus dem Sortiment nehmen?', 'Mitte', 'Der Bestand von 12'])
    expect(asked.text).toContain(words);
  expect(asked.text).not.toContain('<bdi>Nord</bdi>');
  const remove = () => browser.submit(pathOf(product, '/remove?stock=low'), {}, PRODUCTS);
  expect(await remove()).toMatchObject({ status: 303, location: `${PRODUCTS}?stock=low` });
  expect(await remove()).toMatchObject({ status: 404 });
  expect(await browser.get(pathOf(product))).toMatchObject({ status: 404 });
});
