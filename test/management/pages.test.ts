import { de, en } from '../support/messages';
import { openOrganization } from '../support/operator';
import { doctoredDb } from '../support/probe';
import { expect, test, vi } from '../support/test';
import { call } from '../support/world';
import { Browser, enter, invite, type Page } from './browser';

const CSP =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; connect-src 'self'; frame-src 'self'";
const MEMBERS = '/manage/settings/members';

/** Every page that can be asked for, and whether somebody has to be signed in. */
async function everyPage(): Promise<{ path: string; browser: Browser; status: number }[]> {
  const orgId = await openOrganization();
  const { browser } = await enter(orgId, 'owner');
  const { path } = await invite(orgId, 'staff');
  const list = await browser.get(MEMBERS);
  const id = /members\/([\w-]{36})\/revoke/.exec(list.text)?.[1] ?? '';
  const visitor = new Browser();
  return [
    { path: '/manage/sign-in', browser: visitor, status: 200 },
    { path: '/manage/sign-in/code', browser: visitor, status: 200 },
    { path, browser: visitor, status: 200 },
    { path: `/manage/invitation/${orgId}.${'a'.repeat(43)}`, browser: visitor, status: 404 },
    { path: '/manage/account', browser, status: 200 },
    { path: MEMBERS, browser, status: 200 },
    { path: `${MEMBERS}/${id}/revoke`, browser, status: 200 },
    { path: '/manage/settings/keys', browser, status: 200 },
    { path: '/manage/settings/webhooks', browser, status: 200 },
    { path: '/manage/nowhere', browser, status: 404 },
  ];
}

function keysOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, child]) => keysOf(child, `${path}/${key}`));
}

test('German and English have the same keys, and none is empty', () => {
  expect(keysOf(en)).toEqual(keysOf(de));
  const empty = [...keysOf(de)].filter((path) => {
    const at = (words: unknown) =>
      path
        .slice(1)
        .split('/')
        .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], words);
    return [at(de), at(en)].some((text) => text === '');
  });
  expect(empty).toEqual([]);
});

test('every page speaks German and English, whole, and says which', async () => {
  for (const { path, browser, status } of await everyPage()) {
    const german = await browser.get(path, { 'Accept-Language': 'de-DE,de' });
    const english = await browser.get(path, { 'Accept-Language': 'en-GB,en;q=0.9,de;q=0.8' });
    expect([path, german.status, english.status]).toEqual([path, status, status]);
    expect(german.text).toContain('<html lang="de">');
    expect(english.text).toContain('<html lang="en">');
    // The same word in both languages.
    if (path !== MEMBERS) expect(titleOf(german)).not.toBe(titleOf(english));
    for (const word of ['Passwort', 'Rolle', 'Einladung', 'Abmelden', 'widerrufen', 'Bitte']) {
      expect(english.text, path).not.toContain(word);
    }
  }
});

test('the language that was chosen stays, against what the browser asks for', async ({ staff: { browser } }) => {
  const answer = await browser.submit(
    '/manage/language',
    { language: 'en', next: '/manage/account?x=1' },
    '/manage/account',
  );
  expect(answer).toMatchObject({ status: 303, location: '/manage/account?x=1' });
  expect((await browser.get('/manage/account', { 'Accept-Language': 'de' })).text).toContain('My account');
  await browser.submit('/manage/language', { language: 'fr', next: '' }, '/manage/account');
  expect((await browser.get('/manage/account')).text).toContain('My account');
});

test('every page has the exact policy, is kept by nobody, and its forms stay within the interface', async () => {
  for (const { path, browser } of await everyPage()) {
    const page = await browser.get(path);
    expect(page.headers.get('Content-Security-Policy')).toBe(CSP);
    expect(page.headers.get('Cache-Control')).toBe('no-store, no-transform');
    expect(page.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(page.headers.get('Referrer-Policy')).toBe('same-origin');
    expect(page.headers.get('Content-Type')).toBe('text/html; charset=UTF-8');
    expect(page.text).toMatch(/^<!doctype html><html/);
    expect(page.text).not.toMatch(/<style|style="|<script(?![^>]* src="\/assets\/)| on\w+="/);
    const forms = [
      ...page.text.matchAll(
        /<form method="post" action="([^"]*)"[^>]*>(<input type="hidden" name="form_token" value="r1\.\w{64}")?/g,
      ),
    ];
    expect(forms.length).toBeGreaterThan(0);
    for (const [, action, token] of forms) {
      expect(action).toMatch(/^\/manage\//);
      expect(token).toBeDefined();
    }
    // Firefox would fill them with those of the page before.
    for (const [field] of page.text.matchAll(/<input type="hidden"[^>]*>/g))
      expect(field).toContain('autocomplete="off"');
    // Each field has a name to be read out.
    for (const [, id] of page.text.matchAll(/<input id="([^"]+)"/g)) expect(page.text).toContain(`<label for="${id}">`);
  }
});

test('nothing of the interface answers on a shop’s host or on an unknown one', async ({ pharmacy: { host } }) => {
  for (const name of [host, 'nobody.localhost']) {
    for (const path of ['/manage', '/manage/sign-in', '/manage/account']) {
      const response = await call(`http://${name}:8787${path}`);
      expect(response.status).toBe(404);
      expect(response.headers.get('Content-Type')).toBe('application/problem+json');
      expect(response.headers.getSetCookie()).toEqual([]);
    }
  }
});

test('what goes wrong inside is a page that says only the id to ask about', async ({ staff: { browser } }) => {
  browser.env = { DB: doctoredDb(async () => Promise.reject(new Error('D1_ERROR: secret detail: SQLITE_ERROR'))) };
  const page = await browser.get('/manage/account');
  expect(page.status).toBe(500);
  expect(page.text).toContain('Da ist etwas schiefgegangen');
  expect(page.text).not.toContain('secret detail');
  expect(page.text).toContain(page.headers.get('X-Request-Id'));
  browser.env = { DB: doctoredDb(async () => Promise.reject(new Error('Network connection lost'))) };
  const unreachable = await browser.get('/manage/account');
  expect(unreachable.status).toBe(502);
  expect(unreachable.headers.get('Retry-After')).toBe('5');
  expect(unreachable.headers.get('Content-Security-Policy')).toBe(CSP);
});

test('a slash at the end leads to the page', async ({ staff: { browser } }) => {
  expect(await browser.get('/manage/')).toMatchObject({ status: 303, location: '/manage' });
});

function titleOf({ text }: Page): string {
  return /<h1>([^<]*)/.exec(text)?.[1] ?? '';
}

test('the counts of the navigation are asked for alone, and not sent again while they are the same', async ({
  orgId,
}) => {
  const { browser } = await enter(orgId, 'staff');
  const first = await browser.get('/manage/rail');
  expect(JSON.parse(first.text)).toMatchObject({ counts: { waiting: ['', 'offen'], 'to-pack': ['', 'zu packen'] } });
  const tag = first.headers.get('ETag') ?? '';
  expect(await browser.get('/manage/rail', { 'If-None-Match': tag })).toMatchObject({ status: 304, text: '' });
  expect(await new Browser().get('/manage/rail')).toMatchObject({ status: 303 });
});

test('after midnight the navigation tells the new day, and pages have that of their making', async ({ orgId }) => {
  vi.useFakeTimers({ now: Date.parse('2027-03-01T23:59:59+01:00'), toFake: ['Date'] });
  const { browser } = await enter(orgId, 'staff');
  const before = await browser.get('/manage/rail');
  expect((await browser.get('/manage/orders')).text).toContain('data-day="2027-03-01"');
  vi.setSystemTime(Date.parse('2027-03-02T00:00:00+01:00'));
  const after = await browser.get('/manage/rail', { 'If-None-Match': before.headers.get('ETag') ?? '' });
  expect([before, after].map(({ text }) => JSON.parse(text).day)).toEqual(['2027-03-01', '2027-03-02']);
});
