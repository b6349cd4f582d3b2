import { afterEach, expect, it, vi } from 'vitest';
import { openOrganization } from '../support/operator';
import { captureLogs } from '../support/probe';
import { rows } from '../support/world';
import { Browser, enter, PASSWORD, type Page, signIn } from './browser';

afterEach(() => vi.restoreAllMocks());

const ACCOUNT = '/manage/account';

/** A code as an app computes it (RFC 6238), from the key that the page shows. */
async function codeOf(secret: string, at = Date.now()): Promise<string> {
  const bits = [...secret.replace(/[\s=]/g, '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const bytes = Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-1' }, false, ['sign']);
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(Math.floor(at / 30_000)));
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, counter.buffer));
  const offset = mac.getUint8(19) & 15;
  return String((mac.getUint32(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

async function turnOn(browser: Browser): Promise<{ secret: string; recoveryCodes: string[]; setup: Page }> {
  const setup = await browser.submit(`${ACCOUNT}/second-factor`, { password: PASSWORD }, ACCOUNT);
  expect(setup.status).toBe(200);
  const secret = /<code class="secret">([^<]+)</.exec(setup.text)?.[1] ?? '';
  const recoveryCodes = [...setup.text.matchAll(/<li><code>([^<]+)</g)].map(([, code = '']) => code);
  const confirmed = await browser.post(`${ACCOUNT}/second-factor/confirm`, {
    form_token: setup.token,
    code: await codeOf(secret),
  });
  expect(confirmed).toMatchObject({ status: 303, location: ACCOUNT });
  return { secret, recoveryCodes, setup };
}

it('with a second factor a password alone opens nothing; the code does', async () => {
  const { browser, email } = await enter(await openOrganization(), 'pharmacist');
  const { secret } = await turnOn(browser);
  expect((await browser.get(ACCOUNT)).text).toContain('Der zweite Faktor ist eingeschaltet.');

  const other = new Browser();
  const half = await signIn(other, email, PASSWORD, '/manage/account?x=1');
  expect(half).toMatchObject({ status: 303, location: '/manage/sign-in/code?next=%2Fmanage%2Faccount%3Fx%3D1' });
  expect(other.session).toBeUndefined();
  expect(half.cookies.join('\n')).not.toMatch(/session_token=[^;]/);
  expect(await other.get(ACCOUNT)).toMatchObject({ status: 303 });

  const wrong = await other.submit('/manage/sign-in/code', { code: '000000', next: '' });
  expect(wrong.status).toBe(401);
  expect(wrong.text).toContain('Der Code stimmt nicht');
  const right = await other.submit('/manage/sign-in/code', {
    code: ` ${await codeOf(secret)} `,
    next: '/manage/account',
  });
  expect(right).toMatchObject({ status: 303, location: '/manage/account' });
  expect((await other.get(ACCOUNT)).status).toBe(200);
});

it('a recovery code stands in for a code, once', async () => {
  const { browser, email } = await enter(await openOrganization(), 'staff');
  const { recoveryCodes } = await turnOn(browser);
  expect(recoveryCodes).toHaveLength(10);
  const [code = ''] = recoveryCodes;
  for (const status of [303, 401]) {
    const other = new Browser();
    await signIn(other, email);
    expect(await other.submit('/manage/sign-in/code', { code })).toMatchObject({ status });
  }
});

it('five wrong codes end the sign-in, ten lock the person for a while', async () => {
  const { browser, email } = await enter(await openOrganization(), 'staff');
  const { secret } = await turnOn(browser);
  const statuses: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    const other = new Browser();
    await signIn(other, email);
    for (let tries = 0; tries < 5; tries += 1) {
      statuses.push((await other.submit('/manage/sign-in/code', { code: '000000' })).status);
    }
    expect(await other.submit('/manage/sign-in/code', { code: await codeOf(secret) })).not.toMatchObject({
      status: 303,
    });
  }
  expect(new Set(statuses)).toEqual(new Set([401]));
  const other = new Browser();
  await signIn(other, email);
  expect(await other.submit('/manage/sign-in/code', { code: await codeOf(secret) })).toMatchObject({ status: 429 });
});

it('turning it on and off asks for the password, and only a confirmed one counts', async () => {
  const { browser, email } = await enter(await openOrganization(), 'staff');
  const refused = await browser.submit(`${ACCOUNT}/second-factor`, { password: 'wrong' }, ACCOUNT);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('Das ist nicht Ihr Passwort.');
  const setup = await browser.submit(`${ACCOUNT}/second-factor`, { password: PASSWORD }, ACCOUNT);
  const wrong = await browser.post(`${ACCOUNT}/second-factor/confirm`, { form_token: setup.token, code: '12' });
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain('Der Code stimmt nicht oder ist zu alt.');
  expect(await signIn(new Browser(), email)).toMatchObject({ location: '/manage' });

  await turnOn(browser);
  expect(await browser.submit(`${ACCOUNT}/second-factor/disable`, { password: 'wrong' }, ACCOUNT)).toMatchObject({
    status: 400,
  });
  expect(await browser.submit(`${ACCOUNT}/second-factor/disable`, { password: PASSWORD }, ACCOUNT)).toMatchObject({
    status: 303,
  });
  expect(await signIn(new Browser(), email)).toMatchObject({ location: '/manage' });
  const acts = await rows<{ action: string }>(
    "select action from audit_log where entity_id = (select id from members where email = ?) and action like '%factor%'",
    email,
  );
  expect(acts.map(({ action }) => action)).toEqual(['member.second_factor_enabled', 'member.second_factor_disabled']);
});

it('keys and recovery codes are neither stored nor logged as they are', async () => {
  const { lines } = captureLogs();
  const { browser } = await enter(await openOrganization(), 'staff');
  const { secret, recoveryCodes } = await turnOn(browser);
  const dump = JSON.stringify(await rows('select * from staff_second_factors')) + lines.join('\n');
  for (const text of [secret.replaceAll(' ', ''), ...recoveryCodes]) expect(dump).not.toContain(text);
});

it('another password ends the other sessions and goes on here under a new one', async () => {
  const { browser, email } = await enter(await openOrganization(), 'staff');
  const other = new Browser();
  await signIn(other, email);
  const before = browser.session;
  const next = 'ein ganz anderes Wort';
  const wrong = await browser.submit(`${ACCOUNT}/password`, { current: 'wrong', next }, ACCOUNT);
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain('Das ist nicht Ihr Passwort.');
  const short = await browser.submit(`${ACCOUNT}/password`, { current: PASSWORD, next: 'kurz' }, ACCOUNT);
  expect(short.text).toContain('Mindestens 12 Zeichen.');
  expect((await other.get(ACCOUNT)).status).toBe(200);
  expect(await browser.submit(`${ACCOUNT}/password`, { current: PASSWORD, next }, ACCOUNT)).toMatchObject({
    status: 303,
  });
  expect(browser.session).not.toBe(before);
  expect((await browser.get(ACCOUNT)).status).toBe(200);
  expect(await other.get(ACCOUNT)).toMatchObject({ status: 303 });
  expect(await signIn(new Browser(), email)).toMatchObject({ status: 401 });
  expect(await signIn(new Browser(), email, next)).toMatchObject({ status: 303 });
});
