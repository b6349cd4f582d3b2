// Screenshots of every page of the management interface, from a separate service with a day's data.
//
//   npm run screenshots              writes screenshots/<look>/<page>.png and the README's pictures (docs/pictures/); a page
//                                    that fails ends it with an error
//   npm run screenshots -- orders    only the pages whose path contains the word
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { ERIKA } from './day/requests.ts';
import type { Demo } from './demo.ts';
import { fill } from './fill.ts';
import { withOwnService } from './own-service.ts';
import { ROOT } from './paths.ts';
import { kindOf, walk } from './record/pages.ts';

const OUT = join(ROOT, 'screenshots');
/** The folder of the README's pictures. */
const PICTURES = join(ROOT, 'docs', 'pictures');
const START = '/manage';
/** Variants in which every page is taken. */
const LOOKS = [
  { name: '1440', width: 1440, height: 900, locale: 'de-DE', colorScheme: 'light' },
  { name: '1024', width: 1024, height: 640, locale: 'de-DE', colorScheme: 'light' },
  { name: '360', width: 360, height: 740, locale: 'de-DE', colorScheme: 'light' },
  { name: '1440-en', width: 1440, height: 900, locale: 'en-GB', colorScheme: 'light' },
  { name: '1024-dark', width: 1024, height: 640, locale: 'de-DE', colorScheme: 'dark' },
  { name: '360-dark', width: 360, height: 740, locale: 'de-DE', colorScheme: 'dark' },
] as const;
/** The most pages of a kind to take, for kinds whose pages differ. Of all other kinds, one page is taken. */
const SAMPLES: Record<string, number> = { '/manage/requests/ID': 12, '/manage/orders/ID': 7 };
/** Pages without a link to them: refused forms, and secrets that are shown once. The last one signs out. */
const STATES: Record<string, (page: Page) => Promise<unknown>> = {
  'refused-form': (page) => sendForm(page, '/manage/settings/webhooks', { url: 'http://intranet' }),
  'key-shown-once': (page) => sendForm(page, '/manage/settings/keys', { name: 'Kasse am Markt' }),
  'nothing-found': (page) => page.goto('/manage/search?q=niemand'),
  'not-found': (page) => page.goto('/manage/orders/nothing'),
  'sign-in-refused': async (page) => {
    await page.context().clearCookies();
    await sendForm(page, '/manage/sign-in', { email: 'person@loewen.example', password: 'falsch' });
  },
};
/** Time until failing webhooks have exhausted their attempts, so that the log shows it. */
const WEBHOOKS_GIVEN_UP_MS = 12_000;

const word = process.argv[2] ?? '';
await withOwnService(async ({ demo }) => {
  await Promise.all([fill(demo), new Promise((resolve) => setTimeout(resolve, WEBHOOKS_GIVEN_UP_MS))]);
  const browser = await launchChromium();
  try {
    const paths = await pathsFrom(await signedIn(browser, demo, LOOKS[0]));
    if (word === '') await takePictures(await signedIn(browser, demo, LOOKS[0], 'pharmacist'));
    for (const look of LOOKS) await takeAll(await signedIn(browser, demo, look), look.name, paths);
  } finally {
    await browser.close();
  }
});

async function signedIn(
  browser: Browser,
  demo: Demo,
  look: (typeof LOOKS)[number],
  as: 'owner' | 'pharmacist' = 'owner',
): Promise<Page> {
  const { width, height, locale, colorScheme } = look;
  const context: BrowserContext = await browser.newContext({
    baseURL: demo.base_url,
    viewport: { width, height },
    locale,
    colorScheme,
  });
  const page = await context.newPage();
  const { email = '', password = '' } = demo.members.find(({ role }) => role === as) ?? {};
  await page.goto(START);
  await page.locator('[name="email"]').fill(email);
  await page.locator('[name="password"]').fill(password);
  await page.locator('main [type="submit"]').click();
  await page.waitForURL(`${demo.base_url}${START}/**`);
  return page;
}

/** @returns the paths of every page, with query */
async function pathsFrom(page: Page): Promise<string[]> {
  const see = async (path: string) => {
    const isPage = await page.goto(path).catch(() => null);
    return { html: isPage ? await page.content() : '', next: [] };
  };
  const found: string[] = [];
  for await (const { path, html } of walk(see, (kind) => SAMPLES[kind] ?? 1)) if (html) found.push(path);
  return found.filter((path) => path.includes(word));
}

/** Takes the README's pictures: a review with its prescription, and the orders of a day. */
async function takePictures(page: Page): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.goto('/manage/requests');
  await page.getByRole('link', { name: ERIKA.customer_name }).click();
  await page.frameLocator('.pdf iframe').locator('canvas').first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(PICTURES, 'review.png') });
  await page.goto('/manage/orders?tab=all');
  await page.screenshot({ path: join(PICTURES, 'orders.png') });
  await page.context().close();
}

async function takeAll(page: Page, name: string, paths: string[]): Promise<void> {
  mkdirSync(join(OUT, name), { recursive: true });
  for (const [index, path] of paths.entries()) {
    const answer = await page.goto(path).catch(() => null);
    if (!answer) continue;
    if (!answer.ok()) throw new Error(`${path} was answered with ${answer.status()}`);
    await take(page, name, `${String(index).padStart(2, '0')}${kindOf(path).replace(/[^\w]+/g, '-')}`);
  }
  for (const [state, open] of Object.entries(STATES).filter(() => word === '')) {
    await open(page);
    await take(page, name, `state-${state}`);
  }
  await page.context().close();
}

async function take(page: Page, look: string, name: string): Promise<void> {
  const path = join(OUT, look, `${name}.png`);
  await page.screenshot({ path, fullPage: true });
  console.log(`${relative(ROOT, path)}  ${page.url()}`);
}

/** Fills in the form of a page by its fields' names, and sends it. */
async function sendForm(page: Page, path: string, fields: Record<string, string>): Promise<void> {
  await page.goto(path);
  const form = page.locator('main form', { has: page.locator(`[name="${Object.keys(fields)[0]}"]`) });
  for (const [name, text] of Object.entries(fields)) await form.locator(`[name="${name}"]`).fill(text);
  await Promise.all([page.waitForEvent('domcontentloaded'), form.locator('[type="submit"]').last().click()]);
}
