import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { catalog } from '../../scripts/assortment';
import { launchChromium } from '../../scripts/chromium';
import { gtinCheckDigit } from '../../src/codes/numbers';
import { de } from '../support/messages';
import { AMOXICILLIN, enter, IBUPROFEN, openPharmacy, type Pharmacy, startedService } from './support/fixtures';
import { arrival } from './support/input-methods';
import { type Placed, place } from './support/orders';
import { faultsOfPage } from './support/page-checks';
import { CODES, scan, strike } from './support/scanner';

const { packing: t, shared } = de;
/** The same medicine, in a pack of 50. */
const IBUPROFEN_50 = 'P1-10002';

let browser: Browser;
let pharmacy: Pharmacy;
/** Of somebody who may not check prescriptions, and of somebody who may. */
let staff: Page;
let page: Page;
let order: Placed;

beforeAll(async () => {
  browser = await launchChromium();
  pharmacy = await openPharmacy(startedService(), 'Pack-Apotheke', 900);
  await pharmacy.call('POST', '/products/add-to-inventory', { p1_id: IBUPROFEN_50, initial_stock: 90 });
  await pharmacy.call('POST', '/shops/attach-product', { shop_id: pharmacy.shopId, p1_id: IBUPROFEN_50 });
  ({ page: staff } = await enter(browser, pharmacy, 'staff'));
  await staff.addInitScript(countTones);
});

afterAll(() => browser?.close());

beforeEach(async () => {
  page = staff;
  order = await toPack();
  await page.goto(order.path);
});

/** An order of two packs that is to be packed. */
const toPack = (members: Record<string, unknown> = {}) => place(pharmacy, members);

/** Counts the tones that the page plays: runs in it, before its own script. */
function countTones(): void {
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function counted(at) {
    document.documentElement.dataset.tones = String(Number(document.documentElement.dataset.tones ?? 0) + 1);
    start.call(this, at);
  };
}

/** A camera and a reader of codes, which sees one after the other: runs in the page, before its own script. */
function seeCodes(codes: string[]): void {
  const seen = [...codes];
  const BarcodeDetector = class {
    detect = async () => [{ rawValue: seen.shift() }];
  };
  Object.assign(window, { BarcodeDetector });
  const canvas = document.createElement('canvas');
  setInterval(() => canvas.getContext('2d')?.fillRect(0, 0, 9, 9), 20);
  navigator.mediaDevices.getUserMedia = async () => canvas.captureStream();
}

const tones = () => page.evaluate(() => Number(document.documentElement.dataset.tones ?? 0));

/** The DataMatrix of a pack, as a scanner without separators sends it. */
function matrix(p1Id: string, serial: string): string {
  const ntin = `04150${catalog().find(({ p1_id }) => p1_id === p1Id)?.pzn}`;
  return `01${ntin}${gtinCheckDigit(ntin)}1799123110A121${serial}`;
}

const scanned = (code: string, every?: number) => arrival(page, () => scan(page, code, { every }));
const alert = () => page.getByRole('alert');
const button = (name: string | RegExp) => page.getByRole('main').getByRole('button', { name });
const press = (name: string | RegExp) => arrival(page, () => button(name).first().click());
const statusOf = async ({ id }: Placed) => (await pharmacy.call<{ status: string }>('GET', `/orders/${id}`)).status;

async function packAll({ path }: Placed = order): Promise<void> {
  await page.goto(path);
  while ((await page.locator('[name="hand"]').count()) > 0) {
    await arrival(page, () => page.locator('[name="hand"]').first().click());
  }
}

describe('a scan', () => {
  test('is answered in place, by tones and words: of the wrong pack loudly, of the right ones as quickly as they come', async () => {
    let loads = 0;
    page.on('request', (request) => (loads += Number(request.isNavigationRequest())));
    await scanned(matrix(IBUPROFEN_50, 'S1'));
    expect(await alert().locator('mark').allInnerTexts()).toEqual(['50\u00a0St']);
    expect(await alert().evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await tones()).toBe(3);
    await scan(page, matrix(IBUPROFEN, 'S1'));
    await scanned(matrix(IBUPROFEN, 'S2'));
    await page.getByText(t.counted(2, 0)).waitFor();
    expect(await alert().count()).toBe(0);
    expect(await tones()).toBe(5);
    expect(loads).toBe(0);
  });

  test('is what a phone’s camera sees first of ours; where the browser reads no codes, there is no camera', async () => {
    const { page: phone, context } = await enter(browser, pharmacy, 'staff', { hasTouch: true, isMobile: true });
    await phone.goto(order.path);
    const camera = phone.getByRole('button', { name: shared.search.camera });
    expect(await camera.count()).toBe(0);
    await phone.addInitScript(seeCodes, ['https://example.com/', matrix(IBUPROFEN, 'K1')]);
    await phone.goto(order.path);
    await arrival(phone, () => camera.click());
    expect(await phone.locator('.meter').getAttribute('value')).toBe('1');
    expect(await phone.locator('.camera').isVisible()).toBe(false);
    expect(await phone.evaluate(() => document.querySelector('video')?.srcObject)).toBe(null);
    await context.close();
  });

  describe('at 65 and 120 ms a key, with the focus on a decision', () => {
    const places = [de.orders.steps.ready_pickup, shared.common.save, t.takeBack, shared.orders.fields.express];
    let decided: string[] = [];

    beforeEach(async () => {
      await packAll();
      decided = [];
      page.on('request', (request) => {
        if (request.method() === 'POST' && !/\/scan$/.test(request.url())) decided.push(request.url());
      });
    });

    async function focusOn(name: string): Promise<void> {
      await page.goto(order.path);
      await page.getByText(de.orders.moreSteps).click();
      const place = page.getByRole('main').locator('button:visible:enabled, a:visible', { hasText: name });
      await place.first().focus();
    }

    test('of any code decides nothing', async () => {
      for (const [index, code] of [...Object.keys(CODES), ...places.map(() => '010415012345678210a4711')].entries()) {
        await focusOn(places[index % places.length] ?? '');
        await scanned(code, index % 2 ? 65 : 120);
      }
      expect(decided).toEqual([]);
      expect(await statusOf(order)).toBe('awaiting_packing');
    });

    test('of what is no code, and of single letters, decides nothing', async () => {
      for (const [index, text] of ['a', 'aa', '4711a', 'a415r0001', '0104150123456792'].entries()) {
        await focusOn(de.orders.steps.ready_pickup);
        const every = index % 2 ? 65 : 120;
        await strike(page, [...[...text].map((key): [string, number] => [key, every]), ['Enter', every]]);
      }
      await page.goto(order.path);
      expect(decided).toEqual([]);
      expect(await statusOf(order)).toBe('awaiting_packing');
    });
  });
});

test('names of medicines are never cut', async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(order.path);
  const isCut = (cells: Element[]) =>
    cells.filter((cell) => cell.scrollWidth > cell.clientWidth || getComputedStyle(cell).textOverflow !== 'clip')
      .length;
  expect(await page.locator('.order-lines td').evaluateAll(isCut)).toBe(0);
  await page.setViewportSize({ width: 1024, height: 640 });
});

test('the page is accessible in each of its states, light and dark, and nothing is wider than the window', async () => {
  const many = Array.from({ length: 40 }, (_, at) => ({
    p1_id: at % 2 ? IBUPROFEN : AMOXICILLIN,
    qty: 1,
    price: 4.95,
  }));
  const states: (() => Promise<unknown>)[] = [
    () => page.goto(order.path),
    () => scanned(matrix(IBUPROFEN_50, 'S1')),
    () => page.goto(`${order.path}/other-product?line=0`),
    () => scanned(matrix(IBUPROFEN_50, 'S1')),
    async () => {
      await page.goto(`${order.path}/hold`);
      await press(/Anhalten/);
    },
    async () =>
      page.goto((await toPack({ items: many, customer_name: 'Wilhelmine-Charlotte '.repeat(9).trim() })).path),
    async () => page.goto((await place(pharmacy, {}, 'ready_pickup')).path),
  ];
  const faults: string[] = [];
  for (const reach of states) {
    await reach();
    const { pathname } = new URL(page.url());
    faults.push(...(await faultsOfPage(page)).map((fault) => `${pathname}: ${fault}`));
  }
  expect(faults).toEqual([]);
});
