import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { DECISION, focusedOn, openDeskPage, saidOn } from './support/desk-page';
import { enter, openPharmacy, startedService } from './support/fixtures';

// What the scripts do about forms, on a page that has everything they look for.

let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  ({ context } = await enter(browser, await openPharmacy(startedService(), 'Formular-Apotheke'), 'owner'));
});

afterAll(() => browser?.close());
afterEach(() => page?.close());

async function open(main = DECISION) {
  const desk = await openDeskPage(context, main);
  page = desk.page;
  return desk;
}

const quantity = () => page.locator('[name=quantity]');
const ticked = (id: string) => page.locator(`#${id}`).isChecked();

test('a form that cannot reach the service keeps the page, says so, and is sent once it can', async () => {
  for (const trouble of [{ isLost: true }, { isLost: false, status: 503 }]) {
    const { posts, answer } = await open();
    Object.assign(answer, trouble);
    await quantity().fill('3');
    await page.locator('#decide').click();
    await expect.poll(() => saidOn(page)).toBe('nicht erreichbar');
    expect([await quantity().inputValue(), page.url()]).toEqual(['3', expect.not.stringContaining('?')]);
    // A second press while it waits sends nothing of its own.
    await page.locator('#decide').click();
    Object.assign(answer, { isLost: false, status: 204 });
    posts.length = 0;
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.waitForURL('**?done');
    expect(posts.map(({ to, fields }) => [to, fields.quantity])).toEqual([['decide', '3']]);
    await page.close();
  }
});

test('a form that was changed while it waited is not sent as it was', async () => {
  const { posts, answer } = await open();
  answer.isLost = true;
  await quantity().fill('3');
  await page.locator('#decide').click();
  await expect.poll(() => saidOn(page)).toBe('nicht erreichbar');
  await quantity().fill('4');
  await expect.poll(() => saidOn(page)).toBe('nicht gesendet');
  answer.isLost = false;
  posts.length = 0;
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await page.locator('#decide').click();
  await page.waitForURL('**?done');
  expect(posts.map(({ fields }) => fields.quantity)).toEqual(['4']);
});

test('a form that was changed before it was refused is not sent as it has become', async () => {
  const { posts, answer } = await open();
  let refuse = () => {};
  answer.until = new Promise<void>((resolve) => (refuse = resolve));
  Object.assign(answer, { status: 409, headers: {}, bodyOf: () => '<!doctype html><h1>Schon entschieden</h1>' });
  await page.locator('#decide').click();
  await expect.poll(() => posts.length).toBe(1);
  await quantity().fill('30');
  refuse();
  await expect.poll(() => saidOn(page)).toBe('nicht gesendet');
  expect([await quantity().inputValue(), posts.length]).toEqual(['30', 1]);
});

test('a form that is refused shows the page that refuses it, as without scripts', async () => {
  const { answer } = await open();
  Object.assign(answer, { status: 409, headers: {}, bodyOf: () => '<!doctype html><h1>Schon entschieden</h1>' });
  await page.locator('#decide').click();
  await page.getByRole('heading', { name: 'Schon entschieden' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/manage/desk-page/decide');
});

test('a form that leads to a place on its own page shows the page anew', async () => {
  const { answer } = await open(`${DECISION}<p id="flags">Merkmale</p>`);
  answer.headers = { Location: '/manage/desk-page#flags' };
  await quantity().fill('3');
  await Promise.all([page.waitForEvent('load'), page.locator('#decide').click()]);
  await page.waitForURL('**#flags');
  await expect.poll(() => quantity().inputValue()).toBe('2');
});

const SEEN = `<iframe id="pdf" title="Rezept" srcdoc="Rezept"></iframe>
<form method="post" action="/manage/desk-page/decide"><fieldset class="check"><label><input type="checkbox" id="checked" value="ab12" data-tick data-seen="pdf"> Rezept geprüft
<small class="seen-pages" data-says="% von % Seiten gesehen" hidden></small></label><p class="unopened" hidden>Nicht zu öffnen</p></fieldset>
<button data-decide id="decide">Annehmen</button></form>`;

/** What the viewer tells the page of the file in its frame. */
const tell = (viewed: object) =>
  page.locator('#pdf').evaluate((frame: HTMLElement, told) => {
    frame.dataset.viewed = JSON.stringify(told);
    frame.dispatchEvent(new Event('viewed', { bubbles: true }));
  }, viewed);

/** Tries to set the tick by its key, from where the page is. */
async function tick(): Promise<boolean> {
  await page.evaluate(() => document.getElementById('checked')?.focus({ preventScroll: true }));
  await page.keyboard.press('Space');
  return ticked('checked');
}

test('"Rezept geprüft" can be set once the viewer has shown every page of the very file, and not before', async () => {
  await open(SEEN);
  const file = { sha256: 'ab12', pages: 3, seen: 2, fault: '' };
  expect(await tick()).toBe(false);
  expect([await saidOn(page), await focusedOn(page)]).toEqual(['erst ansehen', 'checked']);
  await tell(file);
  expect([await tick(), await page.locator('.seen-pages').innerText()]).toEqual([false, '2 von 3 Seiten gesehen']);
  await tell({ ...file, seen: 3, sha256: 'of other bytes' });
  expect(await tick()).toBe(false);
  await tell({ ...file, seen: 3 });
  expect([await tick(), await page.locator('.seen-pages').isVisible()]).toEqual([true, false]);
});

test('a file that the viewer cannot open keeps the tick off and shows what to do', async () => {
  await open(SEEN);
  await tell({ sha256: 'ab12', pages: 0, seen: 0, fault: 'locked' });
  expect([await tick(), await page.locator('.unopened').isVisible()]).toEqual([false, true]);
  const served = await page.evaluate(async () => (await fetch(location.href)).text());
  expect(served).not.toContain('disabled');
});

const CHECKED = `<form method="post" action="/manage/desk-page/decide" id="lines" data-check="/manage/desk-page/check">
<input name="quantity" inputmode="numeric" value="2" aria-label="Menge"><input name="note" data-unchecked aria-label="Notiz">
<iframe id="pdf" title="Rezept" hidden></iframe><p id="total" data-checked="neu zu prüfen">Summe 2</p><p id="nothing" data-checked="neu zu prüfen"></p><button>x</button></form>
<input name="outside" form="lines" aria-label="Draußen">`;
const total = () => page.locator('#total').innerText();

test('after an edit the sum is marked until the server has checked it anew; of several edits the last counts', async () => {
  const { posts, answer } = await open(CHECKED);
  const bodyOf = ({ quantity }: Record<string, string>) =>
    `<p id="total" data-checked="neu zu prüfen">Summe ${quantity}</p><p id="nothing" data-checked="neu zu prüfen">Andere Stärke <input type="checkbox" id="late" aria-label="geprüft" data-seen="pdf"></p>`;
  Object.assign(answer, { status: 200, headers: {}, bodyOf });
  for (const text of ['3', '4', '5']) await quantity().fill(text);
  expect(await total()).toBe('neu zu prüfen Summe 2');
  expect(await page.locator('#nothing').innerText()).toBe('');
  await expect.poll(total).toBe('Summe 5');
  expect(await page.locator('#nothing').innerText()).toContain('Andere Stärke');
  expect(posts.map(({ to }) => to)).toEqual(['check']);
  // A tick that comes with the answer waits for its file like the others.
  await page.locator('#late').click({ force: true });
  expect([await ticked('late'), await page.locator('#late').getAttribute('aria-disabled')]).toEqual([false, 'true']);
  await page.locator('[name=outside]').fill('x');
  await expect.poll(() => posts.length).toBe(2);
  await page.locator('[name=note]').fill('x');
  await page.waitForTimeout(600);
  expect(posts.length).toBe(2);
});

test('what could not be checked stays marked', async () => {
  const { posts, answer } = await open(CHECKED);
  for (const trouble of [
    { isLost: true },
    { isLost: false, status: 401, headers: {}, bodyOf: () => '<h1>Anmelden</h1>' },
  ]) {
    Object.assign(answer, trouble);
    posts.length = 0;
    await quantity().fill(String(Math.random()));
    await expect.poll(() => posts.length).toBe(1);
    await page.waitForTimeout(100);
    expect(await total()).toBe('neu zu prüfen Summe 2');
  }
});
