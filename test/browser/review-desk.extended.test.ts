import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { onePagePdf } from '../../scripts/pdf';
import { PAGE_BYTES_MAX, sentBytes } from '../support/html';
import { de } from '../support/messages';
import {
  AMOXICILLIN,
  addPdf,
  enter,
  IBUPROFEN,
  openPharmacy,
  type Pharmacy,
  startedService,
  submit,
} from './support/fixtures';
import { faultsOfPage } from './support/page-checks';

const REQUESTS = '/manage/requests';
const COUNTER = { width: 1024, height: 640 };
const PHONE = { width: 360, height: 740 };
/** A person's pause between two keys. */
const PAUSE_MS = 350;

const OVER_THE_COUNTER = { name: 'Ibuprofen 400 mg Filmtabletten, 20 St', p1_id: IBUPROFEN, quantity: 1, price: 4.95 };
const PRESCRIBED = { name: 'Amoxicillin 750 mg Filmtabletten, 10 St', p1_id: AMOXICILLIN, quantity: 1, price: 13.45 };
const FORTY = [...Array.from({ length: 39 }, () => OVER_THE_COUNTER), PRESCRIBED];
/** Forty whose strength staff have to acknowledge. */
const DIFFERENT = Array.from({ length: 40 }, () => ({
  ...OVER_THE_COUNTER,
  name: 'Ibuprofen 600 mg Filmtabletten, 20 St',
}));
/** An item whose price staff have to acknowledge. */
const CHEAP = { ...OVER_THE_COUNTER, price: 2.5 };

let browser: Browser;
let pharmacy: Pharmacy;

beforeAll(async () => {
  browser = await launchChromium();
  pharmacy = await openPharmacy(startedService(), 'Anker-Apotheke');
});

afterAll(() => browser?.close());

/** From the inbox to the next request, by keys. @param spaces ticks that are missing @returns keys pressed and pages loaded */
async function approveByKeys(page: Page, spaces: number): Promise<{ keys: number; loads: number }> {
  await page.goto(REQUESTS);
  let [keys, loads] = [0, 0];
  page.on('domcontentloaded', () => {
    loads += 1;
  });
  const press = async (key: string) => {
    await page.waitForTimeout(PAUSE_MS);
    await page.keyboard.press(key);
    keys += 1;
  };
  const arrive = (path: RegExp) => page.waitForURL(path, { waitUntil: 'domcontentloaded' });
  await press('j');
  await press('Enter');
  await arrive(/requests\/[\w-]{36}$/);
  const here = page.url();
  await page.locator('[data-seen]:not([aria-disabled])').waitFor();
  await press('a');
  for (let tick = 0; tick < spaces; tick += 1) await press('Space');
  await press('Enter');
  await page.waitForURL((url) => url.href !== here, { waitUntil: 'domcontentloaded' });
  await page.waitForTimeout(PAUSE_MS);
  expect(await page.getByRole('main').innerText()).toContain(de.shared.decided.did.request_approved);
  return { keys, loads };
}

test('from the inbox to the next request: 5 keys and two pages with a prescription and 40 items, one key more for each acknowledgement', async () => {
  const { page, context } = await enter(browser, pharmacy, 'pharmacist', { viewport: COUNTER });
  for (const items of [FORTY, [CHEAP, PRESCRIBED], [OVER_THE_COUNTER]]) await submit(pharmacy, { items });
  expect(await approveByKeys(page, 1)).toEqual({ keys: 5, loads: 2 });
  await context.close();
  const { page: other, context: second } = await enter(browser, pharmacy, 'pharmacist', { viewport: COUNTER });
  expect(await approveByKeys(other, 2)).toEqual({ keys: 6, loads: 2 });
  await second.close();
});

test('with 40 items the page is sent in 15 KB at most, also where each is to be acknowledged, and prescription, items and decision are in view at once', async () => {
  // All of them are in stock.
  const other = await openPharmacy(startedService(), 'Delphin-Apotheke');
  const { page, context } = await enter(browser, other, 'pharmacist', { viewport: COUNTER });
  const different = await page.goto(`${REQUESTS}/${await submit(other, { items: DIFFERENT })}`);
  expect(await page.locator('[name="acknowledged"]').count()).toBe(40);
  expect(await sentBytes((await different?.text()) ?? '')).toBeLessThanOrEqual(PAGE_BYTES_MAX);
  const answer = await page.goto(`${REQUESTS}/${await submit(other, { items: FORTY })}`);
  expect(await sentBytes((await answer?.text()) ?? '')).toBeLessThanOrEqual(PAGE_BYTES_MAX);
  for (const viewport of [COUNTER, { width: 1000, height: 520 }, { width: 1920, height: 1080 }]) {
    await page.setViewportSize(viewport);
    const heights = await page.evaluate(() =>
      ['.pdf', '.work', '.checks', '.decision'].map((part) => {
        const { top, bottom } = document.querySelector(part)?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
        return bottom <= innerHeight ? bottom - top : -1;
      }),
    );
    expect(Math.min(...heights), JSON.stringify([viewport, heights])).toBeGreaterThan(40);
    expect(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true);
  }
  for (const locale of ['de-DE', 'en-GB']) {
    const { page: other, context: its } = await enter(browser, pharmacy, 'pharmacist', { viewport: COUNTER, locale });
    await other.goto(`${REQUESTS}/${await submit(pharmacy, { items: [PRESCRIBED] })}`);
    const { height = 0 } = (await other.locator('.checks').boundingBox()) ?? {};
    expect(height, locale).toBeLessThanOrEqual(62);
    await its.close();
  }
  await context.close();
});

test('what is typed stays where a prescription is filed, with scripts and without, also where no item needs one', async () => {
  const { page, context } = await enter(browser, pharmacy, 'pharmacist', { viewport: COUNTER });
  const { page: plain, context: second } = await enter(browser, pharmacy, 'pharmacist', { javaScriptEnabled: false });
  const file = { name: 'rezept.pdf', mimeType: 'application/pdf', buffer: onePagePdf('abgelegt') };
  for (const [each, item] of [
    [page, PRESCRIBED],
    [page, OVER_THE_COUNTER],
    [plain, PRESCRIBED],
    [plain, OVER_THE_COUNTER],
  ] as const) {
    await each.goto(`${REQUESTS}/${await submit(pharmacy, { items: [item], prescription_pdf_base64: null })}`);
    await each.locator('#change-0').click();
    await each.locator('[name="quantity-0"]').fill('3');
    if (item === OVER_THE_COUNTER) await each.getByText(de.shared.prescriptions.upload).first().click();
    // Without a file it is refused, and says so.
    await each.getByRole('button', { name: de.shared.prescriptions.upload }).click();
    await each.locator('#prescription_file-fault').waitFor();
    expect(await each.locator('[name="quantity-0"]').inputValue()).toBe('3');
    await each.locator('[name="prescription_file"]').setInputFiles(file);
    await each.getByRole('button', { name: de.shared.prescriptions.upload }).click();
    await each.locator('.pdf').waitFor();
    expect(await each.locator('[name="quantity-0"]').inputValue()).toBe('3');
  }
  await context.close();
  await second.close();
});

test('the pane of the prescription stays as wide as one made it', async () => {
  const { page, context } = await enter(browser, pharmacy, 'pharmacist', { viewport: COUNTER });
  await page.goto(`${REQUESTS}/${await submit(pharmacy, { items: [PRESCRIBED, CHEAP] })}`);
  const width = async () => (await page.locator('.rx-pane').boundingBox())?.width ?? 0;
  const narrow = await width();
  const wider = page.getByRole('button', { name: de.requests.wider });
  await wider.click();
  expect(await width()).toBeGreaterThan(narrow * 1.2);
  await page.reload();
  expect(await width()).toBeGreaterThan(narrow * 1.2);
  expect(await wider.getAttribute('aria-pressed')).toBe('true');
  expect(await page.evaluate(tooWide)).toEqual([]);
  await wider.click();
  await page.reload();
  expect(await width()).toBe(narrow);
  await page.setViewportSize(PHONE);
  expect(await wider.isVisible()).toBe(false);
  await context.close();
});

/** A request in each state that its page has. */
async function openStates(page: Page): Promise<Record<string, string>> {
  const pdf = { prescription_pdf_base64: null };
  const states = {
    usual: await submit(pharmacy, { items: [PRESCRIBED, CHEAP], customer_note: 'Bitte klingeln' }),
    differs: await submit(pharmacy, {
      ...{ payment_status: 'paid', cash_on_pickup: false, total_amount: 30 },
      items: [
        { ...PRESCRIBED, name: 'Ibuprofen 600 mg' },
        { ...OVER_THE_COUNTER, quantity: 400 },
        { name: 'Wundersalbe', quantity: 1, price: 5 },
      ],
    }),
    two: await submit(pharmacy, { items: [PRESCRIBED] }),
    none: await submit(pharmacy, { ...pdf, items: [PRESCRIBED] }),
    free: await submit(pharmacy, { ...pdf, items: [OVER_THE_COUNTER] }),
  };
  await page.goto(`${REQUESTS}/${states.two}`);
  await addPdf(page, states.two, onePagePdf('zweites'));
  return states;
}

test('in every state the page passes axe by light and dark, is nowhere wider than the window, and is read in the order of the focus', async () => {
  const { page, context } = await enter(browser, pharmacy, 'pharmacist', { viewport: COUNTER });
  const faults: string[] = [];
  for (const [state, id] of Object.entries(await openStates(page))) {
    await page.goto(`${REQUESTS}/${id}`);
    for (const viewport of [COUNTER, PHONE]) {
      await page.setViewportSize(viewport);
      faults.push(...(await page.evaluate(disorder)).map((fault) => `${state} ${viewport.width}: ${fault}`));
    }
    for (let width = 320; width <= 1920; width += 80) {
      await page.setViewportSize({ width, height: 640 });
      faults.push(...(await page.evaluate(tooWide)).map((fault) => `${state} ${width}: ${fault}`));
    }
    await page.setViewportSize(COUNTER);
    faults.push(...(await faultsOfPage(page)).map((fault) => `${state}: ${fault}`));
  }
  expect(faults).toEqual([]);
  await context.close();
});

/** Runs in the page. */
function tooWide(): string[] {
  const parts = [document.documentElement, ...document.querySelectorAll('main > *, form > *')];
  return parts
    .filter((part) => part.clientWidth > 1 && part.scrollWidth > part.clientWidth)
    .map((part) => `${part.tagName}.${part.className}: ${part.scrollWidth} in ${part.clientWidth}`);
}

/** What can have the focus and comes before what stands above it, in the same part of the page, or in a later part. Runs in the page. */
function disorder(): string[] {
  const PARTS = ['.person', '.rx-pane', '.checks', '.work', '.open', '.decision'];
  const isPhone = innerWidth < 768;
  const found = [
    ...document.querySelectorAll<HTMLElement>('main :is(a, button, input, select, textarea, summary, iframe)'),
  ]
    .filter(
      (each) =>
        each.checkVisibility() &&
        each.getBoundingClientRect().width > 1 &&
        each.closest('.unseen') === null &&
        each.closest('.check')?.clientWidth !== 1,
    )
    .map((each) => {
      const { top, bottom, left } = each.getBoundingClientRect();
      const part = PARTS.findIndex((name) => each.closest(name));
      return {
        part,
        top,
        bottom,
        left,
        name: `${each.tagName} ${each.id || each.textContent?.trim()}`,
        order: each.tabIndex,
      };
    })
    .filter(({ part }) => part >= 0);
  return found.flatMap((next, index) => {
    const before = found[index - 1];
    if (next.order > 0) return `${next.name} is taken out of its order`;
    if (!before || next.part > before.part) {
      const isAbove = before && isPhone && next.part < PARTS.length - 2 && next.bottom <= before.top;
      return isAbove ? `${next.name} stands above ${before.name}` : [];
    }
    if (next.part < before.part) return `${next.name} comes after ${before.name}`;
    const isRow = next.top < before.bottom && before.top < next.bottom;
    if (isRow ? next.left < before.left : next.top < before.top) return `${next.name} stands before ${before.name}`;
    return [];
  });
}
