import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalog } from '../../scripts/assortment';
import { launchChromium } from '../../scripts/chromium';
import { gtinCheckDigit } from '../../src/codes/numbers';
import { dayOf } from '../../src/platform/pharmacy-time';
import { enter, IBUPROFEN, openPharmacy, type Pharmacy, send, startedService } from './support/fixtures';
import { arrival } from './support/input-methods';
import { type Placed, place } from './support/orders';
import { scan, strike } from './support/scanner';

const DESK = { width: 1280, height: 720 };
const PHONE = { width: 360, height: 740 };
/** px of a card with product and customer on two lines each: so that five are in view. */
const CARD_MAX = 128;

let browser: Browser;
let pharmacy: Pharmacy;

beforeAll(async () => {
  browser = await launchChromium();
  pharmacy = await openPharmacy(startedService(), 'Rest-Apotheke', 40);
});

afterAll(() => browser?.close());

const stateOf = ({ id }: Placed) => pharmacy.call<Record<string, unknown>>('GET', `/orders/${id}`);
const said = async (page: Page) => (await page.getByRole('main').innerText()).replaceAll('\u00a0', ' ');
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
  await page.goto(order.path);
  await follow(page, /^Teil nachliefern/);
  await send(page, { later: '1', expected_on });
}

test('a part is handed over and the rest, once a scan said that it is here, by scans and keys alone', async () => {
  const { page, context } = await enter(browser, pharmacy, 'staff');
  const order = await place(pharmacy);
  await split(page, order, dayOf(Date.now()));
  expect(await page.locator('main').innerText()).toMatch(/1 kommt noch (am|heute)/);
  await arrival(page, () => scan(page, matrix('R1')));
  await decide(page);
  expect(await said(page)).toContain('Zum Teil bereit');
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
  let loads = 0;
  page.on('request', (request) => (loads += Number(request.isNavigationRequest())));
  await arrival(page, () => scan(page, matrix('R2')));
  expect(await said(page)).toContain('Heute wird nichts erwartet');
  expect(loads).toBe(0);
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
