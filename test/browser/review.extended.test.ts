import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { onePagePdf } from '../../scripts/pdf';
import { de } from '../support/messages';
import { addPdf, checkSeen, enter, openPharmacy, type Pharmacy, startedService, submit } from './support/fixtures';
import { arrival } from './support/input-methods';

const REQUESTS = '/manage/requests';
const COUNTER = { width: 1024, height: 640 };
/** Longer than a file has to be in view. */
const LOOK_MS = 1500;

let browser: Browser;
let pharmacy: Pharmacy;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  pharmacy = await openPharmacy(startedService(), 'Kronen-Apotheke');
  ({ page } = await enter(browser, pharmacy, 'owner', { viewport: COUNTER }));
});

afterAll(() => browser?.close());

async function openReview(payload: Record<string, unknown> = {}): Promise<string> {
  const id = await submit(pharmacy, payload);
  await page.goto(`${REQUESTS}/${id}`);
  return id;
}

const approve = () => page.getByRole('button', { name: de.requests.approve, exact: true });
/** Presses the button that sends the form to another place. @param which of several */
const send = (to: string, which = 0) => arrival(page, () => page.locator(`[formaction$="${to}"]`).nth(which).click());
const ticks = () => page.locator('[name^="checked-"]');
const said = () => page.getByRole('main').innerText();

/** Types into the first line, whose fields stand below it once it is opened. */
async function edit(fields: Record<string, string>): Promise<void> {
  const [first = ''] = Object.keys(fields);
  if (!(await page.locator(`[name="${first}-0"]`).isVisible())) await page.locator('#change-0').click();
  for (const [name, value] of Object.entries(fields)) await page.locator(`[name="${name}-0"]`).fill(value);
}

const typed = async (...names: string[]) => {
  const values = await Promise.all(names.map((name) => page.locator(`[name="${name}-0"]`).inputValue()));
  return Object.fromEntries(names.map((name, index) => [name, values[index]]));
};

test('a prescription that was never in view cannot be ticked, and the page says so', async () => {
  const { page: phone, context } = await enter(browser, pharmacy, 'pharmacist', {
    viewport: { width: 360, height: 240 },
  });
  const id = await submit(pharmacy);
  await phone.goto(`${REQUESTS}/${id}`);
  const tick = phone.locator('[name^="checked-"]');
  const trySpace = async () => {
    await tick.evaluate((element: HTMLElement) => element.focus({ preventScroll: true }));
    await phone.keyboard.press('Space');
    return tick.isChecked();
  };
  await phone.waitForTimeout(LOOK_MS);
  expect(await trySpace()).toBe(false);
  await phone.getByRole('status').filter({ hasText: de.shared.scripts.unseen }).waitFor();
  await phone.locator('iframe').scrollIntoViewIfNeeded();
  await tick.and(phone.locator(':not([aria-disabled])')).waitFor();
  expect(await trySpace()).toBe(true);
  await context.close();
});

test('edits survive the tick of the prescription, and every button of the page', async () => {
  const id = await openReview({ customer_name: 'Berta Bunt' });
  const edits = { quantity: '3', price: '12,00' };
  await edit(edits);
  await checkSeen(page, ticks().first());
  const kept = async (after: string) => {
    expect([after, await typed('quantity', 'price')]).toEqual([after, edits]);
    expect([after, await ticks().first().isChecked()]).toEqual([after, true]);
  };
  await kept('tick');

  await page.locator('[name="note"]').fill('Ruft morgen an');
  await send('/note');
  await kept('note');
  expect(await said()).toContain('Ruft morgen an');

  await page.locator('summary', { hasText: de.requests.needsInfo }).click();
  await page.locator('[name="info_note"]').fill('Welche Stärke?');
  await send('/needs-info');
  await kept('question');

  await page.locator('details:has([name^="answer-"]) > summary').click();
  await page.locator('[name^="answer-"]').fill('400 mg');
  await send('/answer');
  await kept('answer');

  await page.locator('summary', { hasText: de.requests.reject }).click();
  await send('/reject');
  await kept('a refused rejection');

  await edit(edits);
  await page.locator('[name="quantity-0"]').focus();
  await arrival(page, () => page.keyboard.press('Enter'));
  await kept('Enter');

  await arrival(page, () => approve().click());
  await kept('a refused approval');
  await addPdf(page, id, onePagePdf('zweites'));
  await page.locator('summary', { hasText: de.requests.asideShort }).first().click();
  await page.locator('[name^="aside-"]').first().fill('Andere Person');
  await send('/set-aside');
  expect(await typed('quantity', 'price')).toEqual(edits);
  await page.locator('.rx-tabs label').first().click();
  await arrival(page, () => page.locator('[name="undo"]').click());
  expect(await typed('quantity', 'price')).toEqual(edits);
});
