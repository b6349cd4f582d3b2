import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { de } from '../support/messages';
import { AMOXICILLIN, enter, IBUPROFEN, openPharmacy, type Pharmacy, startedService, submit } from './support/fixtures';
import { inEachFont } from './support/fonts';
import { faultsOfPage } from './support/page-checks';

const REQUESTS = '/manage/requests';
const ROW_HEIGHT = 40;
/** Longer than the inbox's refresh interval. */
const LOOK_MS = 16_000;
/** The first and last of each layout. */
const WIDTHS = [320, 360, 767, 768, 959, 960, 1024, 1199, 1200, 1439, 1440, 1920];
const IBUPROFEN_ITEM = { name: 'Ibuprofen 400 mg Filmtabletten, 20 St', p1_id: IBUPROFEN, quantity: 1, price: 4.95 };

/** Each shows another state of a row. */
const SENT = [
  {
    customer_name: 'Prof. Dr. Maximiliane-Alexandra von und zu Hohenstein-Oberwiesenthal-Brüggemannová',
    shipping_option: 'Express',
    payment_status: 'paid',
    items: [
      { ...IBUPROFEN_ITEM, quantity: 900 },
      { name: 'Unbekannt'.repeat(20), quantity: 2, price: 5 },
    ],
    total_amount: 1,
  },
  {
    customer_name: 'Ohne Rezept',
    items: [{ name: 'Amoxicillin 750 mg', p1_id: AMOXICILLIN, quantity: 1, price: 13.45 }],
  },
  { customer_email: `${'lange-adresse.'.repeat(4)}name@sehr-lange-beispiel-domain.example`, items: [] },
  {
    customer_name: 'محمد عبد الرحمن بن عبد العزيز بن سعود بن فيصل الهاشمي القرشي الحسيني العلوي',
    shipping_option: 'Lieferdienst',
  },
];
const WITHOUT_PRESCRIPTION = [1];

let browser: Browser;
let pharmacy: Pharmacy;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  pharmacy = await openPharmacy(startedService(), 'Insel-Apotheke');
  for (const [place, sent] of SENT.entries()) {
    await submit(pharmacy, {
      ...sent,
      ...(WITHOUT_PRESCRIPTION.includes(place) && { prescription_pdf_base64: undefined }),
    });
  }
  ({ page } = await enter(browser, pharmacy, 'pharmacist'));
});

afterAll(() => browser?.close());

const rows = () => page.locator('tbody tr');

test('the figures of the day are asked for again where the first try failed', async () => {
  const other = await page.context().newPage();
  await other.clock.install();
  let tries = 0;
  await other.route('**/manage/today', (route) => {
    tries += 1;
    return route.fulfill(tries === 1 ? { status: 503 } : { body: 'Heute: 4 Anfragen' });
  });
  await other.goto(REQUESTS);
  await expect.poll(() => tries).toBe(1);
  const line = other.locator('[data-later]');
  expect(await line.textContent()).toBe('Heute');
  await other.clock.runFor(30_000);
  await expect.poll(() => line.textContent()).toBe('Heute: 4 Anfragen');
  await other.close();
});

test('a new arrival moves no row under the pointer or the focus, on a screen and on a phone, scrolled or not', async () => {
  await page.clock.install();
  const news = page.getByRole('status').filter({ hasText: de.requests.newOne });
  for (const [width, height, hand] of [
    [1024, 640, 'pointer'],
    [1024, 640, 'focus'],
    [1024, 240, 'scrolled'],
    [360, 740, 'pointer'],
    [360, 740, 'focus'],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(REQUESTS);
    await page.mouse.move(0, 0);
    if (hand === 'pointer') await rows().nth(1).hover();
    if (hand === 'focus') await rows().nth(1).getByRole('link').focus();
    if (hand === 'scrolled') await page.evaluate(() => scrollTo(0, 60));
    const count = await rows().count();
    const before = await rows().evaluateAll((each) => each.map((row) => row.getBoundingClientRect().y));
    await submit(pharmacy, { customer_name: 'Neu' });
    await page.clock.runFor(LOOK_MS);
    await news.waitFor();
    const after = await rows().evaluateAll((each) => each.map((row) => row.getBoundingClientRect().y));
    expect(after, `${width} px, ${hand}`).toEqual(before);
    // It covers headings, or lies above the bar of a phone: never the row in hand.
    const box = await news.boundingBox();
    const row = await rows().nth(1).boundingBox();
    if (!box || !row) throw new Error('the news or the row is not there');
    expect(box.y + box.height <= row.y || box.y >= row.y + row.height, `${width} px, ${hand}`).toBe(true);
    await news.getByRole('button', { name: de.shared.common.show }).click();
    await expect.poll(() => rows().count()).toBe(count + 1);
  }
});

test('rows are 40 px high at 1024 and 1440 px in each font, and have four lines on a phone', async () => {
  await page.goto(REQUESTS);
  const heights = () => rows().evaluateAll((each) => each.map((row) => Math.round(row.getBoundingClientRect().height)));
  await inEachFont(page, async (font) => {
    for (const width of [1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect([...new Set(await heights())], `${font}, ${width} px`).toEqual([ROW_HEIGHT]);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    expect(Math.max(...(await heights())), `${font}, phone`).toBeLessThanOrEqual(4 * 24 + 2 * 8 + 1);
  });
});

test('is accessible by axe, light and dark, and nothing is wider than the window from 320 to 1920 px', async () => {
  const faults: string[] = [];
  for (const path of [REQUESTS, `${REQUESTS}?tab=rejected`, '/manage/search?q=a']) {
    await page.goto(path);
    faults.push(...(await faultsOfPage(page)));
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 740 });
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (over > 0) faults.push(`${path}: ${width} px: ${over} px too wide`);
    }
  }
  expect(faults).toEqual([]);
});

test('a tablet drops sum and delivery, a phone shows one of prescription and what is to settle', async () => {
  await page.goto(REQUESTS);
  const shown = (place: number) =>
    rows()
      .nth(place)
      .locator('td')
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.checkVisibility()).map((cell) => cell.className.split(' ')[0]),
      );
  await page.setViewportSize({ width: 800, height: 900 });
  expect(await shown(0)).toEqual(['age', 'name', 'what', 'prescription', 'settle']);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await shown(0)).toEqual(['age', 'name', 'what', 'total', 'shipping', 'settle']);
  // That it is missing is what there is to say.
  expect(await shown(1)).toEqual(['age', 'name', 'what', 'total', 'shipping', 'prescription']);
  expect(await rows().nth(1).innerText()).toContain('Rezept fehlt');
});

test('j and k lead from row to row, the whole row shows the focus, and Enter opens it', async () => {
  await page.setViewportSize({ width: 1024, height: 640 });
  await page.goto(REQUESTS);
  const outlined = () =>
    rows().evaluateAll((each) =>
      each.flatMap((row, place) => (getComputedStyle(row).outlineStyle === 'solid' ? place : [])),
    );
  for (const [key, place] of [
    ['j', 0],
    ['j', 1],
    ['k', 0],
  ] as const) {
    await page.keyboard.press(key);
    await page.clock.runFor(1_000);
    await expect.poll(outlined).toEqual([place]);
  }
  const path = await rows().first().getByRole('link').getAttribute('href');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${path}`);
});
