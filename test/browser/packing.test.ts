import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { catalog } from '../../scripts/assortment';
import { launchChromium } from '../../scripts/chromium';
import { gtinCheckDigit } from '../../src/codes/check-digits';
import { de } from '../support/messages';
import { AMOXICILLIN, enter, IBUPROFEN, openPharmacy, type Pharmacy, startedService } from './support/fixtures';
import { arrival } from './support/input-methods';

let browser: Browser;
let pharmacy: Pharmacy;
let page: Page;
let path: string;

beforeAll(async () => {
  browser = await launchChromium();
  pharmacy = await openPharmacy(startedService(), 'Pack-Apotheke');
  ({ page } = await enter(browser, pharmacy, 'staff'));
});

afterAll(() => browser?.close());

beforeEach(async () => {
  path = await place();
  await page.goto(path);
});

/** An order of two packs that is to be packed. @returns its page */
async function place(members: Record<string, unknown> = {}): Promise<string> {
  const { id } = await pharmacy.call<{ id: string }>('POST', '/orders', {
    ...{ shop_id: pharmacy.shopId, external_id: randomUUID(), customer_name: 'Erika Mustermann' },
    ...{ payment_status: 'cash_on_pickup', items: [{ p1_id: IBUPROFEN, qty: 2, price: 4.95 }] },
    ...members,
  });
  return `/manage/orders/${id}`;
}

/** The DataMatrix of a pack, as a scanner without separators sends it. */
function matrix(p1Id: string, serial: string, expires = '991231'): string {
  const ntin = `04150${catalog().find(({ p1_id }) => p1_id === p1Id)?.pzn}`;
  return `01${ntin}${gtinCheckDigit(ntin)}17${expires}10A1\u001d21${serial}`;
}

async function scan(code: string): Promise<void> {
  const field = page.getByRole('textbox', { name: de.packing.scan });
  // A text field takes no control character from a keyboard: the separator is lost.
  await field.fill(code.replaceAll('\u001d', ''));
  await arrival(page, () => field.press('Enter'));
}

const said = () => page.locator('main').innerText();
const statusOf = async () => {
  await page.goto(path);
  return page.locator('#status').innerText();
};
const ready = () => page.getByRole('button', { name: de.orders.steps.ready_pickup, exact: true });

test('the wrong pack, an expired one, text and the same pack twice pack nothing, and nothing becomes ready', async () => {
  await scan(matrix(AMOXICILLIN, 'S1'));
  expect(await said()).toMatch(/Falsche Packung: Amoxicillin .*Noch offen: 2 × Ibuprofen/s);
  await scan(matrix(IBUPROFEN, 'S1', '200131'));
  expect(await said()).toContain('31.01.2020');
  await scan('Ibuprofen 400');
  expect(await said()).toContain(de.shared.fieldErrors.unknown_code);
  await scan(matrix(IBUPROFEN, 'S1'));
  expect(await said()).toContain(de.packing.progress(1, 2));
  await scan(matrix(IBUPROFEN, 'S1'));
  expect(await said()).toContain(de.shared.fieldErrors.pack_already_scanned);
  expect(await ready().count()).toBe(0);
  expect(await statusOf()).toContain(de.shared.orders.statuses.awaiting_packing);
  await scan(matrix(IBUPROFEN, 'S2'));
  expect(await ready().count()).toBe(1);
});

test('the label of another order asks, and changes neither', async () => {
  const other = await place();
  await page.goto(`${other}/label`);
  const label = (await page.locator('.barcode small').first().innerText()).trim();
  await page.goto(path);
  await scan(matrix(IBUPROFEN, 'S1'));
  await scan(label);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('Etikett von Bestellung');
  await arrival(page, () => page.getByRole('link', { name: /bleiben/ }).click());
  expect(await said()).toContain(de.packing.progress(1, 2));
  await page.goto(other);
  expect(await said()).toContain(de.packing.progress(0, 2));
});

test('sent without an address and unpaid: nothing is shipped before both are answered', async () => {
  path = await place({ shipping_option: 'Versand', payment_status: 'cash_on_pickup' });
  await page.goto(path);
  await scan(matrix(IBUPROFEN, 'S1'));
  await scan(matrix(IBUPROFEN, 'S2'));
  await arrival(page, () => page.getByRole('button', { name: de.orders.steps.ready_shipping, exact: true }).click());
  await arrival(page, () => page.getByRole('button', { name: de.orders.steps.shipped, exact: true }).click());
  await arrival(page, () => page.getByRole('button', { name: de.leaving.ship }).click());
  expect(await said()).toContain(de.leaving.addressUnknown);
  expect(await statusOf()).toContain(de.shared.orders.statuses.ready_shipping);
  await arrival(page, () => page.getByRole('button', { name: de.orders.steps.shipped, exact: true }).click());
  await page.getByRole('checkbox', { name: de.leaving.addressKnown }).check();
  await page.getByRole('combobox', { name: de.leaving.whyUnpaid }).selectOption('on_account');
  await arrival(page, () => page.getByRole('button', { name: de.leaving.ship }).click());
  expect(await statusOf()).toContain(de.shared.orders.statuses.shipped);
});

test('another product takes the line once it is searched, chosen and acknowledged', async () => {
  await pharmacy
    .call('POST', '/products/add-to-inventory', { p1_id: 'P1-10002', initial_stock: 9 })
    .catch(() => undefined);
  await page.getByRole('link', { name: de.packing.otherProduct }).click();
  await page.getByRole('textbox', { name: de.otherProduct.search }).fill('ibuprofen');
  await arrival(page, () => page.getByRole('button', { name: de.shared.common.show }).last().click());
  await page.getByRole('radio', { name: /50 St/ }).first().check();
  await page.getByLabel(de.shared.common.reason).selectOption('not_deliverable');
  await arrival(page, () => page.getByRole('button', { name: de.otherProduct.exchange }).click());
  expect(await said()).toContain(de.shared.fieldErrors.differences_open);
  for (const tick of await page.getByRole('checkbox').all()) await tick.check();
  await arrival(page, () => page.getByRole('button', { name: de.otherProduct.exchange }).click());
  expect(await said()).toContain('50 St');
  await scan(matrix(IBUPROFEN, 'S1'));
  expect(await said()).toContain('Falsche Packung');
});
