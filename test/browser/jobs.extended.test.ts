import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { Catcher } from '../node/support/catcher';
import { de } from '../support/messages';
import { enter, IBUPROFEN, openPharmacy, type Pharmacy, startedService, submit } from './support/fixtures';
import { arrival } from './support/input-methods';
import { place } from './support/orders';

/** How few clicks the jobs of every day take. A choice in a list is one click; what is typed is none. */

/** The deliveries in a row after which a receiver is left alone. */
const FAILED_IN_A_ROW = 5;

let browser: Browser;
let catcher: Catcher;
let pharmacy: Pharmacy;
let page: Page;
let clicks = 0;

beforeAll(async () => {
  browser = await launchChromium();
  catcher = await new Catcher().open();
  pharmacy = await openPharmacy(startedService(), 'Adler-Apotheke', 20);
  ({ page } = await enter(browser, pharmacy, 'owner'));
});

afterAll(async () => {
  await browser?.close();
  catcher?.close();
});

beforeEach(() => {
  clicks = 0;
});

const shown = () => page.locator('main').innerText();

async function click(target: Locator): Promise<void> {
  clicks += 1;
  await target.first().click();
}

const follow = (target: Locator) => arrival(page, () => click(target));

test('from the products, a price in one shop is two clicks and the price', async () => {
  await page.goto(`/manage/products?q=${IBUPROFEN}`);
  await follow(page.locator('main tbody a.go'));
  const price = page.locator('.price-form input:not([type="hidden"])').last();
  await click(price);
  await page.keyboard.type('5,55', { delay: 80 });
  await arrival(page, () => page.keyboard.press('Enter'));
  expect(clicks).toBeLessThanOrEqual(2);
  await page.goto(page.url());
  expect(await page.locator('.price-form input:not([type="hidden"])').last().inputValue()).toBe('5,55');
});

test('the figures of today stand on the inbox, and begin the reports', async () => {
  await page.goto('/manage/requests');
  await expect.poll(() => page.locator('.head').innerText()).toMatch(/Heute: \d+ Anfragen, .* kassiert/);
  expect(clicks).toBe(0);
  await follow(page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${de.shared.nav.reports}`) }));
  expect(clicks).toBe(1);
  expect(await page.locator('.tiles dt').allInnerTexts()).toHaveLength(6);
});

test('from its order, a line is refunded with three clicks', async () => {
  const items = [{ p1_id: IBUPROFEN, qty: 1, price: 4.95 }];
  const order = await place(pharmacy, { items, payment_status: 'paid' }, 'awaiting_packing');
  await page.goto(order.path);
  await follow(page.getByRole('main').getByRole('link', { name: new RegExp(`^${de.orders.refund}`) }));
  clicks += 1;
  await page.getByLabel(de.shared.common.reason, { exact: true }).selectOption({ index: 1 });
  await follow(page.locator('main form [type="submit"]').last());
  expect(clicks).toBeLessThanOrEqual(3);
  const refunded = await pharmacy.call<{ refunded_amount: number }>('GET', `/orders/${order.id}`);
  expect(refunded).toMatchObject({ refunded_amount: 4.95 });
});

test('from its order, a label is two clicks, and so is supplying one of two packs later, with its number', async () => {
  const items = [{ p1_id: IBUPROFEN, qty: 2, price: 4.95 }];
  const order = await place(pharmacy, { items }, 'awaiting_packing');
  await page.goto(order.path);
  await click(page.locator('summary', { hasText: de.packing.printSlip }));
  await follow(page.getByRole('link', { name: de.packing.label, exact: true }));
  expect(clicks).toBe(2);
  clicks = 0;
  await page.goto(order.path);
  await follow(page.locator('a[href*="/later?line=0"]'));
  await page.keyboard.type('1');
  await follow(page.locator('main form [type="submit"]:visible').last());
  expect(clicks).toBe(2);
  expect(await shown()).toContain('1 in Nachlieferung');
});

test('why nothing arrives at a receiver that fails, and the way out, are two clicks from any page', async () => {
  const url = catcher.answering('/down', () => ({ status: 500 }));
  await page.goto('/manage/settings/webhooks');
  await page.getByLabel(de.webhooks.subscriptions.url).fill(url);
  await page.getByRole('checkbox', { name: 'order_request_submitted' }).check();
  await arrival(page, () => page.getByRole('button', { name: de.webhooks.subscriptions.create }).click());
  for (let count = 0; count < FAILED_IN_A_ROW + 2; count += 1) await submit(pharmacy);
  const banner = page.getByRole('region', { name: de.shared.stopped.title });
  await expect.poll(async () => (await page.goto('/manage/orders')) && banner.count()).toBe(1);
  clicks = 0;
  await follow(banner.getByRole('link'));
  await follow(page.locator('main .deliveries tbody a'));
  expect(clicks).toBe(2);
  expect(await shown()).toMatch(/500|nimmt/);
  // A delivery whose attempts ended before the hold began is sent again once the subscription is resumed.
  const { deliveries, subscriptions } = de.webhooks;
  const hasText = new RegExp(`${deliveries.redeliver}|${subscriptions.resume}`);
  const again = page.locator('main :is(a, button)', { hasText });
  expect(await again.count(), await shown()).toBeGreaterThan(0);
});
