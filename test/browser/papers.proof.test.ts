import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { readLabel } from '../../src/codes/label';
import { de } from '../support/messages';
import { readBars } from './support/barcode';
import { AMOXICILLIN, enter, IBUPROFEN, openPharmacy, type Pharmacy, startedService } from './support/fixtures';
import { arrival } from './support/input-methods';
import { labelOf, type Placed, place, placePrescribed } from './support/orders';

const SCHEMES = ['light', 'dark'] as const;
const LONG =
  'Prof. Dr. Wilhelmine Friederike Charlotte von Hohenlohe-Waldenburg-Schillingsfürst zu Oettingen, geborene '
    .repeat(2)
    .slice(0, 200)
    .trim();

let browser: Browser;
let pharmacy: Pharmacy;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  pharmacy = await openPharmacy(startedService(), 'Druck-Apotheke', 900);
  ({ page } = await enter(browser, pharmacy, 'pharmacist', { deviceScaleFactor: 4 }));
});

afterAll(() => browser?.close());

/** Puts an order onto a shelf, in so many bags. */
async function shelve({ path }: Placed, shelf: string, bags: number): Promise<void> {
  await page.goto(path);
  const form = page.locator(`form[action="${path}/shelf"]`);
  await form.locator('[name="shelf"]').fill(shelf);
  await form.locator('[name="bags"]').fill(String(bags));
  await arrival(page, () => form.getByRole('button', { disabled: false }).click());
  expect(new URL(page.url()).pathname).toBe(path);
}

/** The sizes of the printed pages, in millimeters. */
async function printed(): Promise<string[]> {
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  return [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) =>
    [width, height].map((points) => Math.round((Number(points) / 72) * 25.4)).join(' × '),
  );
}

interface Look {
  /** How bright the pixels are, 0 to 255: at the four corners, the darkest, and those of a line near the top and near the bottom. */
  corners: number[];
  darkest: number;
  lines: number[][];
}

/** What a piece of the page looks like as it is printed. */
async function look(selector: string, scheme: (typeof SCHEMES)[number]): Promise<Look> {
  await page.emulateMedia({ media: 'print', colorScheme: scheme });
  const box = (await page.locator(selector).first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  // The margins of the paper are not there on the screen.
  const picture = await page.screenshot({ fullPage: true, clip: { ...box, x: Math.max(0, box.x) } });
  await page.emulateMedia({ media: null, colorScheme: null });
  const blank = await page.context().newPage();
  const seen = await blank.evaluate(readPicture, `data:image/png;base64,${picture.toString('base64')}`);
  await blank.close();
  return seen;
}

/** Runs in a page without a policy. */
async function readPicture(source: string): Promise<Look> {
  const image = new Image();
  image.src = source;
  await image.decode();
  const { width, height } = image;
  const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
  context?.drawImage(image, 0, 0);
  const { data } = context?.getImageData(0, 0, width, height) ?? { data: new Uint8ClampedArray() };
  // Green counts for the others: what is looked at is black or white.
  const at = (x: number, y: number) => data[(y * width + x) * 4 + 1] ?? -1;
  const [right, bottom] = [width - 1, height - 1];
  return {
    corners: [at(0, 0), at(right, 0), at(0, bottom), at(right, bottom)],
    darkest: data.reduce((least, value, index) => (index % 4 === 1 && value < least ? value : least), 255),
    lines: [0.1, 0.9].map((part) => Array.from({ length: width }, (_, x) => at(x, Math.floor(height * part)))),
  };
}

/** What a scanner reads on what is printed, across the top of the bars and across their bottom. */
const scanned = async (scheme: (typeof SCHEMES)[number]) => (await look('svg[role="img"]', scheme)).lines.map(readBars);

/** Runs in the page: parts of a paper that are cut off or overlap, as it is printed. */
function misprints(selector: string): string[] {
  return [...document.querySelectorAll(selector)].flatMap((paper) => {
    const parts = [...paper.children].map((part) => part.getBoundingClientRect());
    const { bottom, right, left } = paper.getBoundingClientRect();
    const beyond = parts.filter((part) => part.bottom > bottom + 1 || part.right > right + 1);
    const overlapping = parts.filter((part, at) => at > 0 && part.top < (parts[at - 1]?.bottom ?? 0) - 1);
    const cut = [...paper.querySelectorAll('p, b')].filter(
      (part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0,
    );
    const before = [...paper.querySelectorAll('small')].filter((part) => part.getBoundingClientRect().left < left - 1);
    return [...beyond, ...overlapping, ...cut, ...before].map(() => paper.textContent ?? '');
  });
}

test('a label for each bag, 100 by 62 mm, tells shelf, number and whole name, and nothing that others may not read', async () => {
  const order = await placePrescribed(pharmacy, page, {
    payload: { customer_name: 'Erika Mustermann-Großkreutz', birth_date: '1981-03-14' },
  });
  await shelve(order, 'B 7', 2);
  const label = await labelOf(page, order);
  const number = String(readLabel(label)?.number);
  expect(await printed()).toEqual(['100 × 62', '100 × 62']);
  await page.emulateMedia({ media: 'print' });
  for (const bag of [1, 2]) {
    const text = await page.getByRole('region', { name: de.packing.bag(bag, 2) }).innerText();
    for (const words of ['B 7', number, 'Erika Mustermann-Großkreutz', `Beutel ${bag}/2`, label]) {
      expect(text).toContain(words);
    }
    for (const secret of ['Amoxicillin', 'Ibuprofen', '€', '1981', 'Rx']) expect(text).not.toContain(secret);
  }
  expect(await page.getByRole('main').innerText()).not.toContain(de.shared.common.toOrder);
  for (const scheme of SCHEMES) expect(await scanned(scheme)).toEqual([label, label]);
});

test.each([
  ['of a usual name and a short shelf', 'Erika Mustermann', 'B 7'],
  ['of a name of 200 letters and the longest shelf', LONG, 'KÜHLSCHR 2'],
  ['of a name in wide letters', '王小明'.repeat(60), 'WWWWWWWWWW'],
  ['of one long word', 'Donaudampfschifffahrtsgesellschaft'.repeat(5), '1'],
])('nine labels %s are nine pages, and cut nothing off', async (_, customer_name, shelf) => {
  const order = await place(pharmacy, { customer_name }, 'ready_pickup');
  await shelve(order, shelf, 9);
  await page.goto(`${order.path}/label`);
  expect(await printed()).toEqual(Array.from({ length: 9 }, () => '100 × 62'));
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 340, height: 900 });
  expect(await page.evaluate(misprints, '.bag-label')).toEqual([]);
  expect(await page.getByRole('region').last().innerText()).toContain(customer_name);
});

test('the slip is A5, with boxes to tick and no internal figures; forty items go over pages that each say the number', async () => {
  const one = await placePrescribed(pharmacy, page, { payload: { address_phone: '030 5550 1876' } });
  await shelve(one, 'B 7', 2);
  const label = await labelOf(page, one);
  await page.goto(`${one.path}/slip`);
  expect(await printed()).toEqual(['148 × 210']);
  await page.emulateMedia({ media: 'print' });
  const text = (await page.getByRole('main').innerText()).replaceAll('\u00a0', ' ');
  for (const words of ['B 7', '3 Packungen, 2 Beutel', 'Erika Mustermann', '030 5550 1876', 'Rx', 'PZN', label]) {
    expect(text).toContain(words);
  }
  expect(text).toContain(de.packing.paysAtPickup('23,35 €'));
  for (const internal of ['vorrätig', '4,95', '13,45', '1981', de.shared.common.toOrder])
    expect(text).not.toContain(internal);
  expect(await page.locator('.tick-box').count()).toBe(3);
  for (const scheme of SCHEMES) expect(await scanned(scheme)).toEqual([label, label]);

  const items = Array.from({ length: 40 }, (_, at) => ({
    ...{ p1_id: at % 2 ? IBUPROFEN : AMOXICILLIN, qty: 1 + (at % 12), price: 4.95 },
  }));
  const many = await place(pharmacy, { customer_name: LONG, items });
  await page.goto(`${many.path}/slip`);
  const pages = await printed();
  expect(pages.length).toBeGreaterThan(1);
  expect(new Set(pages)).toEqual(new Set(['148 × 210']));
  await page.emulateMedia({ media: 'print' });
  // A heading that a printer repeats on every page.
  const heading = page.locator('thead');
  expect(await heading.evaluate((head) => getComputedStyle(head).display)).toBe('table-header-group');
  expect(await heading.innerText()).toContain(
    String(readLabel(await page.getByRole('img').getAttribute('aria-label').then(String))?.number),
  );
  await page.setViewportSize({ width: 484, height: 900 });
  expect(await page.evaluate(misprints, '.slip')).toEqual([]);
});

test.each(SCHEMES)('both are black on white where the reader has chosen %s', async (scheme) => {
  const order = await place(pharmacy, {}, 'ready_pickup');
  for (const [paper, part] of [
    ['label', '.bag-label'],
    ['slip', '.slip'],
  ] as const) {
    await page.goto(`${order.path}/${paper}`);
    const { corners, darkest } = await look(part, scheme);
    expect([paper, ...corners, darkest]).toEqual([paper, 255, 255, 255, 255, 0]);
  }
});
