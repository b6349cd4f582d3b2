import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalog } from '../../scripts/assortment';
import { launchChromium } from '../../scripts/chromium';
import { enter, IBUPROFEN, openPharmacy, type Pharmacy, startedService, submit } from './support/fixtures';

const REQUESTS = '/manage/requests';
/** Of the demo's catalog (scripts/assortment.ts). */
const PARACETAMOL = 'P1-10005';
const ASS_100 = 'P1-10012';
const CETIRIZIN = 'P1-10037';
const SALBE = 'P1-10029';
const METFORMIN = 'P1-10061';
const STOCKS = { [PARACETAMOL]: 40, [ASS_100]: 40, [CETIRIZIN]: 40, [SALBE]: 3, [METFORMIN]: 40 };
const NO_PRESCRIPTION = { prescription_pdf_base64: undefined };

let browser: Browser;
let pharmacy: Pharmacy;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  pharmacy = await openPharmacy(startedService(), 'Positions-Apotheke');
  for (const [p1_id, initial_stock] of Object.entries(STOCKS)) {
    await pharmacy.call('POST', '/products/add-to-inventory', { p1_id, initial_stock });
    await pharmacy.call('POST', '/shops/attach-product', { shop_id: pharmacy.shopId, p1_id });
  }
  ({ page } = await enter(browser, pharmacy, 'pharmacist'));
});

afterAll(() => browser?.close());

const pathOf = (id: string) => `${REQUESTS}/${id}`;
const isPending = async (id: string) =>
  (await (await page.request.get(pathOf(id))).text()).includes(`${pathOf(id)}/approve`);
const said = async (row: number) =>
  (await page.locator(`#line-${row} .flag`).allInnerTexts()).join(' ').replace(/\s+/g, ' ').trim();

/** Opens a request with one item, without a prescription. */
async function open(item: Record<string, unknown>): Promise<string> {
  const id = await submit(pharmacy, { ...NO_PRESCRIPTION, items: [{ quantity: 1, ...item }] });
  await page.goto(pathOf(id));
  return id;
}

/** Presses the decision. @returns whether it was made */
async function approve(id: string): Promise<boolean> {
  await expect.poll(() => page.locator('.stale').count()).toBe(0);
  await Promise.all([page.waitForEvent('domcontentloaded'), page.locator('main [data-decide]').click()]);
  return !(await isPending(id));
}

const PARACETAMOL_ITEM = { name: 'Paracetamol 500 mg Tabletten, 10 St', p1_id: PARACETAMOL, price: 2.95 };

test('what differs is marked at its line, and goes with one button', async () => {
  const id = await submit(pharmacy, {
    items: [{ name: 'Ibuprofen 400 mg Filmtabletten, 100 St', p1_id: IBUPROFEN, quantity: 1, price: 4.95 }],
  });
  await page.goto(pathOf(id));
  expect(await said(0)).toContain('Andere Gesamtmenge: 20 St statt 100 St');
  expect(await page.locator('#line-0 mark').allInnerTexts()).toEqual(['100\u00a0St']);
  // Five packs of twenty are the hundred that were asked for: nothing is left to be acknowledged.
  await page.locator('#line-0 .flag [name="set"]').click();
  await expect.poll(() => said(0)).toBe('');
  expect(await page.locator('[name="quantity-0"]').inputValue()).toBe('5');
});

test('a button of a line decides nothing, with or without the script, and keeps what was typed', async () => {
  const id = await submit(pharmacy, { ...NO_PRESCRIPTION, items: [{ ...PARACETAMOL_ITEM, quantity: 1, price: 5 }] });
  const storageState = await page.context().storageState();
  const context = await browser.newContext({
    javaScriptEnabled: false,
    storageState,
    baseURL: startedService().demo.base_url,
    locale: 'de-DE',
  });
  const plain = await context.newPage();
  for (const each of [page, plain]) {
    await each.goto(pathOf(id));
    if (each === plain) await each.locator('#change-0').click();
    await each.locator('[name="note"]').fill('ruft an');
    await each.locator('#line-0 .flag [name="set"]').click();
    await expect.poll(() => each.locator('[name="price-0"]').inputValue()).toBe('2,95');
    await expect.poll(() => each.locator('[name="acknowledged"]').count()).toBe(0);
    expect(await each.locator('[name="note"]').inputValue()).toBe('ruft an');
    expect(await isPending(id)).toBe(true);
  }
  await context.close();
});

test('the button of a line looks for what was asked for; what is not taken leaves the line as it was', async () => {
  const [name = ''] =
    catalog()
      .find(({ p1_id }) => p1_id === CETIRIZIN)
      ?.name.split(' ') ?? [];
  await open({ name, price: 1 });
  const field = page.locator('[name="product-0"]');
  const before = await field.inputValue();
  const find = page.getByRole('button', { name: 'Produkt suchen' }).first();
  const choice = page.locator(`[data-product="${CETIRIZIN}"]`);
  await find.click();
  await choice.waitFor();
  await page.locator('[name="quantity-0"]').focus();
  expect(await field.inputValue()).toBe(before);
  await find.click();
  // Typing replaces the words that were searched for, and nothing is checked before a product is taken.
  await page.keyboard.type('nirgends');
  await page.getByText('Kein Produkt Ihres Sortiments gefunden.').waitFor();
  expect(await field.inputValue()).toBe('nirgends');
  expect(await page.locator('#line-0').innerText()).not.toContain('nirgends');
  await find.click();
  await choice.click();
  expect(await field.inputValue()).toBe(CETIRIZIN);
});

test('an item is added by its code, and a removed one is shown and put back', async () => {
  const id = await open({ ...PARACETAMOL_ITEM });
  const added = catalog().find(({ p1_id }) => p1_id === CETIRIZIN);
  await page.locator('[data-adds]').fill(added?.pzn ?? '');
  await page.locator('#line-1').waitFor();
  const line = await page.locator('#line-1 tr:first-child').innerText();
  expect(line.replaceAll('\u00a0', ' ')).toContain(added?.name);
  expect(await page.locator('[name="quantity-1"]').inputValue()).toBe('1');
  // Its fields are open, and the button that takes it out again.
  await page.locator('#line-1').getByRole('button', { name: 'Streichen' }).click();
  await expect.poll(() => page.locator('#line-1 tr:first-child del').count()).toBe(1);
  await page.getByRole('button', { name: 'Zurücknehmen' }).click();
  await expect.poll(() => page.locator('#line-1 tr:first-child del').count()).toBe(0);
  expect(await approve(id)).toBe(true);
});
