import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { fill } from '../../scripts/fill';
import { PAGE_BYTES_MAX, sentBytes } from '../support/html';
import { openContext, PASSWORD, send, startedService } from './support/fixtures';
import { arrival } from './support/input-methods';
import { faultsOfPage } from './support/page-checks';
import { getRoutes, linksOf, patternOf, ROLES, type Role } from './support/routes';

const HOME = '/manage';
const SIGN_IN = '/manage/sign-in';
/** A bound for a hang, not a measure: a day of orders is made first. */
const FILL_MS = 600_000;
/** Likewise: all pages at each width and in each font take three minutes of a quiet machine, and many more of a busy one. */
const VISITS_MS = 3_600_000;

vi.setConfig({ testTimeout: VISITS_MS });

/** Pages that no link of a signed-in owner leads to, each with the test that covers it. */
const UNLINKED: Record<string, string> = {
  '/manage/rail': 'every page asks for it: guards.test.ts',
  '/manage/today': 'the inbox asks for it: jobs.extended.test.ts',
  '/manage/sign-in': 'see the states below',
  '/manage/sign-in/code': 'see the states below',
  '/manage/sign-in/pharmacy': 'see the states below',
  '/manage/invitation/:token': 'see the states below',
  '/manage/reset/:token': 'see the states below',
  '/manage/settings/webhooks/:id/secret/end': 'see the states below',
  '/manage/account/second-factor': 'see the states below',
  '/manage/orders/:id/return': 'see the states below',
  '/manage/orders/:id/hand-over': 'behind a step: leaving.extended.test.ts',
  '/manage/orders/:id/ship': 'behind a step: leaving.extended.test.ts',
  '/manage/orders/:id/original': 'only while it is missing: leaving.extended.test.ts',
  '/manage/orders/:id/rest-slip': 'see the states below',
  '/manage/orders/:id/cancel-rest': 'see the states below',
  '/manage/desk/papers': 'see the states below',
  '/manage/desk/tour/:id': 'while the courier is on the way: test/management/tour.test.ts',
  '/manage/settings/organization/export/:id': 'once the file is written: test/management/own-export.test.ts',
  '/manage/inventory-import/:id': 'see the states below',
  '/manage/inventory-import/:id/failed': 'see the states below',
  '/manage/orders/:id/payment-link': 'only while a link is open: test/management/orders.test.ts',
  '/manage/search/batches': 'see the states below',
  '/manage/products/:p1Id/join': 'only once the catalog has the same PZN: test/inventory/own.test.ts',
  '/manage/requests/:id/products': 'the script asks it for suggestions in day.rounds.test.ts',
};
/** Pages that look different from one to the next: so many of each are visited. Of all others one. */
const SAMPLES: Record<string, number> = {
  '/manage/requests/:id': 4,
  '/manage/orders/:id': 24,
  '/manage/orders/:id/later': 6,
};

const service = startedService();
let browser: Browser;
const people = {} as Record<Role, { context: BrowserContext; page: Page; noise: string[] }>;
/** Paths of pages that were found by following the owner's links. */
const found: string[] = [];
/** The page of an order of which a part comes later, once a test has made it. */
let split = '';
let patterns: string[];

beforeAll(async () => {
  patterns = await getRoutes();
  browser = await launchChromium();
  await fill(service.demo);
  for (const role of ROLES) people[role] = await signedIn(role);
}, FILL_MS);

afterAll(() => browser?.close());

test('every page that a link leads to works, is accessible by axe, light and dark, and fits 360, 1024 and 1440 px', async () => {
  const { page, context, noise } = people.owner;
  const faults: string[] = [];
  const visits = new Map<string, number>();
  // Orders of the last tab, among which those that can be deleted are, come late: few of one kind are visited.
  const queue = [HOME, '/manage/orders?status=cancelled'];
  for (const path of queue) {
    const url = new URL(path, service.demo.base_url);
    const pattern = patternOf(patterns, url.pathname);
    if (!pattern) {
      faults.push(`${path}: no page of ours`);
      continue;
    }
    const kind = `${pattern}?${[...url.searchParams.keys()].toSorted().join('&')}`;
    const count = (visits.get(kind) ?? 0) + 1;
    if (count > (SAMPLES[pattern] ?? 1)) continue;
    visits.set(kind, count);
    found.push(path);
    if (!(await isPage(page, path))) {
      const { status, ok } = await statusOf(context, path);
      if (!ok) faults.push(`${path}: ${status}`);
      continue;
    }
    const { bytes } = await statusOf(context, path);
    if (bytes > PAGE_BYTES_MAX) faults.push(`${path}: ${bytes} bytes`);
    faults.push(...(await faultsOfPage(page)).map((fault) => `${path}: ${fault}`));
    queue.push(...(await linksOf(page)));
  }
  expect(faults).toEqual([]);
  expect(noise).toEqual([]);
  const seen = new Set(found.map((path) => patternOf(patterns, new URL(path, service.demo.base_url).pathname)));
  expect(patterns.filter((pattern) => !seen.has(pattern) && !UNLINKED[pattern])).toEqual([]);
});

test('every form, sent empty, is refused or done on a page as good as the others', async () => {
  const { page } = people.owner;
  const faults: string[] = [];
  const tried = new Set<string>();
  for (const path of found) {
    const pattern = patternOf(patterns, new URL(path, service.demo.base_url).pathname) ?? '';
    if (tried.has(pattern) || !(await isPage(page, path))) continue;
    const forms = await page.evaluate(typedForms);
    if (forms.length > 0) tried.add(pattern);
    for (const action of forms) {
      await isPage(page, path);
      // What the form before it did may have ended it.
      if (!(await page.evaluate(typedForms)).includes(action)) continue;
      const answer = page.waitForResponse((response) => response.request().method() === 'POST');
      await arrival(page, () => page.evaluate(sendEmpty, action));
      const status = (await answer).status();
      // 204: the script is told where to go.
      if (![200, 204, 303, 400, 409].includes(status)) faults.push(`${path}: ${action} was answered with ${status}`);
      faults.push(...(await faultsOfPage(page)).map((fault) => `${path}: ${action}: ${fault}`));
    }
  }
  expect(faults).toEqual([]);
});

test.each<[string, (page: Page) => Promise<unknown>]>([
  ['a page that is not there', (page) => page.goto('/manage/orders/no-such-order')],
  ['a key that is shown once', (page) => sendOn(page, '/manage/settings/keys', 'name', 'Kasse')],
  [
    'a signing secret that is shown once',
    (page) => sendOn(page, '/manage/settings/webhooks', 'url', 'http://127.0.0.1:9/', '[name="order_created"]'),
  ],
  [
    'an invitation that is shown once',
    (page) => sendOn(page, '/manage/settings/members', 'email', 'neu@loewen.example', '[type="radio"][value="staff"]'),
  ],
  [
    'a second factor that is being set up',
    async (page) => {
      await page.goto('/manage/account');
      const form = page.locator('form[action$="/second-factor"]');
      await form.locator('[name="password"]').fill(service.demo.members[0]?.password ?? '');
      await arrival(page, () => form.getByRole('button').click());
    },
  ],
  [
    'the end of the time in which two signing secrets are valid',
    async (page) => {
      await page.goto(found.find((path) => path.endsWith('/secret')) ?? '');
      await arrival(page, () => page.locator('main form [type="submit"]').click());
      await page.locator('main a[href$="/secret/end"]').click();
      await page.waitForURL('**/secret/end');
    },
  ],
  [
    'the question before a return',
    async (page) => {
      await page.goto(found.find((path) => /\/orders\/[\w-]{36}$/.test(path)) ?? '');
      await page.goto(`${page.url()}/return`);
    },
  ],
  [
    'an order of which a part comes later',
    async (page) => {
      for (const path of found.filter((each) => each.includes('/later?line='))) {
        await page.goto(path);
        if ((await page.locator('[name="later"]').count()) > 0) break;
      }
      await sendOn(page, page.url(), 'later', '1');
      split = new URL(page.url()).pathname;
    },
  ],
  ['the slip for a part that comes later', (page) => page.goto(`${split}/rest-slip`)],
  ['the question before that part is cancelled', (page) => page.goto(`${split}/cancel-rest`)],
  ['the list of what is to come', (page) => page.goto('/manage/expected?later=1')],
  [
    'what became of orders that were picked',
    async (page) => {
      await page.goto('/manage/orders?tab=all');
      for (const box of await page.locator('tbody [name="order"]').all()) await box.check();
      await arrival(page, () => page.locator('.bulk [value="ready"]').click());
    },
  ],
  [
    'papers of orders that were picked',
    async (page) => {
      await page.goto('/manage/orders?tab=all');
      await page.locator('tbody [name="order"]').first().check();
      await arrival(page, () => page.locator('.bulk [value="labels"]').click());
    },
  ],
  [
    'a file of stocks with a line that cannot be booked',
    async (page) => {
      await sendOn(page, '/manage/inventory-import', 'stock_text', 'PZN;Bestand\n01126619;12\nkeine;viele');
      expect((await statusOf(page.context(), `${new URL(page.url()).pathname}/failed`)).ok).toBe(true);
    },
  ],
  ['a batch that nobody got', (page) => page.goto('/manage/search/batches?q=AB12')],
  ['a search that finds nothing', (page) => page.goto('/manage/requests?q=nobody-of-that-name')],
])('%s is as good as the pages', async (_, open) => {
  const { page } = people.owner;
  await open(page);
  expect(await faultsOfPage(page)).toEqual([]);
});

test('what is open to everybody, and what is forbidden, passes the same checks as the other pages', async () => {
  const context = await openContext(browser);
  const page = await context.newPage();
  const { invitation_url = '' } = await service.operate(`/organizations/${service.demo.org_id}/members`, {
    email: 'person@loewen.example',
    role: 'staff',
  });
  const faults: string[] = [];
  for (const path of [
    SIGN_IN,
    `${SIGN_IN}/code`,
    invitation_url,
    '/manage/invitation/no-such-token',
    '/manage/reset/no-such-token',
  ]) {
    await page.goto(path);
    faults.push(...(await faultsOfPage(page)).map((fault) => `${path}: ${fault}`));
  }
  await page.goto(SIGN_IN);
  await send(page, { email: 'nobody@loewen.example', password: 'not-the-password' });
  faults.push(...(await faultsOfPage(page)));
  await chooseAmongTwo(page);
  faults.push(...(await faultsOfPage(page)));
  await context.close();

  await people.staff.page.goto('/manage/settings/keys');
  faults.push(...(await faultsOfPage(people.staff.page)));
  expect(faults).toEqual([]);
});

/** A person with the same password at two pharmacies has to choose one. */
async function chooseAmongTwo(page: Page): Promise<void> {
  const email = `zwei-${randomUUID()}@example.com`;
  for (const name of ['Adler-Apotheke', 'Bären-Apotheke']) {
    const { org_id: orgId = '' } = await service.operate('/organizations', { name, shard: 0 });
    const invited = await service.operate(`/organizations/${orgId}/members`, { email, role: 'staff' });
    await page.context().clearCookies();
    await page.goto(invited.invitation_url ?? '');
    await send(page, { name: 'Kim Öztürk', password: PASSWORD });
  }
  await page.context().clearCookies();
  await page.goto(SIGN_IN);
  await send(page, { email, password: PASSWORD });
  expect(new URL(page.url()).pathname).toBe(`${SIGN_IN}/pharmacy`);
}

/** Runs in the page. @returns the actions of the forms that one types something into */
function typedForms(): string[] {
  const forms = [...document.querySelectorAll<HTMLFormElement>('main form[method="post"]')];
  const typed = forms.filter((form) =>
    form.querySelector('input:not([type="hidden"]):not([hidden]), textarea, select'),
  );
  const actions = typed.map((form) => form.getAttribute('action') ?? '');
  // One of each kind: the forms of a table's rows differ by an id alone.
  const kindOf = (action: string) => action.replace(/[^/#-]*\d[^/]*|#.*/g, '');
  return actions.filter((action, index) => actions.findIndex((other) => kindOf(other) === kindOf(action)) === index);
}

/** Runs in the page. */
function sendEmpty(action: string): void {
  const form = document.querySelector<HTMLFormElement>(`main form[method="post"][action="${CSS.escape(action)}"]`);
  for (const field of form?.querySelectorAll<HTMLInputElement>('input:not([type="hidden"]), textarea, select') ?? []) {
    if (['checkbox', 'radio'].includes(field.type)) field.checked = false;
    else field.value = '';
  }
  const button = form?.querySelector<HTMLButtonElement>('[type="submit"]:enabled');
  if (button) button.click();
  // One field and no button: Enter sends it.
  else form?.requestSubmit();
}

/** Fills in one field of a page's form, ticks another, and sends it. */
async function sendOn(page: Page, path: string, name: string, text: string, tick?: string): Promise<void> {
  await page.goto(path);
  const form = page.locator('main form', { has: page.locator(`[name="${name}"]`) });
  await form.locator(`[name="${name}"]`).fill(text);
  if (tick) await form.locator(tick).check();
  await arrival(page, () => form.locator('[type="submit"]').last().click());
}

async function signedIn(role: Role) {
  const { email = '', password = '' } = service.demo.members.find((member) => member.role === role) ?? {};
  const context = await openContext(browser);
  // The viewer costs more than the page; guards.test.ts and day.rounds.test.ts look at the real file.
  await context.route('**/pdf', (route) => route.fulfill({ contentType: 'text/plain', body: '' }));
  const noise: string[] = [];
  const page = await context.newPage();
  listen(page, noise);
  await page.goto(SIGN_IN);
  await send(page, { email, password });
  return { context, page, noise };
}

/** Records what no page may do: log errors, violate the content security policy, send requests to other hosts. */
function listen(page: Page, noise: string[]): void {
  const { origin: ours } = new URL(service.demo.base_url);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) noise.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => noise.push(`${page.url()}: ${error.message}`));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    // The browser's own PDF viewer asks the browser itself for its parts.
    if (/^(http|ws)/.test(protocol) && origin !== ours) noise.push(request.url());
  });
}

/** Opens it. @returns false when it is no page but a file */
async function isPage(page: Page, path: string): Promise<boolean> {
  try {
    const answer = await page.goto(path);
    return answer?.headers()['content-type']?.startsWith('text/html') ?? false;
  } catch (error) {
    if (/Download is starting|ERR_ABORTED/.test(String(error))) return false;
    throw error;
  }
}

async function statusOf(context: BrowserContext, path: string) {
  const answer = await context.request.get(path);
  return { status: answer.status(), ok: answer.ok(), bytes: await sentBytes(await answer.text()) };
}
