import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { de } from '../support/messages';
import { rounds } from '../support/rounds';
import { AMOXICILLIN, enter, openPharmacy, type Pharmacy, startedService, submit, tickAll } from './support/fixtures';
import { arrival } from './support/input-methods';
import { CODES, SPEEDS, scan } from './support/scanner';

const REQUESTS = '/manage/requests';
/** Each field and button is tried, or one of a few. */
const STEP = rounds(8, 8, 1);
/** Not every code at every place: each place has the next one, at the next speed. */
const SOME = Object.keys(CODES).slice(2, 5);
const ROUNDS = rounds(SOME, SOME, Object.keys(CODES));
const codeAt = (place: number) => ROUNDS[place % ROUNDS.length] ?? '';
const speedAt = (place: number) => ({ every: SPEEDS[place % SPEEDS.length], isLocked: place % 4 === 1 });

let browser: Browser;
let pharmacy: Pharmacy;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  pharmacy = await openPharmacy(startedService(), 'Scan-Apotheke');
  ({ page } = await enter(browser, pharmacy, 'owner'));
  page.on('request', (request) => {
    if (request.method() === 'POST' && !request.url().endsWith('/check')) posted.push(request.url());
  });
});

afterAll(() => browser?.close());

const shown = async (request: string) => (await page.request.get(`${REQUESTS}/${request}`)).text();
/** Only a page of a request that waits can approve. */
const isPending = async (request: string) => (await shown(request)).includes(`${REQUESTS}/${request}/approve`);
/** A shortcut of the last key would have acted by then. */
const settle = () => page.waitForTimeout(100);
/** Opens a page, also while what was scanned before is still on its way. */
async function visit(path: string): Promise<void> {
  await page.goto(path).catch(async (error: Error) => {
    if (!/interrupted by another navigation|ERR_ABORTED/.test(error.message)) throw error;
    await page.waitForLoadState();
    await page.goto(path);
  });
}
/** What a page sends that may change something. */
const posted: string[] = [];

let id: string;

beforeEach(async () => {
  id = await submit(pharmacy, { customer_name: 'Erika Mustermann' });
  posted.length = 0;
});

test('a scan with the focus on the page, twice, decides nothing and fills in the product field', async () => {
  for (const [code, meant] of Object.entries(CODES).filter(([each]) => ROUNDS.includes(each))) {
    for (const every of SPEEDS) {
      await page.goto(`${REQUESTS}/${id}`);
      // A frame that loads late would take the focus and so the keys.
      await page.waitForLoadState('networkidle');
      const field = page.locator('[data-adds]');
      for (const time of ['once', 'twice']) {
        await scan(page, code, { every });
        await expect.poll(() => field.inputValue(), { message: `${code} ${time}` }).toBe(meant);
      }
      expect(new URL(page.url()).pathname).toBe(`${REQUESTS}/${id}`);
      expect(await page.getByRole('dialog').count()).toBe(0);
    }
  }
  expect(posted).toEqual([]);
  expect(await isPending(id)).toBe(true);
});

test('a scan into each field and on each button of a review, twice, decides nothing', async () => {
  const places = 'main :is(input:not([type=hidden], [type=file]), select, button)';
  await page.goto(`${REQUESTS}/${id}`);
  const count = await page.locator(places).count();
  expect(count).toBeGreaterThan(8);
  for (let place = 0; place < count; place += STEP) {
    await page.goto(`${REQUESTS}/${id}`);
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll('details')) fold.open = true;
    });
    const element = page.locator(places).nth(place);
    if (!(await element.isVisible())) continue;
    await element.focus();
    for (const next of [place, place + 1]) await scan(page, codeAt(next), speedAt(next));
    await settle();
  }
  expect(posted).toEqual([]);
  expect(await isPending(id)).toBe(true);
  expect(await shown(id)).not.toContain(de.requestItems.saveAnswer);
});

test('a scan on the inbox opens what it means and decides nothing', async () => {
  for (const [place, code] of ROUNDS.entries()) {
    await page.goto(REQUESTS);
    if (place % 2) await page.getByRole('row').getByRole('link').first().focus();
    await scan(page, code, speedAt(place));
    await page.waitForURL((url) => url.pathname !== REQUESTS && url.search.includes(CODES[code] ?? ''));
  }
  expect(posted).toEqual([]);
  expect(await isPending(id)).toBe(true);
});

test('a scan on the page of an order, into its fields and on its buttons, at most packs', async () => {
  await page.goto(`${REQUESTS}/${id}`);
  await tickAll(page);
  const approve = page.getByRole('button', { name: de.requests.approve, exact: true });
  await arrival(page, () => approve.click());
  await page.goto('/manage/orders');
  const path = (await page.getByRole('row').getByRole('link').first().getAttribute('href')) ?? '';
  const places = 'main :is(input:not([type=hidden], [type=file]), select, button)';
  await page.goto(path);
  const before = await page.locator('#status').innerText();
  const count = await page.locator(places).count();
  posted.length = 0;
  for (let place = -1; place < count; place += STEP) {
    await visit(path);
    const element = page.locator(places).nth(place);
    if (place >= 0 && !(await element.isVisible())) continue;
    if (place >= 0) await element.focus();
    await scan(page, codeAt(place + 1), speedAt(place + 1));
    await settle();
  }
  expect(posted.filter((url) => !url.endsWith('/scan'))).toEqual([]);
  await visit(path);
  expect(await page.locator('#status').innerText()).toBe(before);
  expect(await page.locator('#payment').innerText()).toContain(de.shared.orders.payments.cash_on_pickup);
  expect(await page.locator('#flags').textContent()).toContain(de.orders.turnOn.on_hold);
});

test('Enter in a field decides nothing: lines are looked at, everything else stays', async () => {
  for (const name of ['product-1', 'quantity-0', 'price-0', 'reject_note', 'info_note']) {
    await visit(`${REQUESTS}/${id}`);
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
    expect(await shown(id)).not.toContain(de.requestItems.saveAnswer);
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
    await plain.locator('#change-0').click();
    await plain.locator('[name="product-1"]').fill(AMOXICILLIN);
    await plain.locator(`[name="${name}"]`).press('Enter');
    await plain.waitForLoadState();
    expect(await isPending(id), name).toBe(true);
  }
  await plain.goto(`${REQUESTS}/${id}`);
  await plain.locator('#change-0').click();
  await plain.locator('[name="product-1"]').fill(AMOXICILLIN);
  await plain.locator('[name="price-0"]').fill('4,44');
  const approve = plain.getByRole('button', { name: de.requests.approve, exact: true });
  await arrival(plain, () => approve.click());
  expect(await isPending(id)).toBe(true);
  expect(await plain.locator('#quantity-1-fault').innerText()).toBe(de.shared.fieldErrors.quantity_missing);
  // The product is kept, shown by its PZN.
  expect(await plain.locator('[name="product-1"]').inputValue()).toBe('99001128');
  expect(await plain.locator('[name="price-0"]').inputValue()).toBe('4,44');
  await context.close();
});

test('shortcuts can be switched off, for this browser: letters then mean nothing', async () => {
  await page.goto('/manage/account');
  const press = (name: string) => arrival(page, () => page.getByRole('main').getByRole('button', { name }).click());
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
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toMatch(/^checked-/);
});
