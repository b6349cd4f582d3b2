import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { fill } from '../../scripts/fill';
import { openContext, send, startedService } from './support/fixtures';
import { getRoutes, linksOf, patternOf } from './support/routes';
import { CODES, scan } from './support/scanner';

const HOME = '/manage';
/** Where the focus can be. */
const PLACES =
  ':is(main, header, dialog[open]) :is(input:not([type=hidden], [type=file]), select, textarea, button, a[href], summary)';
/** A code, with and without the right check digit. */
const SCANNED = [
  ...Object.keys(CODES),
  '04150001',
  'a415r0001',
  '010415000100001721281231r10a1',
  'A4150 R01',
  '1234567Xa',
];
/** Every third place of every page, begun at another one on each. */
const STEP = 3;

const service = startedService();
let browser: Browser;
let page: Page;
const posted: string[] = [];
/** Whether what is scanned may go to the page's field for scans, which ticks the pack or books it: a code, or any text begun there. */
let isForField = false;

beforeAll(async () => {
  browser = await launchChromium();
  await fill(service.demo);
  const { email = '', password = '' } = service.demo.members.find(({ role }) => role === 'owner') ?? {};
  const context = await openContext(browser);
  // The viewer would take the focus, and the keys with it.
  await context.route('**/pdf', (route) => route.fulfill({ contentType: 'text/plain', body: '' }));
  page = await context.newPage();
  await page.goto(`${HOME}/sign-in`);
  await send(page, { email, password });
  page.on('request', (request) => {
    if (request.method() !== 'POST' || request.url().endsWith('/check')) return;
    if (!(isForField && request.url().endsWith('/scan'))) posted.push(`${page.url()} ${request.url()}`);
  });
});

afterAll(() => browser?.close());

test('a scanner at 65 and 120 ms a key decides nothing, on every page, wherever the focus is: at most a code reaches the field for scans', async () => {
  const patterns = await getRoutes();
  const visited = new Set<string>();
  const queue = [HOME];
  let scans = 0;
  for (const path of queue) {
    const pattern = patternOf(patterns, new URL(path, service.demo.base_url).pathname);
    if (!pattern || visited.has(pattern) || !(await open(path))) continue;
    visited.add(pattern);
    queue.push(...(await linksOf(page)));
    const count = await page.locator(PLACES).count();
    // The page itself, its decision, and one place more or all.
    const decision = await page.evaluate(decisionAmong, PLACES);
    const picked = [...Array(count).keys()].filter((place) => place % STEP === scans % Math.min(STEP, count));
    const places = new Set([-1, decision, ...picked]);
    for (const place of places) {
      await open(path);
      const element = page.locator(PLACES).nth(place);
      if (place >= 0 && !(await element.isVisible())) continue;
      if (place >= 0) await element.focus();
      scans += 1;
      const text = SCANNED[scans % SCANNED.length] ?? '';
      isForField =
        text in CODES || (await page.evaluate(() => document.activeElement?.matches('[data-scan]'))) === true;
      await scan(page, text, {
        every: scans % 2 ? 65 : 120,
        isLocked: scans % 5 === 0,
      });
      await page.waitForTimeout(80);
      expect(posted, `${path} at ${place}`).toEqual([]);
    }
  }
  expect(visited.size).toBeGreaterThan(25);
  expect(scans).toBeGreaterThan(50);
});

/** @returns false when it is no page but a file */
async function open(path: string): Promise<boolean> {
  try {
    const answer = await page.goto(path);
    return answer?.headers()['content-type']?.startsWith('text/html') ?? false;
  } catch (error) {
    // The last scan has only now opened what it means.
    if (String(error).includes('interrupted by another navigation')) return open(path);
    if (/Download is starting|ERR_ABORTED/.test(String(error))) return false;
    throw error;
  }
}

/** Runs in the page. @returns which of the places is the first button that sends a form by POST; -1 for none */
function decisionAmong(places: string): number {
  const found = [...document.querySelectorAll(places)];
  return found.findIndex((place) => place.matches('main form[method="post"] button:not([type="button"])'));
}
