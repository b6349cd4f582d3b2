import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { de } from '../support/messages';
import { AMOXICILLIN, enter, openPharmacy, type Pharmacy, startedService, submit } from './support/fixtures';

const REQUESTS = '/manage/requests';
/** Longer than the inbox's refresh interval. */
const LOOK_MS = 16_000;

let browser: Browser;
let pharmacy: Pharmacy;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  pharmacy = await openPharmacy(startedService(), 'Rats-Apotheke');
  ({ page } = await enter(browser, pharmacy, 'pharmacist'));
});

afterAll(() => browser?.close());

const rows = () => page.locator('tbody').getByRole('row');
const names = () => rows().getByRole('link').allInnerTexts();
const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());

test('an idle inbox shows new requests; while the reader uses it, it announces them and moves nothing', async () => {
  await page.clock.install();
  const answers: number[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'fetch') answers.push(response.status());
  });
  await submit(pharmacy, { customer_name: 'Anna Erste', prescription_pdf_base64: undefined });
  await page.goto(REQUESTS);
  await submit(pharmacy, { customer_name: 'Berta Zweite' });
  await page.mouse.move(0, 0);
  await page.clock.runFor(LOOK_MS);
  await expect.poll(names).toEqual(['Anna Erste', 'Berta Zweite']);
  expect(await page.title()).toContain('(2)');
  const look = async () => {
    const before = answers.length;
    await page.clock.runFor(LOOK_MS);
    await expect.poll(() => answers.length).toBeGreaterThan(before);
    return answers.at(-1);
  };
  // The first look of a minute gets a page, whose ages have changed.
  await expect.poll(look).toBe(304);
  expect(await names()).toEqual(['Anna Erste', 'Berta Zweite']);

  await rows().first().hover();
  const place = await rows().first().boundingBox();
  await submit(pharmacy, { customer_name: 'Clara Dritte' });
  await page.clock.runFor(LOOK_MS);
  const news = page.getByRole('status').filter({ hasText: de.requests.newOne });
  await news.waitFor();
  expect(await names()).toEqual(['Anna Erste', 'Berta Zweite']);
  expect(await rows().first().boundingBox()).toEqual(place);
  await news.getByRole('button', { name: de.shared.common.show }).click();
  expect(await names()).toEqual(['Anna Erste', 'Berta Zweite', 'Clara Dritte']);
  expect(await focused()).toBe('Clara Dritte');

  await rows().first().hover();
  await submit(pharmacy, { customer_name: 'Emil Letzter' });
  expect(await look()).toBe(200);
  await news.waitFor();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.mouse.move(0, 0);
  // What was announced is shown once nobody has the list in hand, also if nothing has changed since.
  await look();
  await expect.poll(names).toEqual(['Anna Erste', 'Berta Zweite', 'Clara Dritte', 'Emil Letzter']);
});

test('letters lead to what is decided on a review, and decide nothing', async () => {
  await page.goto(`${REQUESTS}/${await submit(pharmacy, { prescription_pdf_base64: undefined })}`);
  await page.waitForLoadState('domcontentloaded');
  await page.keyboard.press('a');
  await expect.poll(focused).toContain(de.requests.approve);
  await page.keyboard.press('r');
  const reason = page.getByLabel(de.shared.common.reason, { exact: true });
  await expect.poll(() => reason.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(page.url()).toMatch(/requests\/[^/]+$/);
});

test('a product is found by a part of its name, and taken by the arrows and Enter', async () => {
  const id = await submit(pharmacy, {
    customer_name: 'Dora Vierte',
    items: [{ name: 'Antibiotikum', quantity: 1, price: 9 }],
  });
  await page.goto(`${REQUESTS}/${id}`);
  const line = page.locator('#line-0');
  await line.locator('summary').click();
  await line.getByRole('combobox').fill('amox');
  await page.clock.runFor(1000);
  await line.getByRole('option').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await line.getByRole('combobox').inputValue()).toBe(AMOXICILLIN);
  // The quantity that the platform sent is kept. The price of a prescription drug is its own (AMPreisV).
  expect(await line.getByLabel(de.shared.common.quantity).inputValue()).toBe('1');
  expect(await line.getByLabel(de.requests.unitPrice).inputValue()).toBe('13,45');
});

test('on a page that asks before it acts, a leads to its yes', async () => {
  const id = await submit(pharmacy, { customer_name: 'Hilde Achte' });
  await page.goto(`${REQUESTS}/${id}/delete`);
  await page.keyboard.press('a');
  await page.clock.runFor(1000);
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON');
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
});
