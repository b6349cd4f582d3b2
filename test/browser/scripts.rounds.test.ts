import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { DECISION, focusedOn, openDeskPage, saidOn } from './support/desk-page';
import { enter, openPharmacy, startedService } from './support/fixtures';
import { CODES, type Key, LABEL, SPEEDS, scan, strike } from './support/scanner';

// The scripts on a page that has everything they look for; scans.proof.test.ts has the real pages.

const CODE = '010415012345678210a4711';
const PZN = '12345678';

let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  ({ context } = await enter(browser, await openPharmacy(startedService(), 'Pult-Apotheke'), 'owner'));
});

afterAll(() => browser?.close());
afterEach(() => page?.close());

async function open(main = DECISION, shortcuts?: string) {
  const desk = await openDeskPage(context, main, shortcuts);
  page = desk.page;
  return desk;
}

const inField = (name: string) => page.locator(`[name="${name}"]`).inputValue();
const ticked = (id: string) => page.locator(`#${id}`).isChecked();

test.each(SPEEDS)(
  'a code goes to the scan field wherever the focus is, at %d ms a key, and leaves nothing behind',
  async (every) => {
    const { posts } = await open();
    const places = [
      'body',
      '#link',
      '#decide',
      '[name=product]',
      '[name=quantity]',
      '[name=shelf]',
      '[name=reason]',
      '#other',
      '#first',
    ];
    for (const [at, [code, meant]] of Object.entries(CODES).entries()) {
      for (const [where, place] of places.entries()) {
        // Each of them with and without Caps Lock, at one speed or another.
        const isLocked = (at + where + every) % 2 === 1;
        const about = `${code} ${isLocked ? 'with Caps Lock ' : ''}at ${place}`;
        await page.locator('[name=product]').fill('');
        await page.evaluate(() => (document.activeElement as HTMLElement).blur());
        await page.locator(place).focus();
        await scan(page, code, { every, isLocked });
        await expect.poll(() => inField('product'), { message: about }).toBe(meant);
        expect(await focusedOn(page), about).toBe('product');
        const left = [
          await inField('quantity'),
          await inField('shelf'),
          await inField('reason'),
          await inField('remark'),
        ];
        expect([...left, await ticked('other'), await ticked('first')], about).toEqual([
          '2',
          'B 7',
          'Bitte wählen',
          '',
          false,
          false,
        ]);
        expect(await page.locator('dialog[open]').count(), about).toBe(0);
      }
    }
    expect(posts).toEqual([]);
    expect(page.url()).not.toContain('?');
  },
);

test('what a person typed just before a scan stays', async () => {
  await open();
  await page.locator('[name=quantity]').fill('');
  await page.locator('[name=quantity]').focus();
  await strike(page, [['3', 0], ...[...CODE].map((key, place): Key => [key, place ? 65 : 500]), ['Enter', 65]]);
  await expect.poll(() => inField('product')).toBe(PZN);
  expect(await inField('quantity')).toBe('3');
});

test('in notes and searches a code stays text, at any speed; the Enter of a search searches', async () => {
  const { posts } = await open();
  for (const every of SPEEDS) {
    for (const name of ['remark', 'note']) {
      await page.locator(`[name=${name}]`).fill('');
      await page.locator(`[name=${name}]`).focus();
      await scan(page, CODE, { every });
      await expect.poll(() => inField(name)).toContain(CODE);
      expect(await inField('product')).toBe('');
    }
  }
  await page.locator('[name=q]').focus();
  await scan(page, CODE, { every: 65 });
  await page.waitForURL(`**?q=${CODE}`);
  expect(posts).toEqual([]);
});

test('what has no check digit is text: it goes nowhere, and its Enter decides nothing', async () => {
  const { posts } = await open();
  for (const code of ['04150001', 'nnaarr', '010415000100001721281231r10a1', '1a r 2345']) {
    for (const every of SPEEDS) {
      for (const place of ['body', '#decide', '#other']) {
        await page.evaluate(() => (document.activeElement as HTMLElement).blur());
        await page.locator(place).focus();
        await scan(page, code, { every });
        await page.waitForTimeout(80);
        expect(await inField('product'), `${code} at ${place}`).toBe('');
        expect(await ticked('other')).toBe(false);
      }
    }
  }
  expect(posts).toEqual([]);
});

test('without a scan field a code opens what it means; where something is not saved, it says so and waits', async () => {
  const form = (field: string) =>
    `<form method="post" action="/manage/desk-page/save"><input name="name" value="Kasse">${field}<button>x</button></form>`;
  const { posts } = await open(form('<input name="stock" data-amount>'));
  for (const [every, place] of [
    [8, 'body'],
    [65, '[name=stock]'],
    [120, 'button'],
  ] as const) {
    await page.goto('/manage/desk-page');
    await page.locator(place).first().focus();
    await scan(page, CODE, { every });
    await page.waitForURL(`**?q=PZN+${PZN}`);
  }
  await page.locator('[name=name]').fill('Kasse 2');
  await page.locator('button').first().focus();
  await scan(page, LABEL, { every: 65 });
  await expect.poll(() => saidOn(page)).toBe('nicht gespeichert');
  expect([await focusedOn(page), await inField('q'), await inField('name')]).toEqual(['q', LABEL, 'Kasse 2']);
  // Words of a person keep their code.
  await page.locator('[name=name]').fill('');
  await page.locator('[name=name]').focus();
  await scan(page, CODE, { every: 120 });
  await expect.poll(() => inField('name')).toBe(CODE);
  expect(posts).toEqual([]);
});

test('a scan field that sends gets all of the code, and labels of bags too', async () => {
  const { posts } = await open(
    `${DECISION}<form method="post" action="/manage/desk-page/scan"><input name="code" data-scan></form>`,
  );
  for (const code of [CODE, LABEL]) {
    await page.goto('/manage/desk-page');
    await page.locator('#decide').focus();
    await scan(page, code, { every: 120 });
    await page.waitForURL('**?done');
    expect(posts.pop()).toEqual({ to: 'scan', fields: { code } });
  }
  // What is no code is told to the service too: it knows what to say.
  for (const every of SPEEDS) {
    await page.goto('/manage/desk-page');
    await page.locator('[name=code]').focus();
    await scan(page, '1234567X', { every });
    await page.waitForURL('**?done');
    expect(posts.pop()).toEqual({ to: 'scan', fields: { code: '1234567X' } });
  }
  expect(posts).toEqual([]);
});

test('a character takes the focus off a decision, but for the letter that leads there', async () => {
  await open();
  for (const [key, focused] of [
    ['x', 'BODY'],
    ['7', 'BODY'],
    ['A', 'BODY'],
    ['a', 'first'],
  ] as const) {
    await page.locator('#decide').focus();
    await page.keyboard.press(key);
    await expect.poll(() => focusedOn(page), { message: key }).toBe(focused);
  }
  for (const id of ['first', 'second']) await page.locator(`#${id}`).check();
  await page.locator('#decide').focus();
  await page.keyboard.press('a');
  await page.waitForTimeout(80);
  expect(await focusedOn(page)).toBe('decide');
});

test.each<[keys: string, isTaken: boolean]>([
  ['a, 200 ms, Enter', false],
  ['a, 299 ms, Enter', false],
  ['a, 400 ms, Enter', true],
  ['a, 200 ms, Space', false],
  // As after the last tick.
  ['a, 400 ms, Space', false],
  ['Space, 340 ms, Space, 340 ms, Space', false],
  ['a, 200 ms, Enter, 200 ms, Enter', true],
  ['Enter', true],
])('a decision is taken by no key within 300 ms of a character: %s', async (keys, isTaken) => {
  const { posts } = await open();
  for (const id of ['first', 'second']) await page.locator(`#${id}`).check();
  await page.locator('#decide').focus();
  const struck = `0 ms, ${keys}`.split(/ ms, |, (?=\d)/);
  await strike(
    page,
    struck.flatMap((ms, at): Key[] => (at % 2 ? [] : [[(struck[at + 1] ?? '').replace('Space', ' '), Number(ms)]])),
  );
  if (isTaken) await page.waitForURL('**?done');
  else await expect.poll(() => saidOn(page)).toBe('noch einmal Enter');
  expect(posts.map(({ to }) => to)).toEqual(isTaken ? ['decide'] : []);
});

test('Space decides where Tab has brought the focus', async () => {
  const { posts } = await open();
  for (const id of ['first', 'second']) await page.locator(`#${id}`).check();
  for (let tabs = 0; tabs < 30 && (await focusedOn(page)) !== 'decide'; tabs += 1) await page.keyboard.press('Tab');
  await strike(page, [[' ', 400]]);
  await page.waitForURL('**?done');
  expect(posts.map(({ to }) => to)).toEqual(['decide']);
});

test('a leads to the first tick that is missing, Space sets it and leads on, and Enter decides at once', async () => {
  const { posts } = await open();
  await page.keyboard.press('a');
  await expect.poll(() => focusedOn(page)).toBe('first');
  // Enter on a tick does nothing.
  await page.keyboard.press('Enter');
  expect(await ticked('first')).toBe(false);
  await strike(page, [
    ['x', 0],
    ['a', 400],
    [' ', 100],
    [' ', 300],
    ['Enter', 40],
  ]);
  await page.waitForURL('**?done');
  expect(posts.map(({ to, fields }) => [to, fields.first, fields.second])).toEqual([['decide', 'on', 'on']]);
});

test('a Space within a scan sets no tick', async () => {
  await open();
  await page.locator('#first').focus();
  await strike(page, [
    ['7', 0],
    [' ', 120],
    ['7', 120],
  ]);
  await page.waitForTimeout(80);
  expect(await ticked('first')).toBe(false);
});

test('where shortcuts are off, letters mean nothing and Space leads nowhere; scans and the guard stay', async () => {
  const { posts } = await open(DECISION, 'off');
  await page.locator('#first').focus();
  for (const key of ['r', 'i', 'a', '?', '/', 'j']) await page.keyboard.press(key);
  await page.waitForTimeout(80);
  expect(await focusedOn(page)).toBe('first');
  await strike(page, [[' ', 400]]);
  expect(await ticked('first')).toBe(true);
  expect(await focusedOn(page)).toBe('first');
  await page.locator('#decide').focus();
  await page.keyboard.press('a');
  await expect.poll(() => focusedOn(page)).toBe('BODY');
  await scan(page, CODE, { every: 120 });
  await expect.poll(() => inField('product')).toBe(PZN);
  expect(posts).toEqual([]);
});

test('Enter in a field of a decision decides nothing; a text like a code is asked about, words are not', async () => {
  const { posts } = await open(
    `${DECISION}<form method="post" action="/manage/desk-page/save"><input name="name"><button>x</button></form>`,
  );
  for (const name of ['product', 'quantity', 'shelf', 'remark']) {
    await page.goto('/manage/desk-page');
    await page.locator(`[name=${name}]`).press('Enter');
    await page.waitForURL('**?done');
    expect(
      posts.splice(0).map(({ to }) => to),
      name,
    ).toEqual(['check']);
  }
  const inName = async (text: string) => {
    await page.goto('/manage/desk-page');
    await page.locator('[name=name]').focus();
    await scan(page, text, { every: 120 });
  };
  await inName('1234567X');
  await expect.poll(() => saidOn(page)).toBe('noch einmal Enter');
  expect(posts).toEqual([]);
  await inName('Kasse 2');
  await page.waitForURL('**?done');
  expect(posts.map(({ to }) => to)).toEqual(['save']);
});

test('s leads to the scan field, a letter opens what it names with the focus in its first field, and Escape closes it', async () => {
  await open(
    `${DECISION}<details data-pop><summary id="ask" data-key="q">Rückfrage</summary><select name="about" aria-label="Worum"><option>x</select></details>`,
  );
  await page.keyboard.press('s');
  await expect.poll(() => focusedOn(page)).toBe('product');
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('q');
  await expect.poll(() => focusedOn(page)).toBe('about');
  await page.keyboard.press('Escape');
  expect(await focusedOn(page)).toBe('ask');
  expect(await page.locator('details[open]').count()).toBe(0);
});

test('the page takes the keys back from a file that was clicked into, once the pointer leaves it', async () => {
  await open(`<iframe id="pdf" title="Rezept" srcdoc="<input>"></iframe>${DECISION}`);
  await page.locator('#pdf').click();
  expect(await focusedOn(page)).toBe('pdf');
  await page.locator('#link').hover();
  await scan(page, CODE, { every: 65 });
  await expect.poll(() => inField('product')).toBe(PZN);
});

test('in a dialog a leads to its yes, and the list of shortcuts begins with its title, not with the switch', async () => {
  const { posts } = await open(
    `${DECISION}<dialog id="ask"><form method="post" action="/manage/desk-page/yes"><button id="no" formmethod="dialog">Nein</button><button id="yes" data-decide>Ja</button></form></dialog>`,
  );
  await page.evaluate(() => (document.querySelector('#ask') as HTMLDialogElement).showModal());
  await page.locator('#no').focus();
  await page.keyboard.press('a');
  await expect.poll(() => focusedOn(page)).toBe('yes');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.locator('dialog[data-shortcuts][open]').waitFor();
  expect(await focusedOn(page)).toBe('H2');
  await page.waitForTimeout(320);
  await page.keyboard.press('Enter');
  await scan(page, CODE);
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
  expect(await inField('product')).toBe(PZN);
  expect(posts).toEqual([]);
});
