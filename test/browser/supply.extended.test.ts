import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalog } from '../../scripts/assortment';
import { launchChromium } from '../../scripts/chromium';
import { gtinCheckDigit } from '../../src/codes/numbers';
import { addDays, dayOf } from '../../src/platform/pharmacy-time';
import { enter, IBUPROFEN, openPharmacy, type Pharmacy, send, startedService } from './support/fixtures';
import { arrival } from './support/input-methods';
import { type Placed, place } from './support/orders';
import { scan, strike } from './support/scanner';

const DESK = { width: 1280, height: 720 };
const PHONE = { width: 360, height: 740 };
/** px of a card with a name on two lines: so that five are in view. */
const CARD_MAX = 124;

let browser: Browser;
let pharmacy: Pharmacy;

beforeAll(async () => {
  browser = await launchChromium();
  pharmacy = await openPharmacy(startedService(), 'Rest-Apotheke', 40);
});

afterAll(() => browser?.close());

const stateOf = ({ id }: Placed) => pharmacy.call<Record<string, unknown>>('GET', `/orders/${id}`);
const said = async (page: Page) => (await page.getByRole('main').innerText()).replaceAll('\u00a0', ' ');
const press = (page: Page, name: string | RegExp) =>
  arrival(page, () => page.getByRole('main').getByRole('button', { name }).first().click());
const follow = (page: Page, name: string | RegExp) =>
  arrival(page, () => page.getByRole('main').getByRole('link', { name }).first().click());

/** The DataMatrix of a pack. */
function matrix(serial: string): string {
  const ntin = `04150${catalog().find(({ p1_id }) => p1_id === IBUPROFEN)?.pzn}`;
  return `01${ntin}${gtinCheckDigit(ntin)}1799123110A121${serial}`;
}

/** The letter leads to the next step, Enter takes it. */
async function decide(page: Page): Promise<void> {
  await strike(page, [['a', 400]]);
  const isThere = () => page.evaluate(() => document.activeElement?.hasAttribute('data-decide'));
  await expect.poll(isThere).toBe(true);
  await arrival(page, () => strike(page, [['Enter', 400]]));
}

async function split(page: Page, order: Placed, expected_on: string): Promise<void> {
  await page.goto(`${order.path}/other-product?line=0`);
  await follow(page, /^Teil nachliefern/);
  await send(page, { later: '1', expected_on });
}

test('a part is handed over and the rest, once a scan said that it is here, by scans and keys alone', async () => {
  const { page, context } = await enter(browser, pharmacy, 'staff');
  const order = await place(pharmacy);
  await split(page, order, dayOf(Date.now()));
  expect(await page.locator('main').innerText()).toContain('1 kommt am');
  await arrival(page, () => scan(page, matrix('R1')));
  await decide(page);
  expect(await said(page)).toContain('Zum Teil abholbereit');
  await decide(page);
  expect(await said(page)).toContain('Abholschein mitgeben');
  await decide(page);
  expect(await said(page)).toContain('Wartet auf die Nachlieferung');
  expect(await stateOf(order)).toMatchObject({ status: 'awaiting_packing', payment_status: 'paid' });

  await page.goto('/manage/expected');
  const size = page.viewportSize() ?? DESK;
  await page.setViewportSize(PHONE);
  const card = await page.locator('main tbody tr').first().boundingBox();
  expect(card?.height).toBeLessThan(CARD_MAX);
  await page.setViewportSize(size);
  await arrival(page, () => scan(page, matrix('R2')));
  expect(await said(page)).toContain('Heute wird nichts erwartet');
  await follow(page, 'Bestellung ansehen');
  await decide(page);
  await decide(page);
  await decide(page);
  expect(await stateOf(order)).toMatchObject({
    status: 'picked_up',
    payment_status: 'paid',
    totals: { total_amount: 9.9 },
  });
  await context.close();
});

test('without scripts: the rest is cancelled, what was paid for it is given back, then a pack by its number', async () => {
  const { page, context } = await enter(browser, pharmacy, 'pharmacist', { javaScriptEnabled: false });
  const items = [{ p1_id: IBUPROFEN, qty: 3, price: 4.95 }];
  const order = await place(pharmacy, { items, payment_status: 'paid' });
  await split(page, order, addDays(dayOf(Date.now()), 1));
  await page.goto(`${order.path}/cancel-rest`);
  expect(await said(page)).toContain('9,90 € statt 14,85 €');
  await page.locator('[name="reason_code"]').selectOption('not_available');
  await press(page, 'Rest stornieren');
  expect(await stateOf(order)).toMatchObject({ totals: { total_amount: 9.9 }, payment_difference: -4.95 });
  await follow(page, 'Erstattung vermerken');
  await page.locator('[name="reason_code"]').selectOption('out_of_stock');
  await press(page, /erstatt|Erstatt/);
  expect(await stateOf(order)).toMatchObject({
    payment_status: 'paid',
    totals: { total_amount: 9.9 },
    payment_difference: null,
  });
  await page.goto(`${order.path}/refund`);
  await page.locator('[name="packs_0"]').fill('3');
  await page.locator('[name="reason_code"]').selectOption('customer_withdrew');
  await press(page, /erstatt|Erstatt/);
  expect(await page.locator('[name="packs_0"]').inputValue()).toBe('3');
  await page.locator('[name="packs_0"]').fill('1');
  // Without scripts nobody adds it up: the amount that stands there is what would be booked.
  await press(page, /erstatt|Erstatt/);
  await page.getByRole('alert').filter({ hasText: '4,95' }).waitFor();
  await page.locator('[name="amount"]').fill('4,95');
  await press(page, /erstatt|Erstatt/);
  expect(await stateOf(order)).toMatchObject({ refunded_amount: 4.95, status: 'awaiting_packing' });
  await context.close();
});

test('without scripts: of several that are picked, those that cannot leave are refused by name; a stop of the tour is done', async () => {
  const { page, context } = await enter(browser, pharmacy, 'staff', { javaScriptEnabled: false });
  const packed = await place(pharmacy, { customer_name: 'Zoë Ångström' });
  const unpacked = await place(pharmacy, { customer_name: 'Horst Jäger' });
  const carried = await place(pharmacy, {
    customer_name: 'Joachim Pohl',
    shipping_option: 'Lieferdienst',
    address_street: 'Allee 1',
    address_city: 'Berlin',
  });
  for (const order of [packed, carried]) {
    await page.goto(order.path);
    await arrival(page, () => page.locator('[name="hand"]').first().click());
  }
  await page.goto('/manage/orders?tab=all');
  for (const name of ['Zoë Ångström', 'Horst Jäger', 'Joachim Pohl']) {
    await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check();
  }
  await press(page, 'Fertig melden');
  const result = await page.getByRole('status').first().innerText();
  expect(result).toContain('2 von 3 fertig gemeldet');
  expect(result).toMatch(/Nicht gemeldet: \d+ Horst Jäger \(0 von 2 gepackt\)/);
  const statuses = await Promise.all([packed, unpacked, carried].map(async (order) => (await stateOf(order)).status));
  expect(statuses).toEqual(['ready_pickup', 'awaiting_packing', 'ready_shipping']);

  await follow(page, /^Botendienst/);
  await page.goto(`/manage/desk/tour/${carried.id}`);
  await arrival(page, () => page.locator('main button[name="cash_received"].primary').click());
  expect(await said(page)).not.toMatch(/Bestellung 0/);
  expect(await stateOf(carried)).toMatchObject({ status: 'delivered', payment_status: 'paid' });
  await context.close();
});
