import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { de } from '../support/messages';
import { rounds } from '../support/rounds';
import { AMOXICILLIN, enter, openPharmacy, type Pharmacy, startedService, submit, tickAll } from './support/fixtures';
import { scan } from './support/scanner';

const REQUESTS = '/manage/requests';
/** Each field and button is tried, or one of a few. */
const STEP = rounds(8, 1);
/** As scanners send them: a PZN with its prefix, with Caps Lock, a DataMatrix with letters that are shortcuts. */
const CODES = ['-04150001', 'A4150 R01', 'a415r0001', '010415000100001721281231r10a1', 'nnaarr'];

let browser: Browser;
let pharmacy: Pharmacy;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  pharmacy = await openPharmacy(startedService(), 'Scan-Apotheke');
  ({ page } = await enter(browser, pharmacy, 'owner'));
});

afterAll(() => browser?.close());

const shown = async (request: string) => (await page.request.get(`${REQUESTS}/${request}`)).text();
/** Only a page of a request that waits can approve. */
const isPending = async (request: string) => (await shown(request)).includes(`${REQUESTS}/${request}/approve`);
/** After this time the script has handled a scan. */
const settle = () => page.waitForTimeout(250);

let id: string;

beforeEach(async () => {
  id = await submit(pharmacy, { customer_name: 'Erika Mustermann' });
});

test('a scan with the focus on the page, twice, decides nothing and fills in the product field', async () => {
  for (const code of CODES) {
    await page.goto(`${REQUESTS}/${id}`);
    // A frame that loads late would take the focus and so the keys.
    await page.waitForLoadState('networkidle');
    await scan(page, code);
    await settle();
    await scan(page, code);
    await settle();
    expect(await isPending(id), code).toBe(true);
    expect(new URL(page.url()).pathname).toBe(`${REQUESTS}/${id}`);
    const field = page.getByRole('group', { name: de.requests.addLine }).getByRole('combobox');
    expect(await field.inputValue(), code).toBe(code);
    expect(await page.getByRole('dialog').count()).toBe(0);
  }
});

test('a scan into each field and on each button of a review, twice, decides nothing', async () => {
  await page.goto(`${REQUESTS}/${id}`);
  const count = await page.locator('main :is(input:not([type=hidden], [type=file]), select, button)').count();
  expect(count).toBeGreaterThan(8);
  for (let place = 0; place < count; place += STEP) {
    const code = CODES[place % CODES.length] ?? '';
    await page.goto(`${REQUESTS}/${id}`);
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll('details')) fold.open = true;
    });
    const element = page.locator('main :is(input:not([type=hidden], [type=file]), select, button)').nth(place);
    if (!(await element.isVisible())) continue;
    await element.focus();
    const name = await element.evaluate((each) => each.getAttribute('name') ?? each.textContent);
    await scan(page, code);
    await scan(page, code);
    await settle();
    expect(await isPending(id), `${name} ${code}`).toBe(true);
    expect(await shown(id), `${name} ${code}`).not.toContain(de.requests.saveAnswer);
  }
});

test('a scan on the inbox opens and decides nothing', async () => {
  for (const code of CODES) {
    await page.goto(REQUESTS);
    await scan(page, code);
    await scan(page, code);
    await settle();
    expect(new URL(page.url()).pathname).toBe(REQUESTS);
    await page.getByRole('row').getByRole('link').first().focus();
    await scan(page, code);
    await settle();
    expect(new URL(page.url()).pathname).toBe(REQUESTS);
  }
  expect(await isPending(id)).toBe(true);
});

test('a scan on the page of an order, into its fields and on its buttons, changes nothing', async () => {
  await page.goto(`${REQUESTS}/${id}`);
  await tickAll(page);
  const approve = page.getByRole('button', { name: de.requests.approve, exact: true });
  await Promise.all([page.waitForEvent('domcontentloaded'), approve.click()]);
  await page.goto('/manage/orders');
  const path = (await page.getByRole('row').getByRole('link').first().getAttribute('href')) ?? '';
  const places = 'main :is(input:not([type=hidden], [type=file]), select, button)';
  await page.goto(path);
  const before = await page.locator('#status').innerText();
  const count = await page.locator(places).count();
  for (let place = -1; place < count; place += STEP) {
    await page.goto(path);
    const element = page.locator(places).nth(place);
    if (place >= 0 && !(await element.isVisible())) continue;
    if (place >= 0) await element.focus();
    const code = CODES[(place + 1) % CODES.length] ?? '';
    await scan(page, code);
    await scan(page, code);
    await settle();
    expect(new URL(page.url()).pathname).toBe(path);
    await page.goto(path);
    expect(await page.locator('#status').innerText(), code).toBe(before);
    expect(await page.locator('#payment').innerText()).toContain(de.shared.orders.payments.cash_on_pickup);
    expect(await page.locator('#flags').innerText()).toContain(de.orders.turnOn.on_hold);
  }
});

test('Enter in a field decides nothing: lines are looked at, everything else stays', async () => {
  for (const name of ['product-1', 'quantity-0', 'price-0', 'reject_note', 'info_note']) {
    await page.goto(`${REQUESTS}/${id}`);
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll('details')) fold.open = true;
    });
    await page.getByLabel(de.shared.common.reason, { exact: true }).selectOption('test');
    await page.locator(`[name="info_note"]`).fill('Was fehlt?');
    const field = page.locator(`[name="${name}"]`);
    await field.focus();
    for (let times = 0; times < 2; times += 1) {
      await page.waitForTimeout(60);
      await page.keyboard.press('Enter');
      await page.waitForLoadState();
      await settle();
    }
    expect(await isPending(id), name).toBe(true);
    expect(await shown(id)).not.toContain(de.requests.saveAnswer);
  }
});

test('without scripts Enter in a field decides nothing either, and a product without a quantity is a fault that keeps all', async () => {
  const state = await page.context().storageState();
  const context = await browser.newContext({
    javaScriptEnabled: false,
    storageState: state,
    baseURL: startedService().demo.base_url,
    locale: 'de-DE',
  });
  const plain = await context.newPage();
  for (const name of ['product-1', 'quantity-0', 'price-0']) {
    await plain.goto(`${REQUESTS}/${id}`);
    await plain.locator('[name="product-1"]').fill(AMOXICILLIN);
    await plain.locator(`[name="${name}"]`).press('Enter');
    await plain.waitForLoadState();
    expect(await isPending(id), name).toBe(true);
  }
  await plain.goto(`${REQUESTS}/${id}`);
  await plain.locator('[name="product-1"]').fill(AMOXICILLIN);
  await plain.locator('[name="price-0"]').fill('4,44');
  const approve = plain.getByRole('button', { name: de.requests.approve, exact: true });
  await Promise.all([plain.waitForEvent('domcontentloaded'), approve.click()]);
  expect(await isPending(id)).toBe(true);
  expect(await plain.locator('#quantity-1-fault').innerText()).toBe(de.shared.fieldErrors.quantity_missing);
  expect(await plain.locator('[name="product-1"]').inputValue()).toBe(AMOXICILLIN);
  expect(await plain.locator('[name="price-0"]').inputValue()).toBe('4,44');
  await context.close();
});

test('shortcuts can be switched off, for this browser: letters then mean nothing', async () => {
  await page.goto('/manage/account');
  const press = (name: string) =>
    Promise.all([page.waitForEvent('domcontentloaded'), page.getByRole('main').getByRole('button', { name }).click()]);
  await press(de.shared.shortcuts.turnOff);
  await page.goto(`${REQUESTS}/${id}`);
  const focused = () => page.evaluate(() => document.activeElement?.tagName);
  for (const key of ['a', 'r', 'j', '/', '?']) {
    await page.keyboard.press(key);
    await page.waitForTimeout(100);
    expect(await focused(), key).toBe('BODY');
  }
  expect(await page.locator('main [aria-keyshortcuts]').count()).toBe(0);
  await page.goto('/manage/account');
  await press(de.shared.shortcuts.turnOn);
  await page.goto(`${REQUESTS}/${id}`);
  await page.keyboard.press('a');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent?.trim())).toBe(de.requests.approve);
});
