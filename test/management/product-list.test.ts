import { gtinCheckDigit } from '../../src/codes/numbers';
import { shortNames } from '../../src/management/products/product-table';
import { openOrder } from '../support/order-flow';
import { attach, holdProduct, importProduct, newPzn, openOrganizationApi } from '../support/organization';
import { rowsOf } from '../support/rows';
import { test as base, expect } from '../support/test';
import { rows } from '../support/world';
import { enter } from './browser';

const PRODUCTS = '/manage/products';
const CATALOG = '/manage/catalog';
const test = base.extend('browser', async ({ api }) => (await enter(api.orgId, 'pharmacist')).browser);

test('words are found in any order, however umlauts are written', async ({ api, browser }) => {
  const product = await holdProduct(api, { name: 'Acetylsalicylsäure 500 mg Brausetabletten' });
  await holdProduct(api, { name: 'Acetylcystein 200 mg Brausetabletten' });
  for (const q of ['brause salicyl 500', 'saeure mg acetyl']) {
    const { text } = await browser.get(`${PRODUCTS}?q=${encodeURIComponent(q)}`);
    expect(
      [...text.matchAll(/<tr id="p-([\w-]+)"/g)].map(([, slug]) => slug),
      q,
    ).toEqual([product.slug]);
  }
});

test('a scanned pack has the focus on its stock, and once that is booked the field for scans has it', async ({
  api,
  browser,
}) => {
  const pzn = newPzn();
  const { p1_id } = await holdProduct(api, { pzn, stock: 5 });
  const ntin = `04150${pzn}`;
  const scan = `${PRODUCTS}?stock=out&q=${encodeURIComponent(`${ntin}${gtinCheckDigit(ntin)}`)}`;
  const found = await browser.get(scan);
  expect(found.text).toMatch(/name="change"[^>]* autofocus="" data-focus/);
  expect(found.text).not.toMatch(/name="q"[^>]* autofocus/);
  const path = /class="change"><form method="post" action="([^"]+)"/.exec(found.text)?.[1] ?? '';
  // With a fragment no field would have the focus.
  expect(path).toBe(`${PRODUCTS}?q=${pzn}`);
  const booked = await browser.submit(path, { p1_id, change: '+10' }, scan);
  const next = await browser.get(booked.location ?? '');
  expect(next.text).toContain('Der Bestand ist gebucht.');
  expect(next.text).toMatch(/name="q" type="search" value=""[^>]* data-scan="true" autofocus="" data-focus/);
  expect(next.text).not.toMatch(/name="change"[^>]* autofocus/);
  const movements = await rowsOf('stock_movements', { org_id: api.orgId, p1_id });
  expect(movements.map(({ delta, reason }) => [delta, reason])).toEqual([
    [5, 'initial'],
    [10, 'delivery'],
  ]);
});

test('a scanned pack that is not held leads to the catalog, and one that nobody knows is named', async ({
  api,
  browser,
}) => {
  const { pzn, p1_id } = await importProduct({ pzn: newPzn(), name: 'Neu im <Katalog>' });
  const missing = await browser.get(`${PRODUCTS}?q=${pzn}`);
  expect(missing.text).toContain(`PZN ${pzn} ist nicht im Sortiment, aber im Katalog:`);
  expect(missing.text).toContain('Neu im &lt;Katalog&gt;');
  expect(missing.text).toContain(`href="${CATALOG}?q=${pzn}"`);
  const offered = await browser.get(`${CATALOG}?q=${pzn}`);
  expect(offered.text).toMatch(/name="initial_stock"[^>]* autofocus="" data-focus/);
  const added = await browser.submit(`${CATALOG}?q=${pzn}`, { p1_id, initial_stock: '4', price: '' }, CATALOG);
  expect(added).toMatchObject({ status: 303, location: `${PRODUCTS}?q=${pzn}` });
  const staff = (await enter(api.orgId, 'staff')).browser;
  const other = await importProduct({ pzn: newPzn() });
  expect((await staff.get(`${PRODUCTS}?q=${other.pzn}`)).text).not.toContain(`href="${CATALOG}`);
  const unknown = newPzn();
  expect((await browser.get(`${PRODUCTS}?q=${unknown}`)).text).toContain(
    `PZN ${unknown} kennen weder Ihr Sortiment noch der Katalog.`,
  );
  expect((await browser.get(`${PRODUCTS}?q=4006381333931`)).text).toContain('(GTIN 04006381333931) steht keine PZN');
});

test('the tabs count what they show, and a row says which shops offer it', async () => {
  const api = await openOrganizationApi({ low_stock_threshold: 5 });
  const { browser } = await enter(api.orgId, 'staff');
  const { p1_id } = await holdProduct(api, { stock: 9 });
  await attach(api, p1_id);
  await holdProduct(api, { stock: 3 });
  await holdProduct(api, { stock: 0 });
  const { text } = await browser.get(PRODUCTS);
  expect(text).toContain('3 im Sortiment');
  const tabs = [...text.matchAll(/>([\wäöü ]+) <span class="count">([\d+]+)</g)].map(([, name, count]) => [
    name,
    count,
  ]);
  expect(tabs).toEqual([
    ['Ganzes Sortiment', '3'],
    ['Unter Meldebestand', '2'],
    ['Ausverkauft', '1'],
  ]);
  expect(text.match(/class="at"/g)).toHaveLength(1);
  expect(text.match(/class="at off"/g)).toHaveLength(5);
});

test.for<[string[], string[]]>([
  [
    ['Löwen Mitte', 'Löwen Nord'],
    ['Mitte', 'Nord'],
  ],
  [
    ['Löwen-Apotheke', 'Stern-Apotheke'],
    ['Löwen', 'Stern'],
  ],
  [
    ['Löwen', 'Löwen Nord'],
    ['Löwen', 'Löwen Nord'],
  ],
  [['Löwen-Apotheke am Markt'], ['Löwen Apotheke am Markt']],
  [[], []],
])('the marks of %j are %j', ([names, expected]) => {
  expect(shortNames(names.map((name) => ({ name })))).toEqual(expected);
});

test('the assortment is a file that no spreadsheet runs, and that the import knows', async ({ api, browser }) => {
  const pzn = newPzn();
  await holdProduct(api, { name: '=1+1', pzn, stock: 7, price: 4.5 });
  const file = await browser.get('/manage/inventory-export');
  expect(file.headers.get('Content-Disposition')).toBe('attachment; filename="sortiment.csv"');
  const [head, line] = file.text.split('\r\n');
  expect(head).toContain('"P1-ID";"PZN";"Name"');
  expect(line).toContain(`"${pzn}";"'=1+1"`);
  expect(line).toContain('"4,5";"4,95";"7";"0";"0";"7";"0"');
});

test('the movements of a product are a file with order and person, which says where it is cut', async ({
  api,
  browser,
}) => {
  const product = await holdProduct(api, { stock: 3 });
  const { number } = await openOrder(api, { items: [{ p1_id: product.p1_id, qty: 2, price: 1 }] });
  await browser.submit(PRODUCTS, { p1_id: product.p1_id, change: '+10', reason: 'delivery' }, PRODUCTS);
  const path = `${PRODUCTS}/${product.p1_id}`;
  const page = await browser.get(path);
  expect(page.text).toContain(`href="${path}/movements.csv"`);
  const file = await browser.get(`${path}/movements.csv`);
  expect(file.headers.get('Content-Disposition')).toBe('attachment; filename="bestandsbewegungen.csv"');
  const [head, ...lines] = file.text.trim().split('\r\n');
  expect(head).toContain('"Zeit";"Grund";"Referenz";"Bestellung";"Änderung";"Verfügbar";"Lagerbestand";"Wer"');
  expect(lines).toEqual([
    expect.stringMatching(/"Lieferung";"";"";"10";"11";"13";"Kim Öztürk"$/),
    expect.stringMatching(new RegExp(`"Bestellung";"";"${number}";"-2";"1";"3";".+ \\(API-Schlüssel\\)"$`)),
    expect.stringMatching(/"Anfangsbestand";"";"";"3";"3";"3";".+ \(API-Schlüssel\)"$/),
  ]);
  const copied = `insert into stock_movements 
      (id, org_id, p1_id, delta, stock_before, stock_after, on_hand_after, reason, actor_kind, created_at)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
    select 'x-' || i, org_id, p1_id, 0, 11, 11, 13, 'count', 'system', i from n, inventory where p1_id = ?`;
  await rows(copied, product.p1_id);
  const cut = (await browser.get(`${path}/movements.csv`)).text.trim().split('\r\n');
  expect(cut).toHaveLength(2002);
  expect(cut.at(-1)).toBe('"Nur die ersten 2000 Zeilen"');
  const { browser: stranger } = await enter((await openOrganizationApi()).orgId, 'owner');
  expect((await stranger.get(`${path}/movements.csv`)).status).toBe(404);
});
