import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { Catcher } from '../node/support/catcher';
import { de } from '../support/messages';
import { signedPosts } from '../support/signatures';
import {
  AMOXICILLIN,
  enter,
  openContext,
  openPharmacy,
  PASSWORD,
  type Pharmacy,
  send,
  startedService,
  submit,
  tickAll,
} from './support/fixtures';
import { arrival } from './support/input-methods';

const REQUESTS = '/manage/requests';
const SIGN_IN = '/manage/sign-in';

const service = startedService();
let browser: Browser;
let catcher: Catcher;
let pharmacy: Pharmacy;

beforeAll(async () => {
  catcher = await new Catcher().open();
  browser = await launchChromium();
  pharmacy = await openPharmacy(service, 'Stern-Apotheke');
});

afterAll(async () => {
  await browser?.close();
  catcher?.close();
});

test.each(['/manage/orders', '/manage/account'])(
  '%s says within 35 s that there is no connection, that its day is over, or that the session has ended',
  async (path) => {
    const { page, context } = await enter(browser, pharmacy, 'staff');
    await page.clock.install();
    await page.goto(path);
    const said = () => page.locator('[data-alive]').innerText();
    expect(await said()).toMatch(/^aktuell \d\d:\d\d/);
    await context.setOffline(true);
    await page.clock.fastForward(35_000);
    await expect.poll(said).toMatch(/^keine Verbindung seit \d\d:\d\d/);
    await context.setOffline(false);
    await expect.poll(said).toMatch(/^aktuell/);
    await page.route('**/manage/rail', (route) => route.fulfill({ json: { counts: {}, day: '2099-01-01' } }));
    await page.clock.fastForward(35_000);
    await expect.poll(said).toBe('Seite von einem früheren Tag: neu laden');
    await page.unroute('**/manage/rail');
    await page.locator('[data-alive] a').click();
    await expect.poll(said).toMatch(/^aktuell/);
    await context.clearCookies();
    await page.clock.fastForward(35_000);
    await expect.poll(said).toBe('abgemeldet anmelden');
    await context.close();
  },
);

test('a form whose session has ended stays; after a sign-in in another tab it is sent again, in another person’s name only once that was said', async () => {
  const { page, context, email } = await enter(browser, pharmacy, 'pharmacist');
  const other = await enter(browser, pharmacy, 'owner');
  const told = page.locator('[data-said]');
  const signInAs = async (person: string) => {
    const [tab] = await Promise.all([context.waitForEvent('page'), told.getByRole('link').click()]);
    await send(tab, { email: person, password: PASSWORD });
    await tab.close();
  };
  const reject = async () => {
    const id = await submit(pharmacy);
    await page.goto(`${REQUESTS}/${id}`);
    await page.getByText(de.requests.reject, { exact: true }).first().click();
    await page.getByLabel(de.shared.orders.fields.note, { exact: true }).fill('Telefonisch geklärt');
    await page.getByLabel(de.shared.common.reason, { exact: true }).selectOption('customer_withdrew');
    await context.clearCookies();
    await page.getByRole('button', { name: de.requests.reject, exact: true }).last().click();
    await told.getByText(de.shared.scripts.ended).waitFor();
    expect(await page.locator('[data-alive]').innerText()).toBe('abgemeldet anmelden');
    expect(await page.getByLabel(de.shared.orders.fields.note, { exact: true }).inputValue()).toBe(
      'Telefonisch geklärt',
    );
  };
  const sendAgain = () => page.getByRole('button', { name: de.requests.reject, exact: true }).last().click();
  const isDone = () =>
    page.getByRole('status').filter({ hasText: de.shared.decided.did.request_rejected }).first().waitFor();

  await reject();
  await signInAs(email);
  await sendAgain();
  await isDone();

  await reject();
  await signInAs(other.email);
  await sendAgain();
  await told.getByText('Angemeldet ist jetzt').waitFor();
  expect(await told.innerText()).toContain(pharmacy.name);
  await sendAgain();
  await isDone();
  for (const each of [context, other.context]) await each.close();
});

test('without scripts: sign in, approve, a refused form that keeps what was typed, reject, redeliver, change stock', async () => {
  const { page, context } = await enter(browser, pharmacy, 'owner', { javaScriptEnabled: false });
  const [approved, rejected] = [await submit(pharmacy), await submit(pharmacy)];

  await page.goto(`${REQUESTS}/${approved}`);
  await tickAll(page);
  await press(page, de.requests.approve);
  expect(await page.getByRole('status').first().innerText()).toContain(de.shared.decided.did.request_approved);

  await page.goto(`${REQUESTS}/${rejected}`);
  const note = page.getByLabel(de.shared.orders.fields.note, { exact: true });
  await page.getByText(de.requests.reject, { exact: true }).first().click();
  await note.fill('Telefonisch geklärt: „nein“');
  await press(page, de.requests.reject);
  expect(await page.getByRole('alert').innerText()).toContain(de.shared.fieldErrors.reason_required);
  expect(await note.inputValue()).toBe('Telefonisch geklärt: „nein“');
  await page.getByLabel(de.shared.common.reason, { exact: true }).selectOption('customer_withdrew');
  await press(page, de.requests.reject);
  expect(await page.getByRole('status').first().innerText()).toContain(de.shared.decided.did.request_rejected);

  await page.goto('/manage/settings/webhooks');
  await page.getByLabel(de.webhooks.subscriptions.url).fill(catcher.url('/without-scripts'));
  await page.getByRole('checkbox', { name: 'order_request_submitted' }).check();
  await press(page, de.webhooks.subscriptions.create);
  await submit(pharmacy);
  await expect.poll(() => catcher.at('/without-scripts').length).toBe(1);
  await page.goto('/manage/settings/webhooks');
  await arrival(page, () => page.getByRole('link', { name: catcher.url('/without-scripts'), exact: true }).click());
  const delivered = page.getByRole('row').filter({ hasText: de.webhooks.deliveries.statuses.succeeded });
  await expect.poll(async () => (await page.reload()) && (await delivered.count())).toBe(1);
  await arrival(page, () => delivered.getByRole('link').click());
  await press(page, de.webhooks.deliveries.redeliver);
  expect(await page.getByRole('status').first().innerText()).toBe(de.shared.flash.redelivered);
  await expect.poll(() => catcher.at('/without-scripts').length).toBe(2);

  await page.goto(`/manage/products?q=${AMOXICILLIN}`);
  const row = page.locator('main tbody tr');
  for (const { change, where, said } of [
    { change: '-41', where: '.fault', said: de.shared.fieldErrors.insufficient_stock },
    { change: '=37', where: '.stock', said: '37' },
  ]) {
    await row.getByRole('textbox').fill(change);
    await arrival(page, () => row.getByRole('button').click());
    await row.locator(where, { hasText: said }).waitFor();
  }
  await context.close();
});

test('after the sign-out the page before is not shown again', async () => {
  const { page, context } = await enter(browser, pharmacy, 'owner');
  await page.goto(REQUESTS);
  await page.getByText('Kim Öztürk').first().click();
  await arrival(page, () => page.getByRole('button', { name: de.shared.common.signOut }).click());
  await page.goBack();
  await page.waitForURL(`**${SIGN_IN}*`);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(de.signIn.signIn.title);
  await context.close();
});

test('a PDF with a program in it, and HTML that calls itself one, run nothing in our origin', async () => {
  const { page, context } = await enter(browser, pharmacy, 'pharmacist');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('dialog', (dialog) => asked.push(`dialog: ${dialog.message()}`));
  for (const pdf of [WITH_PROGRAM, HTML_AS_PDF]) {
    const id = await submit(pharmacy, {}, pdf);
    const loaded = page.waitForResponse((response) => response.url().endsWith('/pdf'));
    await page.goto(`${REQUESTS}/${id}`);
    const title = await page.title();
    const answer = await loaded;
    expect(answer.headers()).toMatchObject({
      'content-type': 'application/pdf',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "frame-ancestors 'self'",
      'content-disposition': expect.stringMatching(/^inline/),
      'cache-control': expect.stringContaining('no-store'),
    });
    await page.waitForLoadState('networkidle');
    expect(await page.title()).toBe(title);
    expect(asked.filter((url) => url.includes('stolen'))).toEqual([]);
  }
  await context.close();
});

test('the reference: every block of code is copied by a button, and the receiver kit verifies in a browser', async () => {
  const context = await openContext(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  await page.goto('/docs/signatures');
  const block = page.locator('.code', { hasText: 'createServer' });
  expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(await page.locator('.code').count());
  await block.getByRole('button', { name: 'Copy' }).click();
  await block.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await block.locator('code').textContent());

  // The reference's own policy lets nothing be imported.
  await page.goto('/healthz');
  const [post] = await signedPosts(Math.floor(Date.now() / 1000));
  // As text: Vitest would put its own loader in place of the import.
  const verdictOf = (body?: string) => {
    const posted = JSON.stringify([body, post?.headers, post?.secret]);
    return page.evaluate(
      `import('/docs/receiver.js').then(({ verify }) => verify(...${posted})).then(() => 'genuine', ({ reason }) => reason)`,
    );
  };
  const verdicts = [await verdictOf(post?.body), await verdictOf(`${post?.body} `)];
  expect(verdicts).toEqual(['genuine', 'signature']);
  await context.close();
});

/** A PDF whose script runs on opening: it shows an alert and sends its content away (ISO 32000-1 §12.6.4.16). */
const WITH_PROGRAM = Buffer.from(
  `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.launchURL\\('/manage?stolen'\\);parent.document.title='stolen')>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 298 420]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`,
);
const HTML_AS_PDF = Buffer.from(
  `%PDF-1.4\n<html><script>parent.document.title='stolen';fetch('/manage?stolen')</script><img src="/manage?stolen">\n%%EOF\n`,
);

/** A button of the page's own part, which leads to a page. */
async function press(page: Page, name: string): Promise<void> {
  await arrival(page, () => page.getByRole('main').getByRole('button', { name, exact: true }).click());
}
