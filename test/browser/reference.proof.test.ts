import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { rounds } from '../support/rounds';
import { openContext, startedService } from './support/fixtures';
import { faultsOfPage } from './support/page-checks';

/** A phone, and how many of its screens a page may be long. */
const PHONE = { width: 360, height: 740 };
const SCREENS_MAX = 24;
/** One page of each kind. */
const KINDS = [
  '/docs',
  '/docs/guides/mirror-the-assortment',
  '/docs/orders',
  '/docs/orders/upsertOrder',
  '/docs/webhooks',
  '/docs/webhooks/order_created',
  '/docs/signatures',
  '/docs/errors',
  '/docs/values',
  '/docs/objects/Order',
  '/docs/search',
];

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser?.close());

/** The page of links leads to all pages. */
async function everyPage(): Promise<string[]> {
  const html = await (await fetch(`${startedService().demo.base_url}/docs/search`)).text();
  const links = [...html.matchAll(/href="(\/docs[^"#]*)/g)].map(([, path = '']) => path);
  return [...new Set(links)].filter((path) => !path.includes('/schemas/'));
}

test('a page of each kind is accessible by axe, light and dark, and fits from a phone to a wide screen', async () => {
  const context = await openContext(browser);
  const page = await context.newPage();
  const faults: string[] = [];
  for (const path of KINDS) {
    await page.goto(path);
    faults.push(...(await faultsOfPage(page)).map((fault) => `${path}: ${fault}`));
  }
  expect(faults).toEqual([]);
  await context.close();
});

test(`no page is longer than ${SCREENS_MAX} screens of a phone, nor wider than one`, async () => {
  const context = await openContext(browser, { viewport: PHONE });
  const page = await context.newPage();
  const faults: string[] = [];
  for (const path of rounds(KINDS, KINDS, await everyPage())) {
    await page.goto(path);
    const size = await page.evaluate(() => [
      document.documentElement.scrollHeight,
      document.documentElement.scrollWidth,
    ]);
    const [height = 0, width = 0] = size;
    if (height > SCREENS_MAX * PHONE.height) faults.push(`${path}: ${(height / PHONE.height).toFixed(1)} screens`);
    if (width > PHONE.width) faults.push(`${path}: ${width} px`);
  }
  expect(faults).toEqual([]);
  await context.close();
});

test('what is typed is searched for at once; the keys lead into the results, and Escape back', async () => {
  const context = await openContext(browser);
  const page = await context.newPage();
  await page.goto('/docs');
  const box = page.getByRole('searchbox', { name: 'Search the reference' });
  await box.pressSequentially('order_created');
  const first = page.locator('.found a').first();
  await expect.poll(() => first.textContent()).toMatch(/^order_created /);
  await box.press('ArrowDown');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe('/docs/webhooks/order_created');
  await page.keyboard.press('Escape');
  expect(await page.locator('.found').isVisible()).toBe(false);
  expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);
  await box.press('Enter');
  await page.waitForURL('**/docs/search?q=order_created');
  await expect.poll(() => page.locator('#results a').first().textContent()).toMatch(/^order_created /);
  await context.close();
});

test('a language chosen in one example holds for all, also on the next page; what is shown is what is copied', async () => {
  const context = await openContext(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  await page.goto('/docs');
  await page.getByRole('radio', { name: 'Python' }).first().check();
  const shown = page.locator('.tabs pre:visible');
  expect(await shown.count()).toBe(await page.locator('.tabs').count());
  for (const text of await shown.allTextContents()) expect(text).toMatch(/import json/);
  await page.goto('/docs/orders/changeOrder');
  expect(await page.locator('.tabs pre:visible').textContent()).toContain('from start import');
  await page.locator('.tabs').getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^import json\n/);
  await context.close();
});

test('without scripts: tabs, contents on a phone, and the search as a page of links', async () => {
  const context = await openContext(browser, { javaScriptEnabled: false, viewport: PHONE });
  const page = await context.newPage();
  await page.goto('/docs/orders/changeOrder');
  await tab(page, 'TypeScript');
  expect(await page.locator('.tabs pre:visible').textContent()).toContain("from './start.ts'");
  await page.getByText('Contents', { exact: true }).click();
  await page.locator('.menu').getByRole('link', { name: 'Bulk', exact: true }).click();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Bulk');
  const box = page.getByRole('searchbox');
  await box.fill('counted_at');
  await box.press('Enter');
  await page.locator('#results').getByRole('link', { name: 'Change order Orders' }).click();
  expect(new URL(page.url()).pathname).toBe('/docs/orders/changeOrder');
  await context.close();
});

async function tab(page: Page, name: string): Promise<void> {
  await page.getByRole('radio', { name }).first().check();
}
