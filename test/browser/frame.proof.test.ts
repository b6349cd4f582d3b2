import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { Catcher } from '../node/support/catcher';
import { de } from '../support/messages';
import { enter, openPharmacy, type Pharmacy, startedService, submit } from './support/fixtures';

const REQUESTS = '/manage/requests';
const WEBHOOKS = '/manage/settings/webhooks';
/** Longer than the inbox's refresh interval. */
const LOOK_MS = 16_000;
/** A counter's screen of 1024 × 640 at 200 % zoom. */
const ZOOMED = { width: 512, height: 320 };
const PHONE = { width: 360, height: 740 };
const COUNTER = { width: 1024, height: 640 };
const DESKTOP = { width: 1440, height: 900 };

let browser: Browser;
let catcher: Catcher;
let pharmacy: Pharmacy;
let page: Page;

beforeAll(async () => {
  catcher = await new Catcher().open();
  browser = await launchChromium();
  pharmacy = await openPharmacy(startedService(), 'Mohren-Apotheke am Alten Rathaus zu Sankt Katharinen');
  ({ page } = await enter(browser, pharmacy, 'owner'));
});

afterAll(async () => {
  await browser?.close();
  catcher?.close();
});

test('at 200 % zoom, top line, navigation and a banner leave the window to the content', async () => {
  const gone = catcher.answering('/gone', () => ({ status: 410 }));
  await page.goto(WEBHOOKS);
  await page.getByLabel(de.webhooks.subscriptions.url).fill(gone);
  await page.getByRole('checkbox', { name: 'order_request_submitted' }).check();
  await page.getByRole('button', { name: de.webhooks.subscriptions.create }).click();
  await page.locator('#new-secret').waitFor();
  for (let count = 0; count < 8; count += 1) await submit(pharmacy);
  const banner = page.getByRole('region', { name: de.shared.stopped.title });
  await expect.poll(async () => (await page.goto(REQUESTS)) && banner.count()).toBe(1);

  await page.setViewportSize(ZOOMED);
  const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
  expect((heading?.y ?? 0) + (heading?.height ?? 0)).toBeLessThan(ZOOMED.height * 0.65);
  await page.evaluate(() => scrollTo(0, 400));
  expect(await page.evaluate(heldInView)).toBeLessThan(ZOOMED.height * 0.2);
});

test('a page that fits the window does not scroll, and settings on a screen of 1440 × 900 have their button in view', async () => {
  const isScrolled = () => page.evaluate(() => document.documentElement.scrollHeight > innerHeight);
  for (const size of [COUNTER, DESKTOP]) {
    await page.setViewportSize(size);
    await page.goto('/manage/search?q=zzzqqq');
    expect(await isScrolled(), `${size.width}`).toBe(false);
  }
  await page.goto('/manage/account');
  expect(await isScrolled()).toBe(false);
  await page.goto('/manage/settings/organization');
  const save = await page.getByRole('button', { name: de.shared.common.save }).boundingBox();
  expect((save?.y ?? 0) + (save?.height ?? 0)).toBeLessThan(DESKTOP.height);
});

test('/ goes to the search of everything, f to that of the list', async () => {
  await page.goto('/manage/orders');
  const searched = () => page.evaluate(() => (document.activeElement as HTMLInputElement).form?.getAttribute('action'));
  await page.keyboard.press('/');
  await expect.poll(searched).toBe('/manage/search');
  await page.locator('h1').click();
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('f');
  await expect.poll(searched).toBe('/manage/orders');
});

test('the search suggests hits: Enter alone searches, and opens only what an arrow key leads to', async () => {
  await submit(pharmacy);
  await page.goto('/manage/orders');
  const field = page.locator('header [name="q"]');
  const hits = page.locator('header .choices li:visible');
  await field.pressSequentially('erika');
  await hits.first().waitFor();
  await field.press('Enter');
  await page.waitForURL('**/manage/search?q=erika');
  expect(new URL(page.url()).search).toBe('?q=erika');
  await page.goto('/manage/orders');
  await field.pressSequentially('erika');
  await hits.first().waitFor();
  await field.press('Escape');
  expect(await hits.count()).toBe(0);
  await field.press('ArrowDown');
  await hits.first().waitFor();
  await field.press('ArrowDown');
  await field.press('Enter');
  await page.waitForURL(/\/manage\/requests\/[\w-]{36}$/);
});

test('on a counter’s screen no banner takes the room of a review, whose first item is in view', async () => {
  await page.setViewportSize(COUNTER);
  await page.goto(`${REQUESTS}/${await submit(pharmacy)}`);
  const item = await page.locator('.items tbody tr').first().boundingBox();
  expect((item?.y ?? COUNTER.height) + (item?.height ?? 0)).toBeLessThan(COUNTER.height - 100);
  expect(await page.getByRole('region', { name: de.shared.stopped.title }).count()).toBe(0);
});

test('on a counter’s screen a delivery shows verdict, attempts, what was sent and what was answered without scrolling', async () => {
  await page.setViewportSize(COUNTER);
  await page.goto(WEBHOOKS);
  await page.getByRole('link', { name: catcher.url('/gone') }).click();
  const failed = page.getByRole('row').filter({ hasText: de.webhooks.deliveries.statuses.exhausted });
  await failed.getByRole('link').first().click();
  const { attempts, answer, request } = de.webhooks.deliveries;
  for (const name of [attempts, answer, request]) {
    const content = page
      .locator('section', { has: page.getByRole('heading', { name }) })
      .locator('tbody tr, pre')
      .first();
    const box = await content.boundingBox();
    // As much of it as two lines.
    expect(box?.y, name).toBeLessThan(COUNTER.height - 40);
  }
  expect(await page.locator('main .notice.bad').isVisible()).toBe(true);
});

test('a row of a list is a link as a whole, and what else can be pressed in it is not', async () => {
  await page.setViewportSize(COUNTER);
  for (const [path, where] of [
    [REQUESTS, /requests\/[\w-]{36}$/],
    ['/manage/products', /products\/P1-\d+/],
  ] as const) {
    await page.goto(path);
    const row = await page.locator('main tbody tr').first().boundingBox();
    if (!row) throw new Error(`${path} has no row`);
    await page.mouse.click(row.x + row.width - 6, row.y + row.height - 3);
    await page.waitForURL(where);
  }
  await page.goto('/manage/products');
  const change = page.locator('main tbody tr').first().getByRole('textbox');
  await change.click();
  expect(await change.evaluate((field) => field === document.activeElement)).toBe(true);
});

test('on a phone the search comes over the top line with its key, and leaves with the focus', async () => {
  await page.setViewportSize(PHONE);
  await page.goto(REQUESTS);
  const brand = page.getByRole('banner').getByRole('link', { name: pharmacy.name });
  const search = page.getByRole('banner').getByRole('combobox');
  const isOnTop = () => search.evaluate(isHit);
  await brand.waitFor();
  expect(await isOnTop()).toBe(false);
  await search.focus();
  expect(await isOnTop()).toBe(true);
  await page.keyboard.press('Tab');
  expect(await isOnTop()).toBe(false);
});

test('on a phone the filters of a list show once asked for, and go again', async () => {
  await page.setViewportSize(PHONE);
  await page.goto('/manage/orders');
  const filter = page.locator('main form').getByRole('combobox').first();
  const toggle = page.locator('label', { hasText: de.shared.common.filter });
  for (const isShown of [false, true, false]) {
    expect(await filter.isVisible()).toBe(isShown);
    await toggle.click();
  }
  await page.goto('/manage/orders?when=between');
  const last = await page.locator('[type="date"]').last().boundingBox();
  // As wide as a day and the calendar's button need.
  expect(last?.width).toBeGreaterThan(148);
});

test('what is printed of a list has neither banner nor tabs, fields or buttons', async () => {
  await page.setViewportSize(COUNTER);
  await page.goto('/manage/expected');
  const left = () =>
    page.locator('main :is(button, nav, input:not([type="hidden"]), .notices section):visible').count();
  expect(await left()).toBeGreaterThan(0);
  await page.emulateMedia({ media: 'print' });
  expect(await left()).toBe(0);
  await page.emulateMedia({ media: null });
});

test('what an idle inbox takes in brings the pictures that the page did not need so far', async () => {
  const quiet = await openPharmacy(startedService(), 'Linden-Apotheke');
  const { page: inbox } = await enter(browser, quiet, 'pharmacist');
  await inbox.clock.install();
  await inbox.goto(REQUESTS);
  expect(await inbox.evaluate(marksShown)).toEqual([]);
  await submit(quiet, { items: [{ name: 'Unbekannt', quantity: 1, price: 1 }] });
  await inbox.mouse.move(0, 0);
  await inbox.clock.runFor(LOOK_MS);
  await expect.poll(() => inbox.evaluate(marksShown)).not.toEqual([]);
  expect(await inbox.evaluate(withoutPicture)).toEqual([]);
});

test('what the check of a line answers brings the pictures that the page did not need so far', async () => {
  const quiet = await openPharmacy(startedService(), 'Eichen-Apotheke');
  const { page: review } = await enter(browser, quiet, 'pharmacist');
  await review.goto(`${REQUESTS}/${await submit(quiet)}`);
  const before = await review.evaluate(marksShown);
  await review.locator('#change-0').click();
  await review.locator('[name="quantity-0"]').fill('400');
  await expect.poll(() => review.evaluate(marksShown)).not.toEqual(before);
  expect(await review.evaluate(withoutPicture)).toEqual([]);
});

/** Runs in the page. @returns how many px of the window are covered by what does not scroll */
function heldInView(): number {
  const held = [...document.querySelectorAll('body *')].filter((element) => {
    const { position, clipPath } = getComputedStyle(element);
    return (position === 'fixed' || position === 'sticky') && clipPath === 'none' && element.checkVisibility();
  });
  const boxes = held.map((element) => element.getBoundingClientRect());
  const inView = boxes.filter(({ top, bottom, width }) => bottom > 0 && top < innerHeight && width > innerWidth / 2);
  return inView.reduce((sum, { height }) => sum + height, 0);
}

/** Runs in the page. @returns whether a click at the element's middle would hit it */
function isHit(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect();
  return document.elementFromPoint(x + width / 2, y + height / 2) === element;
}

/** Runs in the page. */
function marksShown(): string[] {
  return [...document.querySelectorAll('main .m use')].map((use) => use.getAttribute('href') ?? '');
}

/** Runs in the page. */
function withoutPicture(): string[] {
  const uses = [...document.querySelectorAll('use')].map((use) => use.getAttribute('href') ?? '');
  return uses.filter((href) => !document.querySelector(`symbol${href}`));
}
