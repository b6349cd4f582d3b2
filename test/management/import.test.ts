import { sweepImports } from '../../src/inventory/imports/imports';
import { IMPORT_PART_LINES } from '../../src/inventory/limits';
import { DAY_MS } from '../../src/platform/time';
import { costOf } from '../support/cost';
import { faultyDatabase } from '../support/faults';
import { fieldOn, PAGE_BYTES_MAX, sentBytes } from '../support/html';
import { callApi, holdProduct, importProduct, newPzn, type OrganizationApi, succeeded } from '../support/organization';
import { auditOf, rowsOf } from '../support/rows';
import { test as base, expect } from '../support/test';
import { rows, systemContext } from '../support/world';
import { enter } from './browser';

const IMPORT = '/manage/inventory-import';
const test = base.extend('browser', async ({ api }) => (await enter(api.orgId, 'pharmacist')).browser);
type Browser = Awaited<ReturnType<typeof enter>>['browser'];
type Content = string | Uint8Array<ArrayBuffer>;

async function formWith(browser: Browser, content: Content, fields: Record<string, string> = {}): Promise<FormData> {
  const { token, text } = await browser.get(IMPORT);
  const form = new FormData();
  form.set('form_token', token);
  form.set('form_id', fieldOn(text, 'form_id'));
  form.set('reason', '');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('stock_file', new File([content], 'bestand.csv', { type: 'text/csv' }));
  return form;
}

/** Sends a file. @returns the path of its preview */
async function keep(browser: Browser, content: Content, fields: Record<string, string> = {}): Promise<string> {
  const sent = await browser.send(IMPORT, { method: 'POST', body: await formWith(browser, content, fields) });
  expect([sent.status, sent.text]).toEqual([303, '']);
  return sent.location ?? '';
}

const run = (browser: Browser, path: string) => browser.submit(`${path}/run`, {}, path);

async function runAll(browser: Browser, path: string): Promise<void> {
  const parts = await rows('select 1 from inventory_import_parts where import_id = ?', path.split('/').at(-1) ?? '');
  for (const _ of parts) expect(await run(browser, path)).toMatchObject({ status: 303, location: path });
}

async function stockOf(api: OrganizationApi, p1_id: string) {
  return succeeded(await callApi(api, 'GET', `/inventory/${p1_id}`));
}

const wordsOf = (text: string) => text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const unknown = (count: number) => Array.from({ length: count }, (_, index) => `P1-nirgends-${index};1`);

test('a file is shown before it changes anything, then carried out, and its report gives back what failed', async ({
  api,
  browser,
}) => {
  const pzn = newPzn();
  const [counted, moved] = [await holdProduct(api, { stock: 5 }), await holdProduct(api, { stock: 5, pzn })];
  const fresh = await importProduct();
  const lines = [
    'P1_ID;PZN;on_hand;delta;price;add;reference',
    `${counted.p1_id};;7;;4,95;;Inventur`,
    `;${pzn};;-2;;;`,
    `${fresh.p1_id};;3;;;ja;`,
    'P1-nirgends;;1;;;;',
    `${counted.p1_id};;9;;;;`,
    `${moved.p1_id};;;-1;;;`,
    ';;1;;;;',
    'zu;kurz',
    ';-0012;;1;;;',
  ];
  const path = await keep(browser, `\uFEFF${lines.join('\r\n')}`);
  const preview = wordsOf((await browser.get(`${path}?show=failed`)).text);
  expect(preview).toContain('Noch ist nichts geändert.');
  expect(preview).toContain('Abgelehnt 6 Ändert sich 2 Kommt dazu 1 Bleibt 0');
  expect(preview).toContain('Der Katalog kennt das Produkt nicht.');
  const changes = wordsOf((await browser.get(`${path}?show=updated`)).text);
  expect(changes).toContain('Lagerbestand 5 wird 7 · Verfügbar 5 wird 7 · Eigener Preis – wird 4,95');
  expect(await stockOf(api, counted.p1_id)).toMatchObject({ on_hand: 5 });
  await runAll(browser, path);
  const report = await browser.get(path);
  expect(wordsOf(report.text)).toContain('1 aufgenommen, 2 geändert, 6 nicht übernommen');
  expect(await stockOf(api, counted.p1_id)).toMatchObject({ on_hand: 7, price: 4.95 });
  expect(await stockOf(api, moved.p1_id)).toMatchObject({ on_hand: 3 });
  expect(await stockOf(api, fresh.p1_id)).toMatchObject({ on_hand: 3 });
  const [movement] = await rowsOf('stock_movements', { org_id: api.orgId, p1_id: counted.p1_id, reason: 'count' });
  expect(movement).toMatchObject({ reference: 'Inventur', actor_kind: 'staff' });
  expect(await auditOf(api.orgId, { action: 'inventory.changed' })).toHaveLength(1);

  const failed = await browser.get(`${path}/failed`);
  expect(failed.headers.get('Content-Disposition')).toContain('nicht-uebernommen.csv');
  const [head, ...rest] = failed.text.split('\r\n');
  expect(head).toContain('"P1_ID";"PZN";"on_hand";"delta";"price";"add";"reference";"Zeile";"Warum nicht"');
  expect(rest[0]).toBe('"P1-nirgends";"";"1";"";"";"";"";"5";"Der Katalog kennt das Produkt nicht."');
  // A change with a sign stays a number, and the file can be imported again.
  expect(rest[2]).toContain(`"${moved.p1_id}";"";"";"-1"`);
  // The number of a pack keeps its zeros.
  expect(rest[5]).toContain(`"";"'-0012";"";"1"`);
  const again = await keep(browser, failed.text);
  expect(wordsOf((await browser.get(again)).text)).toContain('Nicht gelesene Spalten: Zeile, Warum nicht');
  expect(wordsOf((await browser.get(again)).text)).toContain('Ändert sich 2');
});

test('a long file is carried out in parts, each once: doubled, at the same time, and when the answer is lost', async ({
  api,
  browser,
}) => {
  const held = await Promise.all(Array.from({ length: 3 }, () => holdProduct(api, { stock: 5 })));
  const [first, second, third] = held.map(({ p1_id }) => `${p1_id};+1`);
  const lines = [
    'p1_id;delta',
    first,
    ...unknown(IMPORT_PART_LINES - 1),
    second,
    ...unknown(IMPORT_PART_LINES - 1).map((line) => `x${line}`),
    third,
  ];
  const form = await formWith(browser, lines.join('\n'));
  const [path = '', same] = [
    (await browser.send(IMPORT, { method: 'POST', body: form })).location ?? '',
    (await browser.send(IMPORT, { method: 'POST', body: form })).location,
  ];
  expect(same).toBe(path);
  const stocks = async () => (await Promise.all(held.map(({ p1_id }) => stockOf(api, p1_id)))).map((of) => of.on_hand);

  const { token } = await browser.get(path);
  const send = () => browser.post(`${path}/run`, { form_token: token });
  expect((await Promise.all([send(), send()])).map(({ status }) => status)).toEqual([303, 303]);
  // The one that came second has found the first part done, and carried out the next, or nothing.
  const [one, two] = await stocks();
  expect(one).toBe(6);
  expect([5, 6]).toContain(two);
  const running = await browser.get(path);
  expect(await costOf(() => browser.get(path))).toMatchObject({ roundTrips: 2 });
  expect(running.text).toContain('data-continue');
  expect(wordsOf(running.text)).toMatch(/(100|200) von 201 Zeilen sind übernommen/);

  // Whatever batch is carried out without an answer, once more nothing is booked twice.
  for (const batch of [2, 3]) {
    for (const how of ['an error that is not sent again', 'a transient error'] as const) {
      browser.env = { DB: faultyDatabase({ batch, how: `is carried out and its answer lost, ${how}` }).DB };
      await send();
      browser.env = {};
    }
  }
  await runAll(browser, path);
  expect(await stocks()).toEqual([6, 6, 6]);
  expect(await rowsOf('stock_movements', { org_id: api.orgId, reason: 'delivery' })).toHaveLength(3);
  expect(wordsOf((await browser.get(path)).text)).toContain('3 geändert, 198 nicht übernommen');
  expect(wordsOf((await browser.get(path)).text)).toContain('und 98 weitere Zeilen');
  // What became of a part stays, whoever writes.
  await expect(rows("update inventory_import_parts set outcome = '[]'")).rejects.toThrow('inventory_import_parts_once');
});

test.for<[Content, string]>([
  ['', 'Bitte eine Datei wählen.'],
  ['p1_id\nP1-1', 'Die erste Zeile nennt die Spalten nicht'],
  ['PK\u0003\0', 'Das ist keine CSV-Datei.'],
  [`p1_id,delta\n${'P1-1,1\n'.repeat(20_001)}`, 'Die Datei hat zu viele Zeilen.'],
  ['x'.repeat(2_300_000), 'Die Datei ist zu groß.'],
])('a file that cannot be taken is refused whole (%#)', async ([content, said], { browser }) => {
  const page = await browser.send(IMPORT, { method: 'POST', body: await formWith(browser, content) });
  expect(page.status).toBe(400);
  expect(page.text).toContain(said);
});

test('who may not change products sees which lines would, and changes stocks alone', async ({ api, browser }) => {
  const [one, two] = [await holdProduct(api, { stock: 5 }), await holdProduct(api, { stock: 5 })];
  const staff = (await enter(api.orgId, 'staff')).browser;
  const path = await keep(staff, `p1_id,delta,price\n${one.p1_id},1,\n${two.p1_id},1,1`, { reason: 'return' });
  expect(wordsOf((await staff.get(`${path}?show=failed`)).text)).toContain(
    'Preise und Schritte ändern und Produkte aufnehmen dürfen',
  );
  await runAll(staff, path);
  expect(await stockOf(api, one.p1_id)).toMatchObject({ stock_quantity: 6 });
  expect(await stockOf(api, two.p1_id)).toMatchObject({ stock_quantity: 5, price: 4.95 });
  expect(await rowsOf('stock_movements', { org_id: api.orgId, reason: 'return' })).toHaveLength(1);
  // Prices of a colleague: carried out by nobody who must not.
  const owners = await keep(browser, `p1_id,price\n${one.p1_id},1`);
  expect(await run(staff, owners)).toMatchObject({ status: 403 });
});

test('a file is pasted, too, and what a line calls its product is shown as text', async ({ browser }) => {
  const fields = { stock_text: 'p1_id\tdelta\n<script>alert(1)</script>\t1' };
  const page = await browser.get(await keep(browser, '', fields));
  expect(page.text).not.toContain('<script>alert');
  expect(page.text).toContain('&lt;script&gt;alert');
});

test('an import is the organization’s own, and ends', async ({ api, browser, seller }) => {
  const { p1_id } = await holdProduct(api, { stock: 5 });
  const path = await keep(browser, `p1_id,delta\n${p1_id},1`);
  expect((await browser.get(IMPORT)).text).toContain(path);
  const stranger = (await enter(seller.orgId, 'owner')).browser;
  for (const of of [path, `${path}/failed`]) expect(await stranger.get(of)).toMatchObject({ status: 404 });
  expect(await stranger.submit(`${path}/run`, {}, IMPORT)).toMatchObject({ status: 404 });
  const later = () => Date.now() + 8 * DAY_MS;
  await sweepImports(systemContext({ now: later }).ctx);
  expect(await browser.get(path)).toMatchObject({ status: 404 });
  expect(await rowsOf('inventory_import_parts', { import_id: path.split('/').at(-1) ?? '' })).toEqual([]);
});

test('a round trip previews a part of 100 lines, and a command carries it out', async ({ api, browser }) => {
  const { p1_id } = await holdProduct(api, { stock: 5 });
  const content = ['p1_id;delta', ...unknown(4 * IMPORT_PART_LINES - 1), `${p1_id};1`].join('\n');
  const form = await formWith(browser, content);
  let path = '';
  const kept = await costOf(async () => {
    path = (await browser.send(IMPORT, { method: 'POST', body: form })).location ?? '';
  });
  // Session, a round trip for each part, and what is written.
  expect(kept).toMatchObject({ roundTrips: 1 + 4 + 1 });
  const page = await costOf(() => browser.get(path));
  expect(page).toMatchObject({ roundTrips: 3 });
  expect(await sentBytes((await browser.get(path)).text)).toBeLessThan(PAGE_BYTES_MAX);
  expect((await costOf(() => run(browser, path))).roundTrips).toBeLessThanOrEqual(2 + 4);
  expect(
    await rows('select 1 from inventory_import_parts where import_id = ?', path.split('/').at(-1) ?? ''),
  ).toHaveLength(4);
});

test('an upload that ended half way is not shown, and the same form sends it again', async ({ api, browser }) => {
  const form = await formWith(browser, ['p1_id;delta', ...unknown(3 * IMPORT_PART_LINES)].join('\n'));
  const send = () => browser.send(IMPORT, { method: 'POST', body: form });
  browser.env = { DB: faultyDatabase({ batch: 4, how: 'is not carried out, an error that is not sent again' }).DB };
  expect((await send()).status).toBe(502);
  browser.env = {};
  const [{ id } = { id: '' }] = await rows<{ id: string }>(
    'select id from inventory_imports where org_id = ?',
    api.orgId,
  );
  expect(await rowsOf('inventory_import_parts', { import_id: id })).toHaveLength(1);
  expect(await browser.get(`${IMPORT}/${id}`)).toMatchObject({ status: 404 });
  expect((await browser.get(IMPORT)).text).not.toContain(id);
  expect((await send()).location).toBe(`${IMPORT}/${id}`);
  expect(wordsOf((await browser.get(`${IMPORT}/${id}`)).text)).toContain('Abgelehnt 300');
});

test('a line whose P1-ID and PZN name different products is refused, others are taken', async ({ api, browser }) => {
  const [one, other] = [await holdProduct(api, { pzn: newPzn(), stock: 5 }), await holdProduct(api, { pzn: newPzn() })];
  const plain = await holdProduct(api, { stock: 5 });
  const content = [
    'P1-ID;PZN;Bestand',
    `${one.p1_id};${other.pzn};7`,
    `${other.p1_id};${other.pzn};8`,
    `${plain.p1_id};${one.pzn};9`,
    `${one.p1_id};;6`,
  ];
  const path = await keep(browser, content.join('\n'));
  await runAll(browser, path);
  const stocks = await Promise.all([one, other, plain].map(({ p1_id }) => stockOf(api, p1_id)));
  expect(stocks.map(({ on_hand }) => on_hand)).toEqual([6, 8, 5]);
  expect((await browser.get(`${path}?show=failed`)).text).toContain('verschiedenen Produkten');
});

test('a file adds own products where the catalog has none, and changes them when it comes again', async ({
  api,
  browser,
}) => {
  const [known, own] = [await importProduct({ pzn: newPzn() }), newPzn()];
  const file = (stock: number) =>
    [
      'PZN;Bezeichnung;Preis;Bestand;anlegen;Einheit;Gebinde;THC;Rezeptpflichtig',
      `${own};Gorilla Glue;8,75;${stock};ja;Gramm;5;24,5 %;ja`,
      `;Hausmischung Tee;4,95;${stock};ja;;;;`,
      `${known.pzn};Anderer Name;3,95;${stock};ja;;;;`,
      ';Ohne Preis;;1;ja;;;;',
      `;hausmischung  tee;1;${stock};ja;;;;`,
    ].join('\n');
  const first = await keep(browser, file(20));
  expect(wordsOf((await browser.get(first)).text)).toContain('Abgelehnt 2 Ändert sich 0 Kommt dazu 3');
  await runAll(browser, first);
  const held = async () => succeeded(await callApi(api, 'GET', '/inventory')).data;
  const [glue, tea] = (await held()).filter(({ p1_id }: { p1_id: string }) => p1_id.startsWith('own-'));
  expect([glue.name, tea.name].sort()).toEqual(['Gorilla Glue', 'Hausmischung Tee']);
  await runAll(browser, await keep(browser, file(25)));
  const again = await held();
  expect(again.map(({ on_hand }: { on_hand: number }) => on_hand)).toEqual([25, 25, 25]);
  expect(again.find(({ p1_id }: { p1_id: string }) => p1_id === known.p1_id)).toMatchObject({ price: 3.95 });
  const { p1_id } = again.find(({ name }: { name: string }) => name === 'Gorilla Glue');
  const made = { unit: 'g', unit_step: 5, thc_percent: 24.5, prescription_required: true, pzn: own };
  expect(succeeded(await callApi(api, 'PUT', `/products/${p1_id}`, { body: { price: 8.5 } }))).toMatchObject(made);
});
