import { gtinCheckDigit } from '../../src/codes/numbers';
import { parseChange } from '../../src/management/products/product-table';
import { newId } from '../../src/platform/ids';
import { stockUp } from '../support/big';
import { costOf } from '../support/cost';
import { linksOf } from '../support/html';
import { openOrder } from '../support/order-flow';
import {
  attach,
  attachNewProduct,
  type CatalogRow,
  callApi,
  eventsOf,
  footprint,
  holdProduct,
  importProduct,
  importProducts,
  newPzn,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { auditOf, insertRow, insertRows, quoted, rowsOf } from '../support/rows';
import { test as base, expect } from '../support/test';
import { rows } from '../support/world';
import { enter, type Page } from './browser';
import { formOn } from './page-forms';

const PRODUCTS = '/manage/products';
const ADD = '/manage/catalog';
const SCRIPTED = '<script>alert(1)</script> שלום ';

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

test('the list is searched by name and id, narrowed to what runs low or out, and paged behind a cursor', async () => {
  const api = await openOrganizationApi({ low_stock_threshold: 5 });
  const { browser } = await enter(api.orgId, 'staff');
  const run = newId();
  const [plenty, low, out, renamed] = [
    await holdProduct(api, { name: 'Äpfelsäure Grün', stock: 5 }),
    await holdProduct(api, { stock: 4 }),
    await holdProduct(api, { stock: 0, price: 7.5 }),
    await holdProduct(api, { stock: 9 }),
  ];
  succeeded(await callApi(api, 'PUT', `/products/${renamed.p1_id}`, { body: { name: 'Straßenname' } }));
  await attach(api, low.p1_id);
  const list = async (query: string) => listed(await browser.get(`${PRODUCTS}?${query}`));
  expect(await list('')).toEqual([plenty.slug, low.slug, out.slug, renamed.slug]);
  expect(await list('q=APFELSAURE')).toEqual([plenty.slug]);
  expect(await list('q=strassen')).toEqual([renamed.slug]);
  expect(await list(`q=${low.p1_id.toLowerCase()}`)).toEqual([low.slug]);
  expect(await list('stock=low')).toEqual([low.slug, out.slug]);
  expect(await list('stock=out')).toEqual([out.slug]);
  expect(await list('stock=out&q=strassen')).toEqual([]);
  const page = await browser.get(PRODUCTS);
  expect(page.text).toContain('Eigener Preis, Katalog 4,95');
  expect(page.text).toContain('7,50');
  expect(page.text).toContain('<strong>4</strong> von 5');
  expect(page.text).toContain('ausverkauft');
  const long = await browser.get(`${PRODUCTS}?q=${'x'.repeat(65)}`);
  expect(long.status).toBe(400);
  expect(long.text).toContain('höchstens 64 Zeichen');

  const many = await importProducts(
    ...Array.from({ length: 36 }, (_, index) => ({ p1_id: `Z-${run}-${index + 100}` })),
  );
  for (const { p1_id } of many) await insertRow('inventory', { org_id: api.orgId, p1_id });
  const first = await browser.get(`${PRODUCTS}?q=${run}&stock=low`);
  expect(listed(first)).toEqual(many.slice(0, 30).map(({ slug }) => slug));
  const next = hrefs(first).find((href) => href.includes('after=')) ?? '';
  expect(next).toContain(`q=${run}&stock=low`);
  const link = hrefs(first).find((href) => href.startsWith(pathOf({ p1_id: many[0]?.p1_id ?? '' }))) ?? '';
  // From the product back to where it was found.
  expect(hrefs(await browser.get(link))).toContain(`${PRODUCTS}?q=${run}&stock=low#p-${many[0]?.slug}`);
  expect(listed(await browser.get(next))).toEqual(many.slice(30).map(({ slug }) => slug));
  // What is searched nobody counts.
  expect(first.text).toContain('<span>1–30</span>');
  expect((await browser.get(next)).text).toContain('<span>31–36</span>');
  expect((await browser.get(`${PRODUCTS}?stock=low`)).text).toContain('<span>1–30 von 38</span>');
  // Without its place in the list a page does not guess it.
  expect((await browser.get(next.replace(/&before=\d+/, ''))).text).not.toContain('31–36');
});

test('what a count misses of what is promised stands in the row, in a list of its own and on the product’s page', async () => {
  const api = await openOrganizationApi();
  const { browser } = await enter(api.orgId, 'staff');
  const [short, other] = [await holdProduct(api, { stock: 6 }), await holdProduct(api, { stock: 6 })];
  await openOrder(api, { items: [{ p1_id: short.p1_id, qty: 4, price: 1 }] });
  expect((await browser.get(PRODUCTS)).text).toContain('6 im Haus, 4 zugesagt');
  await browser.submit(PRODUCTS, { p1_id: short.p1_id, change: '=1', reason: 'count' }, PRODUCTS);
  const missing = await browser.get(`${PRODUCTS}?stock=missing`);
  expect(missing.text).toContain('3 zu wenig');
  expect(listed(missing)).toEqual([short.slug]);
  expect(listed(await browser.get(PRODUCTS))).toContain(other.slug);
  const page = await browser.get(pathOf(short));
  expect(page.text).toContain('Gezählt wurde weniger, als Bestellungen zugesagt ist.');
  await browser.submit(PRODUCTS, { p1_id: short.p1_id, change: '+3', reason: 'delivery' }, PRODUCTS);
  expect((await browser.get(`${PRODUCTS}?stock=missing`)).text).toContain('ist nach der letzten Zählung auch da');
});

test('stock is changed in its row, by every role, and the list is where it was', async () => {
  for (const role of ['owner', 'pharmacist', 'staff'] as const) {
    const api = await openOrganizationApi();
    const { browser } = await enter(api.orgId, role);
    const product = await holdProduct(api, { stock: 10 });
    const path = `${PRODUCTS}?q=ibu`;
    const send = (change: string, reason: string) =>
      browser.submit(path, { p1_id: product.p1_id, change, reason }, `${PRODUCTS}?q=ibu`);
    expect(await send('+10', 'delivery')).toMatchObject({ status: 303, location: `${PRODUCTS}?q=ibu` });
    const page = await browser.get(`${PRODUCTS}?q=ibu`);
    expect(page.text).toContain('Der Bestand ist gebucht.');
    expect(page.text).toContain(`action="${PRODUCTS}?q=ibu#p-${product.slug}"`);
    await send('−3', 'damage');
    await send('=25', 'count');
    await send('=25', 'count');
    expect((await browser.get(PRODUCTS)).text).toContain('Es wurde nichts gebucht.');
    expect(await stored(api, product)).toMatchObject({ stock_quantity: 25 });
    expect(await rows('select delta, reason from stock_movements where p1_id = ? order by id', product.p1_id)).toEqual([
      { delta: 10, reason: 'initial' },
      { delta: 10, reason: 'delivery' },
      { delta: -3, reason: 'damage' },
      { delta: 8, reason: 'count' },
    ]);
    expect((await auditOf(product.p1_id, { org_id: api.orgId })).slice(1)).toMatchObject(
      ['delivery', 'damage', 'count'].map((reason_code) => ({
        action: 'stock.changed',
        actor_kind: 'staff',
        fields: reason_code === 'count' ? '["on_hand"]' : '["stock_quantity"]',
        reason_code,
      })),
    );
    const detail = await browser.get(pathOf(product));
    expect(detail.text).toContain('Kim Öztürk');
    expect(detail.text).toContain('Bruch oder Verderb');
    expect(detail.text).toContain('erp');
  }
});

test('a change of stock that cannot be is refused in its row, which keeps what was typed', async ({ api }) => {
  const { browser } = await enter(api.orgId, 'staff');
  const product = await holdProduct(api, { stock: 3 });
  const before = await footprint(api.orgId);
  const send = (typed: Record<string, string>, path = PRODUCTS) =>
    browser.submit(path, { p1_id: product.p1_id, ...typed }, PRODUCTS);
  const refusals: [Record<string, string>, string][] = [
    [{ change: '-4', reason: 'damage' }, 'nicht unter 0'],
    [{ change: '"viel', reason: 'damage' }, 'Eine Änderung wie +10'],
    [{ change: '0', reason: 'other' }, 'Eine Änderung wie +10'],
    [{ change: '-1', reason: 'removed' }, 'Bitte einen Grund wählen.'],
  ];
  for (const [typed, message] of refusals) {
    for (const path of [PRODUCTS, pathOf(product, '/stock')]) {
      const page = await send(typed, path);
      expect(page.status).toBe(400);
      expect(page.text).toContain(message);
      expect(page.text).toContain(`name="change" value="${typed.change?.replace('"', '&quot;')}"`);
      if (typed.reason === 'damage' && path !== PRODUCTS)
        expect(page.text).toContain('<option value="damage" selected="">');
    }
  }
  // Another one filled it up, so that the row left the page.
  const gone = await send({ change: '-4', reason: 'damage' }, `${PRODUCTS}?stock=out`);
  expect(gone.status).toBe(400);
  expect(gone.text).toContain('steht nicht mehr auf dieser Seite');
  expect(gone.text).toContain('nicht unter 0');
  expect(await footprint(api.orgId)).toEqual(before);
});

test('two who take the last ones at once take them once', async ({ api }) => {
  const { browser } = await enter(api.orgId, 'staff');
  const product = await holdProduct(api, { stock: 3 });
  const { token } = await browser.get(PRODUCTS);
  const fields = { form_token: token, p1_id: product.p1_id, change: '-2', reason: 'damage' };
  const answers = await Promise.all([1, 2, 3].map(() => browser.post(PRODUCTS, fields)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400, 400]);
  expect(await stored(api, product)).toMatchObject({ stock_quantity: 1 });
  const counted = { ...fields, change: '=7', reason: 'count' };
  await Promise.all([1, 2, 3].map(() => browser.post(PRODUCTS, counted)));
  const acts = (await auditOf(product.p1_id, { org_id: api.orgId })).map(({ action, reason_code }) => [
    action,
    reason_code,
  ]);
  expect(acts).toEqual([
    ['product.added', null],
    ['stock.changed', 'damage'],
    ['stock.changed', 'count'],
  ]);
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
  const found = await browser.get(path);
  expect(found.text).toContain('Salbe &amp; Söhne');
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
  expect(await stored(api, product)).toBeUndefined();
  expect(await send({ initial_stock: '3', price: '8,40' })).toMatchObject({ status: 303, location: path });
  const after = await browser.get(path);
  expect(after.text).toContain('Das Produkt ist im Sortiment.');
  expect(after.text).toContain('Im Sortiment, Bestand 3');
  expect(await stored(api, product)).toMatchObject({ stock_quantity: 3, price_cents: 840 });
  await send({ initial_stock: '100', price: '' });
  expect((await browser.get(path)).text).toContain('war schon im Sortiment');
  expect(await stored(api, product)).toMatchObject({ stock_quantity: 3, price_cents: 840 });
  expect((await eventsOf(api.orgId)).map(({ type }) => type)).toEqual(['product_created']);
  expect((await auditOf(product.p1_id, { org_id: api.orgId })).map(({ action }) => action)).toEqual(['product.added']);
  expect(await browser.submit(ADD, { p1_id: 'none' })).toMatchObject({ status: 404 });
});

test('the product’s page says where each value of each shop comes from, and resets one', async ({ api, browser }) => {
  const product = await attachNewProduct(api, { price: 5, overrides: { price: 200, category: 'Eigene' } });
  await attach(api, product.p1_id, {}, api.otherShopId);
  const page = await browser.get(pathOf(product));
  expect(page.text).toContain('200,00');
  for (const words of ['geerbt vom Katalog', 'geerbt von der Apotheke', 'eigener Wert', 'Vorgabe']) {
    expect(page.text, words).toContain(words);
  }
  const reset = (field: string, shop = `/shops/${api.shopId}`) =>
    browser.submit(pathOf(product, `${shop}/reset`), { field }, pathOf(product));
  expect(await reset('price')).toMatchObject({ status: 303, location: pathOf(product) });
  expect(await overridesIn(api.shopId, product)).toEqual({ category: 'Eigene' });
  expect(await reset('price', '')).toMatchObject({ status: 303 });
  expect(await stored(api, product)).toMatchObject({ price_cents: null });
  expect(await reset('slug')).toMatchObject({ status: 404 });
  expect(await reset('__proto__', '')).toMatchObject({ status: 404 });
  expect((await auditOf(product.p1_id, { org_id: api.orgId })).slice(-2)).toMatchObject([
    { action: 'product.overridden', actor_kind: 'staff', fields: `["shop:${api.shopId}","price"]`, reason_code: null },
    { action: 'product.updated', actor_kind: 'staff', fields: '["price"]', reason_code: null },
  ]);
});

test('the organization’s values are edited: empty inherits, only typed ones are written', async ({ api, browser }) => {
  const product = await holdProduct(api, { price: 5 });
  const path = pathOf(product, '/edit');
  const description = 'Erste Zeile\nzweite Zeile';
  succeeded(
    await callApi(api, 'PUT', `/products/${product.p1_id}`, {
      body: { description: ` ${description}\u0009\r\n`, thc_percent: 1.25 },
    }),
  );
  const typed = { name: 'Neu', price: '', available: 'no', cbd_percent: '12,5 %' };
  expect(await browser.fill(path, typed)).toMatchObject({ status: 303, location: pathOf(product) });
  expect(await stored(api, product)).toMatchObject({
    name: 'Neu',
    name_folded: 'neu',
    price_cents: null,
    available: 0,
    thc_percent: 1.25,
    cbd_percent: 12.5,
    // What no form gives back as it is stays as it is.
    description: ` ${description}\u0009\r\n`,
  });
  const [event] = (await eventsOf(api.orgId, 'product_updated')).slice(-1);
  const changed = ['name', 'price', 'available', 'cbd_percent'];
  expect(JSON.parse(event?.body ?? '').metadata).toMatchObject({ p1_id: product.p1_id, changed_fields: changed });
  const audits = await auditOf(product.p1_id, { org_id: api.orgId });
  expect(audits.at(-1)).toMatchObject({ action: 'product.updated', fields: JSON.stringify(changed) });
  await browser.fill(path, {});
  expect((await browser.get(pathOf(product))).text).toContain('Es gab nichts zu ändern.');
  expect(await auditOf(product.p1_id, { org_id: api.orgId })).toEqual(audits);
  await browser.fill(path, { description: 'Neu\r\nund neu' });
  expect(await stored(api, product)).toMatchObject({ description: 'Neu\nund neu' });
});

test('a refused value stands beside its field with what was typed', async ({ api, browser }) => {
  const [other, product] = [await holdProduct(api), await attachNewProduct(api)];
  succeeded(await callApi(api, 'PUT', `/products/${other.p1_id}`, { body: { slug: `taken-${other.slug}` } }));
  const before = await footprint(api.orgId);
  const shop = pathOf(product, `/shops/${api.shopId}`);
  const refusals: [string, string, Record<string, string>][] = [
    [pathOf(product, '/edit'), 'Kleinbuchstaben', { slug: 'Ä b' }],
    [pathOf(product, '/edit'), 'diesen Kurznamen', { slug: `taken-${other.slug}` }],
    [pathOf(product, '/edit'), 'Ein Preis in Euro', { price: '4,999' }],
    [shop, 'Eine Zahl von 0 bis 100', { thc_percent: '101' }],
    [shop, 'Höchstens 200 Zeichen', { name: 'x'.repeat(201) }],
    [shop, 'Höchstens 4000 Zeichen', { description: 'x'.repeat(4001) }],
    [shop, 'Ja, Nein oder geerbt', { available: 'maybe' }],
    [shop, 'zusammen zu lang', { description: '€'.repeat(4000) }],
  ];
  for (const [path, message, typed] of refusals) {
    const page = await browser.fill(path, { category: 'Getippt', ...typed });
    expect([page.status, message]).toEqual([400, message]);
    expect(page.text).toContain(message);
    expect(page.text).toContain('value="Getippt"');
  }
  expect(await footprint(api.orgId)).toEqual(before);
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
  expect((await browser.get(pathOf(product))).text).toContain('nicht im Angebot');
  const act = (sub: string) => browser.submit(pathOf(product, sub), {}, pathOf(product));
  const refused = await act(`${shop}/attach`);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('sobald der Bestand über 0 liegt');
  await browser.submit(pathOf(product, '/stock'), { change: '+5', reason: 'delivery' }, pathOf(product));
  expect(await act(`${shop}/attach`)).toMatchObject({ status: 303 });
  expect(await act(`${shop}/attach`)).toMatchObject({ status: 303 });
  await browser.fill(pathOf(product, shop), { price: '9,99' });
  expect(await overridesIn(api.shopId, product)).toEqual({ price: 9.99 });
  const asked = await browser.get(pathOf(product, `${shop}/detach`));
  expect(asked.text).toContain('Diese Überschreibungen gehen verloren');
  expect(asked.text).toContain('Preis');
  await Promise.all([act(`${shop}/detach`), act(`${shop}/detach`)]);
  expect(await overridesIn(api.shopId, product)).toBeUndefined();
  expect(await browser.get(pathOf(product, `${shop}/detach`))).toMatchObject({ status: 404 });
  const acts = (await auditOf(product.p1_id, { org_id: api.orgId })).map(({ action }) => action);
  expect(acts).toEqual([
    'product.added',
    'stock.changed',
    'product.attached',
    'product.overridden',
    'product.detached',
  ]);
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
  expect((await auditOf(product.p1_id, { org_id: api.orgId })).map(({ fields }) => fields)).toEqual([
    null,
    '["low_stock_threshold"]',
    '["low_stock_threshold"]',
  ]);
});

test('removing names the product and its shops first, and takes it from all of them', async ({ api, browser }) => {
  const product = await attachNewProduct(api, { name: 'Hustensaft', stock: 12 });
  const asked = await browser.get(pathOf(product, '/remove?stock=low'));
  expect(asked.text).toContain('Hustensaft aus dem Sortiment nehmen?');
  expect(asked.text).toContain('Mitte');
  expect(asked.text).not.toContain('<bdi>Nord</bdi>');
  expect(asked.text).toContain('Der Bestand von 12');
  const remove = () => browser.submit(pathOf(product, '/remove?stock=low'), {}, PRODUCTS);
  expect(await remove()).toMatchObject({ status: 303, location: `${PRODUCTS}?stock=low` });
  expect(await remove()).toMatchObject({ status: 404 });
  expect(await stored(api, product)).toBeUndefined();
  expect(await rows('select 1 from listings where p1_id = ?', product.p1_id)).toEqual([]);
  expect((await auditOf(product.p1_id, { org_id: api.orgId })).at(-1)).toMatchObject({ action: 'product.removed' });
  expect(await browser.get(pathOf(product))).toMatchObject({ status: 404 });
});

/** Every way to change what products say, with what a form of it sends. */
function dataActs({ shopId }: OrganizationApi, product: CatalogRow): [string, Record<string, string>][] {
  return [
    [ADD, { p1_id: product.p1_id, initial_stock: 'x' }],
    [pathOf(product, '/edit'), { name: 'Neu' }],
    [pathOf(product, '/edit'), {}],
    [pathOf(product, '/edit'), { price: 'x' }],
    [pathOf(product, '/reset'), { field: 'price' }],
    [pathOf(product, `/shops/${shopId}`), { name: 'Neu' }],
    [pathOf(product, `/shops/${shopId}`), {}],
    [pathOf(product, `/shops/${shopId}/reset`), { field: 'price' }],
    [pathOf(product, `/shops/${shopId}/attach`), {}],
    [pathOf(product, `/shops/${shopId}/detach`), {}],
    [pathOf(product, '/remove'), {}],
  ];
}

test('staff see products and move stock, and may not change what products say', async ({ api }) => {
  const { browser } = await enter(api.orgId, 'staff');
  const product = await attachNewProduct(api, { overrides: { price: 3 } });
  const before = await footprint(api.orgId);
  const page = await browser.get(pathOf(product));
  expect(page.status).toBe(200);
  expect(page.text).not.toMatch(/Bearbeiten|Zurücksetzen|Herausnehmen|Aus dem Sortiment nehmen</);
  expect((await browser.get(ADD)).text).toContain('Aufnehmen können Inhaber und Apotheker');
  expect((await browser.get(PRODUCTS)).text).not.toContain(ADD);
  const { token } = page;
  for (const [path, fields] of dataActs(api, product)) {
    const answer = await browser.post(path, { form_token: token, ...fields });
    expect([path, answer.status]).toEqual([path, 403]);
    expect(answer.text).toContain('Dafür fehlt Ihnen die Berechtigung');
  }
  for (const sub of ['/edit', '/remove', `/shops/${api.shopId}`, `/shops/${api.shopId}/detach`]) {
    expect(await browser.get(pathOf(product, sub)), sub).toMatchObject({ status: 403 });
  }
  expect(await footprint(api.orgId)).toEqual(before);
});

test('another organization’s products and shops are not there, and no form goes without its token', async () => {
  const [api, other] = [await openOrganizationApi(), await openOrganizationApi()];
  const { browser } = await enter(api.orgId, 'owner');
  const product = await attachNewProduct(other);
  const before = await footprint(other.orgId, api.orgId);
  const { token } = await browser.get(ADD);
  const gets = ['', '/edit', '/remove', `/shops/${other.shopId}`, `/shops/${other.shopId}/detach`];
  for (const sub of gets) expect(await browser.get(pathOf(product, sub)), sub).toMatchObject({ status: 404 });
  const stock = { p1_id: product.p1_id, change: '+1', reason: 'other' };
  const acts: [string, Record<string, string>][] = [
    ...dataActs(other, product).filter(([path]) => path !== ADD),
    [PRODUCTS, stock],
    [pathOf(product, '/stock'), stock],
    [pathOf(product, '/threshold'), { threshold: '1' }],
  ];
  for (const [path, fields] of acts) {
    expect([path, (await browser.post(path, { form_token: token, ...fields })).status]).toEqual([path, 404]);
    expect([path, (await browser.post(path, fields)).status]).toEqual([path, 403]);
  }
  // A product of one's own in a shop of theirs.
  const own = await holdProduct(api);
  const mixed = dataActs(other, own).filter(([path]) => path.includes('/shops/'));
  const since = await footprint(other.orgId, api.orgId);
  for (const [path, fields] of mixed.filter(([, { name }]) => name !== undefined)) {
    expect([path, (await browser.post(path, { form_token: token, ...fields })).status]).toEqual([path, 404]);
  }
  expect(await browser.post(pathOf(own, `/shops/${other.shopId}/attach`), { form_token: token })).toMatchObject({
    status: 404,
  });
  expect(await footprint(other.orgId, api.orgId)).toEqual(since);
  expect(before).not.toEqual(since);
});

test('whatever a product is called, it is text, and whatever its id holds, it has a page', async ({ api }) => {
  const { browser } = await enter(api.orgId, 'owner');
  const name = `${SCRIPTED}${'lang '.repeat(20)}`.trim();
  const p1_id = `A/B ?#%2F"<b>${newId()}`;
  const product = await importProduct({ name, category: SCRIPTED.trim(), p1_id });
  const added = { p1_id, initial_stock: '3' };
  expect(await browser.submit(ADD, added)).toMatchObject({ status: 303 });
  expect(await browser.submit(pathOf(product, `/shops/${api.shopId}/attach`), {}, ADD)).toMatchObject({ status: 303 });
  const shop = `/shops/${api.shopId}`;
  const pages = [
    PRODUCTS,
    `${ADD}?q=alert`,
    ...['', '/edit', '/remove', shop, `${shop}/detach`].map((sub) => pathOf(product, sub)),
  ];
  for (const path of pages) {
    for (const language of ['de', 'en']) {
      const page = await browser.get(path, { 'Accept-Language': language });
      expect([path, page.status]).toEqual([path, 200]);
      expect(page.text).toContain('&lt;script&gt;alert(1)');
      expect(page.text).not.toContain('<script>alert');
      expect(page.text).not.toContain('<b>');
      expect(page.text).toContain(`<html lang="${language}">`);
      for (const [, id] of page.text.matchAll(/<(?:input|select|textarea) id="([^"]+)"/g)) {
        expect(page.text, id).toContain(`<label for="${id}"`);
      }
      if (language === 'en')
        expect(page.text.replaceAll('Deutsch', '')).not.toMatch(/Bestand|Sortiment|Katalog|geerbt|Preis/);
    }
  }
  expect(await browser.submit(PRODUCTS, { p1_id, change: '-4', reason: 'other' }, PRODUCTS)).toMatchObject({
    status: 400,
  });
  expect(await browser.submit(pathOf(product, '/remove'), {}, PRODUCTS)).toMatchObject({ status: 303 });
});

test('pages cost two round trips, however large the inventory; the list reads what it shows', async ({ api }) => {
  const { browser } = await enter(api.orgId, 'owner');
  const count = 10_000;
  const run = await stockUp(api, count);
  await rows(
    "update inventory set stock_quantity = 0, stock_version = stock_version + 1 where org_id = ? and p1_id like '%999'",
    api.orgId,
  );
  const p1_id = `'${run}-' || printf('%05d', i)`;
  await insertRows('listings', count, { p1_id, org_id: quoted(api.orgId), shop_id: quoted(api.otherShopId) });
  const cost = (path: string) => costOf(async () => expect((await browser.get(path)).status).toBe(200));
  const session = await cost('/manage/account');
  // Of each row: inventory, catalog, organization, and twice its two listings; one row more tells that there is a next page.
  // For the tabs: blocks of products, what runs low, the shops.
  const perPage = 36 * (3 + 4) + Math.ceil(count / 128) + 60;
  for (const after of ['', `${run}-05000`, `${run}-09900`]) {
    const { roundTrips, rowsRead, rowsWritten } = await cost(`${PRODUCTS}?after=${after}`);
    expect({ roundTrips, rowsWritten }).toEqual({ roundTrips: 2, rowsWritten: 0 });
    expect(rowsRead - session.rowsRead).toBeLessThanOrEqual(perPage);
  }
  for (const query of ['stock=low', 'stock=out', 'q=produkt 9999', `q=${run}-09999`, 'q=nothing']) {
    const { roundTrips, rowsRead } = await cost(`${PRODUCTS}?${query}`);
    expect(roundTrips).toBe(2);
    // A filter looks at the organization's inventory once, never at more.
    expect([query, rowsRead - session.rowsRead <= 3 * count + perPage]).toEqual([query, true]);
  }
  const first = { p1_id: `${run}-00000` };
  for (const path of [
    ADD,
    `${ADD}?q=${run}`,
    pathOf(first),
    pathOf(first, '/edit'),
    pathOf(first, `/shops/${api.shopId}`),
  ]) {
    const { roundTrips, rowsRead } = await cost(path);
    expect([path, roundTrips]).toEqual([path, 2]);
    if (!path.includes('q=')) expect([path, rowsRead - session.rowsRead <= 80]).toEqual([path, true]);
  }
  const { token } = await browser.get(PRODUCTS);
  const change = { form_token: token, p1_id: first.p1_id, change: '+1', reason: 'count' };
  const written = await costOf(() => browser.post(PRODUCTS, change));
  expect(written).toMatchObject({ roundTrips: 3 });
}, 60_000);

test('a product is found by its PZN, typed, scanned or within a DataMatrix, and its pages show it', async ({
  api,
  browser,
}) => {
  const pzn = newPzn();
  const [held, other] = [await holdProduct(api, { pzn }), await holdProduct(api, { pzn: newPzn() })];
  const waiting = await importProduct({ pzn });
  const ntin = `04150${pzn}`;
  for (const code of [
    pzn,
    `-${pzn}`,
    `ß${pzn}`,
    `01${ntin}${gtinCheckDigit(ntin)}1728123110A1\u001d21SERIAL0123456789012`,
  ]) {
    const q = encodeURIComponent(code);
    const page = await browser.get(`${PRODUCTS}?q=${q}`);
    expect(listed(page), code).toEqual([held.slug]);
    expect(page.text).toContain(`<bdi>${pzn}</bdi>`);
    expect(listed(await browser.get(`${ADD}?q=${q}`)).sort(), code).toEqual([held.slug, waiting.slug].sort());
  }
  expect((await browser.get(pathOf(held))).text).toContain(`PZN ${pzn}`);
  expect((await browser.get(pathOf(other))).text).not.toContain(pzn);
  // A number that is no PZN is text.
  const wrong = `${pzn.slice(0, 7)}${(Number(pzn[7]) + 1) % 10}`;
  expect(listed(await browser.get(`${PRODUCTS}?q=${wrong}`))).toEqual([]);
});
