import { fieldOn } from '../support/html';
import { callApi, holdProduct, importProduct, type OrganizationApi, succeeded } from '../support/organization';
import { auditOf, rowsOf } from '../support/rows';
import { test as base, expect } from '../support/test';
import { enter } from './browser';

const IMPORT = '/manage/inventory-import';

const test = base.extend('browser', async ({ api }) => (await enter(api.orgId, 'pharmacist')).browser);
type Browser = Awaited<ReturnType<typeof enter>>['browser'];

async function formWith(
  browser: Browser,
  content: string | Uint8Array<ArrayBuffer>,
  reason: string,
): Promise<FormData> {
  const { token, text } = await browser.get(IMPORT);
  const form = new FormData();
  form.set('form_token', token);
  form.set('form_id', fieldOn(text, 'form_id'));
  form.set('reason', reason);
  form.set('stock_file', new File([content], 'bestand.csv', { type: 'text/csv' }));
  return form;
}

/** Sends a file, and looks at the page that tells what became of it. */
async function send(browser: Browser, content: string | Uint8Array<ArrayBuffer>, reason = 'count') {
  return sendForm(browser, await formWith(browser, content, reason));
}

async function sendForm(browser: Browser, body: FormData) {
  const page = await browser.send(IMPORT, { method: 'POST', body });
  return page.status === 303 ? browser.get(page.location ?? '') : page;
}

async function stockOf(api: OrganizationApi, p1_id: string) {
  return succeeded(await callApi(api, 'GET', `/inventory/${p1_id}`));
}

test('a file sets stocks by the command of the API, and each line that is not taken is told with its reason', async ({
  api,
  browser,
}) => {
  const [counted, moved] = [
    await holdProduct(api, { stock: 5 }),
    await holdProduct(api, { stock: 5, pzn: '01126619' }),
  ];
  const fresh = await importProduct();
  const lines = [
    'P1_ID;PZN;on_hand;delta;price;add;reference',
    `${counted.p1_id};;7;;4,95;;Inventur`,
    ';1126619;;-2;;;',
    `${fresh.p1_id};;3;;;ja;`,
    'P1-nirgends;;1;;;;',
    `${counted.p1_id};;9;;;;`,
    `${moved.p1_id};;1;1;;;`,
    ';;1;;;;',
    'zu;kurz',
  ];
  const page = await send(browser, `\uFEFF${lines.join('\r\n')}`);
  expect(page.status).toBe(200);
  expect(page.text).toContain('1 aufgenommen, 2 geändert, 5 nicht übernommen');
  for (const said of [
    'Der Katalog kennt das Produkt nicht.',
    'steht schon in einer Zeile davor',
    'andere Zahl von Spalten',
  ]) {
    expect(page.text).toContain(said);
  }
  expect(await stockOf(api, counted.p1_id)).toMatchObject({ on_hand: 7, price: 4.95 });
  expect(await stockOf(api, moved.p1_id)).toMatchObject({ on_hand: 3 });
  expect(await stockOf(api, fresh.p1_id)).toMatchObject({ on_hand: 3 });
  const [movement] = await rowsOf('stock_movements', { org_id: api.orgId, p1_id: counted.p1_id, reason: 'count' });
  expect(movement).toMatchObject({ reference: 'Inventur', actor_kind: 'staff' });
  expect(await auditOf(api.orgId, { action: 'inventory.changed' })).toHaveLength(1);
});

test('more lines than one command takes are several', async ({ api, browser }) => {
  const { p1_id } = await holdProduct(api, { stock: 5 });
  const unknown = Array.from({ length: 700 }, (_, index) => `P1-nirgends-${index},1`);
  const page = await send(browser, ['p1_id,stock_quantity', ...unknown, `${p1_id},9`].join('\n'));
  expect(page.text).toContain('1 geändert, 700 nicht übernommen');
  expect(page.text).toContain('und 500 weitere Zeilen');
  expect(await stockOf(api, p1_id)).toMatchObject({ stock_quantity: 9 });
});

test.for<[string | Uint8Array<ArrayBuffer>, string]>([
  ['', 'Bitte eine Datei wählen.'],
  ['p1_id\nP1-1', 'Die erste Zeile nennt die Spalten nicht'],
  ['p1_id,stock\nP1-1,3', 'Die erste Zeile nennt die Spalten nicht'],
  ['p1_id,delta,delta\nP1-1,3,3', 'Die erste Zeile nennt die Spalten nicht'],
  [new Uint8Array([0x70, 0xe4, 0x0a]), 'Die Datei ist nicht in UTF-8.'],
  [`p1_id,delta\n${'P1-1,1\n'.repeat(5_001)}`, 'Die Datei hat zu viele Zeilen.'],
  ['x'.repeat(1_200_000), 'Die Datei ist zu groß.'],
])('a file that cannot be taken is refused whole (%#)', async ([content, said], { browser }) => {
  const page = await send(browser, content);
  expect(page.status).toBe(400);
  expect(page.text).toContain(said);
});

test('a reason is asked for; who may not change products changes stocks alone', async ({ api, browser }) => {
  const { p1_id } = await holdProduct(api, { stock: 5 });
  expect((await send(browser, `p1_id,delta\n${p1_id},1`, '')).status).toBe(400);
  const staff = (await enter(api.orgId, 'staff')).browser;
  expect((await send(staff, `p1_id,delta\n${p1_id},1`)).text).toContain('1 geändert');
  expect((await send(staff, `p1_id,price\n${p1_id},1`)).status).toBe(403);
  expect(await stockOf(api, p1_id)).toMatchObject({ stock_quantity: 6, price: 4.95 });
});

test('what a line calls its product is shown as text', async ({ browser }) => {
  const page = await send(browser, 'p1_id,delta\n<script>alert(1)</script>,1');
  expect(page.text).not.toContain('<script>alert');
  expect(page.text).toContain('&lt;script&gt;alert');
});

test('a form that is sent again changes nothing more', async ({ api, browser }) => {
  const held = await Promise.all(Array.from({ length: 2 }, () => holdProduct(api, { stock: 5 })));
  // In the second command, whose first one changes nothing.
  const unknown = Array.from({ length: 499 }, (_, index) => `P1-nirgends-${index},1`);
  for (const [index, lines] of [
    [`${held[0]?.p1_id},1`],
    [...unknown, 'P1-nirgends,1', `${held[1]?.p1_id},1`],
  ].entries()) {
    const form = await formWith(browser, ['p1_id,delta', ...lines].join('\n'), 'delivery');
    expect((await sendForm(browser, form)).text).toContain('1 geändert');
    const again = await sendForm(browser, form);
    expect(again.text).toContain('Das Ergebnis wurde schon einmal gezeigt');
    expect(await stockOf(api, held[index]?.p1_id ?? '')).toMatchObject({ stock_quantity: 6 });
  }
});
