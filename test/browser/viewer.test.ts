import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { onePagePdf, pdfOf } from '../../scripts/pdf';
import { de } from '../support/messages';
import { enter, openPharmacy, type Pharmacy, startedService, submit } from './support/fixtures';

const REQUESTS = '/manage/requests';

const HEX = 'a5'.repeat(32);
/** Asks for a password, since none fits its hash. */
const LOCKED = Buffer.from(
  onePagePdf('gesperrt')
    .toString('latin1')
    .replace(
      'trailer<<',
      `trailer<</Encrypt<</Filter/Standard/V 2/R 3/Length 128/P -44/O<${HEX}>/U<${HEX}>>>/ID[<${HEX}><${HEX}>]`,
    ),
  'latin1',
);

let browser: Browser;
let pharmacy: Pharmacy;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  pharmacy = await openPharmacy(startedService(), 'Lupen-Apotheke');
  ({ page } = await enter(browser, pharmacy, 'pharmacist'));
  page.on('download', () => expect.unreachable('a file was downloaded'));
});

afterAll(() => browser?.close());

const box = () => page.locator('[name^="checked-"]');

/** How much of a painted page is not white. */
const ink = () =>
  page
    .frameLocator('.pdf iframe')
    .locator('canvas')
    .first()
    .evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      return data.filter((value, index) => index % 4 === 0 && value < 128).length;
    });

test('the viewer paints each page, and the tick opens once every one of them was seen', async () => {
  const pages = ['Seite eins', 'Seite zwei', 'Seite drei'].map((line) => [line]);
  await page.goto(`${REQUESTS}/${await submit(pharmacy, {}, pdfOf(pages))}`);
  await expect.poll(() => page.locator('.seen-pages').innerText()).toContain('von 3 gesehen');
  await expect.poll(ink).toBeGreaterThan(100);
  expect(await box().getAttribute('aria-disabled')).toBe('true');
  // Each press leads to the next page that was not seen.
  await expect
    .poll(async () => {
      await box().press('Space');
      return box().isChecked();
    })
    .toBe(true);
});

test('a locked file is no prescription that can be ticked, and leads to the question', async () => {
  await page.goto(`${REQUESTS}/${await submit(pharmacy, {}, LOCKED)}`);
  const { viewer } = de.requests;
  await page.frameLocator('.pdf iframe').getByText(viewer.locked).waitFor();
  await box().press('Space');
  expect(await box().isChecked()).toBe(false);
  await page.getByRole('button', { name: viewer.askUnreadable }).click();
  expect(await page.locator('[name="info_code"]').inputValue()).toBe('prescription_unreadable');
  expect(await page.locator('[name="info_note"]').isVisible()).toBe(true);
});
