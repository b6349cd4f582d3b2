import { env } from 'cloudflare:workers';
import { firstPage } from '../../src/management/ui/frame';
import { Browser, enter, freshEmail, invite, join, PASSWORD, signIn } from '../management/browser';
import { countingLimiter, PRODUCTION_BASE } from '../management/doubles';
import { openOrganization } from '../support/operator';
import { captureLogs, doctoredDb, EXHAUSTED } from '../support/probe';
import { expect, test, vi } from '../support/test';
import { ONE_DATABASE, rows } from '../support/world';

test('an invited person sets a password, signs in and sees the first page of the role', async ({ orgId }) => {
  const { browser, email } = await join(orgId, 'owner');
  expect(await signIn(browser, email)).toMatchObject({ status: 303, location: '/manage' });
  const home = await browser.get('/manage');
  expect(home).toMatchObject({ status: 303, location: '/manage/welcome' });
  const page = await browser.get(home.location ?? '');
  expect(page.status).toBe(200);
  expect(page.text).toContain(email);
  const staff = await enter(orgId, 'staff');
  expect(await staff.browser.get('/manage')).toMatchObject({ location: firstPage('staff') });
});

test('whoever is not signed in is sent to sign in, and comes back to the page that was asked for', async () => {
  const { browser, email } = await join(await openOrganization(), 'owner');
  const asked = await browser.get('/manage/settings/members?a=b');
  expect(asked.location).toBe('/manage/sign-in?next=%2Fmanage%2Fsettings%2Fmembers%3Fa%3Db');
  const page = await browser.get(asked.location ?? '');
  const next = /name="next" value="([^"]+)"/g.exec(page.text.split('action="/manage/sign-in"')[1] ?? '')?.[1] ?? '';
  expect(await signIn(browser, email, PASSWORD, next)).toMatchObject({ location: '/manage/settings/members?a=b' });
});

test('a wrong password, an unknown address, one not accepted and one revoked get the same answer, after the same work', async () => {
  const orgId = await openOrganization();
  const { email } = await join(orgId, 'staff');
  const invited = await invite(orgId, 'staff');
  const revoked = await join(orgId, 'staff');
  await env.DB.prepare('update members set revoked_at = 1 where email = ?').bind(revoked.email).run();
  const answers: string[] = [];
  for (const [who, password] of [
    [email, 'not the password'],
    [freshEmail(), PASSWORD],
    [invited.email, PASSWORD],
    [revoked.email, PASSWORD],
  ] as const) {
    const browser = new Browser();
    const { token } = await browser.get('/manage/sign-in');
    const answer = await browser.post('/manage/sign-in', { form_token: token, email: who, password });
    expect(answer.status).toBe(401);
    expect(browser.session).toBeUndefined();
    answers.push(answer.text.replaceAll(who, 'WHO').replaceAll(token, 'TOKEN'));
  }
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toContain('E-Mail-Adresse oder Passwort stimmt nicht.');
});

test('whoever failed too often is turned away before anything is hashed or read, and no limiter hears the address', async () => {
  const { browser, email } = await join(await openOrganization(), 'staff');
  const { token } = await browser.get('/manage/sign-in');
  const limiter = countingLimiter(() => false);
  browser.env = { RATE_SIGN_IN: limiter.limit };
  const fields = { form_token: token, email: email.toUpperCase(), password: 'not the password' };
  expect(await browser.post('/manage/sign-in', fields)).toMatchObject({ status: 429 });
  expect(limiter.keys).toEqual([
    browser.address,
    expect.stringMatching(new RegExp(`^account [0-9a-f]{32} ${browser.address}$`)),
  ]);
  const { requests } = captureLogs();
  const answer = await browser.post('/manage/sign-in', { ...fields, password: PASSWORD });
  expect(answer).toMatchObject({ status: 429, location: null });
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(answer.headers.get('Content-Type')).toContain('text/html');
  expect(requests().at(-1)).toMatchObject({ status: 429, d1_round_trips: 0 });
});

test('a storage that cannot be reached is no wrong password', async ({ signedOut: { browser, email } }) => {
  const { token } = await browser.get('/manage/sign-in');
  for (const failing of [1, 2]) {
    browser.env = {
      ...ONE_DATABASE,
      DB: doctoredDb(async (trip, send) => {
        if (trip >= failing) throw new Error('Network connection lost');
        return send();
      }),
    };
    const answer = await browser.post('/manage/sign-in', { form_token: token, email, password: PASSWORD });
    expect(answer.status).toBe(502);
    expect(browser.session).toBeUndefined();
  }
});

test('a password changed while it is being checked makes no session', async ({ signedOut: { browser, email } }) => {
  const sessions = 'select 1 from staff_sessions where member_id = (select id from members where email = ?)';
  await env.DB.prepare(sessions.replace('select 1', 'delete')).bind(email).run();
  const { token } = await browser.get('/manage/sign-in');
  browser.env = {
    ...ONE_DATABASE,
    DB: doctoredDb(async (trip, send) => {
      const change = env.DB.prepare(
        'update staff_accounts set password_hash = ? where member_id = (select id from members where email = ?)',
      );
      if (trip === 2) await change.bind('scrypt$another', email).run();
      return send();
    }),
  };
  const answer = await browser.post('/manage/sign-in', { form_token: token, email, password: PASSWORD });
  expect(answer.status).toBe(401);
  expect(browser.session).toBeUndefined();
  expect(await rows(sessions, email)).toEqual([]);
  expect(
    await rows(
      "select 1 from audit_log where action = 'member.signed_in' and reason_code is null and actor_id = (select id from members where email = ?)",
      email,
    ),
  ).toEqual([]);
});

test('the second step and an invitation are limited too', async ({ orgId, signedOut: { browser } }) => {
  const { token } = await browser.get('/manage/sign-in/code');
  browser.env = { RATE_SIGN_IN: EXHAUSTED };
  expect(await browser.post('/manage/sign-in/code', { form_token: token, code: '123456' })).toMatchObject({
    status: 429,
  });
  const path = `/manage/invitation/${orgId}.${'a'.repeat(43)}`;
  const fields = { form_token: token, name: 'A', password: PASSWORD };
  expect(await browser.post(path, fields)).toMatchObject({ status: 429 });
});

test('signing in gives a new session: a planted one is not used, and ends', async ({ orgId, staff: attacker }) => {
  const victim = await join(orgId, 'staff');
  const planted = attacker.browser.session ?? '';
  const [name = '', value = ''] = planted.split('=');
  victim.browser.cookies.set(name, value);
  await victim.browser.get('/manage/sign-in');
  const { token } = await victim.browser.get('/manage/account');
  expect(
    await victim.browser.post('/manage/sign-in', { form_token: token, email: victim.email, password: PASSWORD }),
  ).toMatchObject({ status: 303 });
  expect(victim.browser.session).not.toBe(planted);
  expect(await attacker.browser.get('/manage/account')).toMatchObject({ status: 303 });
  expect((await victim.browser.get('/manage/account')).text).toContain(victim.email);
});

test('a session’s cookie is HttpOnly, SameSite, of this host alone, and over https only where there is https', async () => {
  const { browser, email } = await join(await openOrganization(), 'staff');
  const { cookies } = await signIn(browser, email);
  expect(cookies).toHaveLength(2);
  expect(cookies[0]).toMatch(/^offizin\.session_token=[^;]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(cookies[1]).toMatch(/^offizin\.device=[^;@]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/);

  const overHttps = new Browser(PRODUCTION_BASE);
  const secure = await signIn(overHttps, email);
  expect(secure.status).toBe(303);
  expect(secure.cookies[0]).toMatch(
    /^__Host-offizin\.session_token=[^;]+; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  for (const cookie of (await new Browser(PRODUCTION_BASE).get('/manage/sign-in')).cookies) {
    expect(cookie).toMatch(/^__Host-offizin\.visitor=\w+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  }
  expect((await overHttps.get('/manage/account')).status).toBe(200);
});

test('a changed, foreign or made-up session cookie signs nobody in, without a read', async ({ staff: { browser } }) => {
  const [name = '', value = ''] = browser.session?.split('=') ?? [];
  for (const forged of [`${value.slice(0, -6)}AAAA%3D`, `x${value}`, value.split('.')[0] ?? '', 'x.y', '']) {
    browser.cookies.set(name, forged);
    const { requests } = captureLogs();
    expect(await browser.get('/manage/account')).toMatchObject({ status: 303 });
    expect(requests().at(-1)).toMatchObject({ d1_round_trips: 0 });
    vi.restoreAllMocks();
  }
});

/** Texts that a browser could take for another site, or for an address outside the interface. */
const FOREIGN = [
  ...['//evil.example', '/\\evil.example', 'https://evil.example/manage', '/manage/../api', '/manager', ''],
  ...['/\t/evil.example', 'javascript:alert(1)', '/manage@evil.example', '/manage/..//evil.example', 'https:/manage'],
  ...['%2F%2Fevil.example', '/%2Fevil.example', '/%5Cevil.example', '/manage/%2e%2e/%2e%2e//evil.example'],
  '//localhost:8787@evil.example/manage',
];

test('a place to go on to that is not of the interface leads to the start', async ({
  signedOut: { browser, email },
}) => {
  expect(await signIn(browser, email, PASSWORD, '//evil.example')).toMatchObject({ status: 303, location: '/manage' });
  const { token } = await browser.get('/manage/account');
  for (const next of FOREIGN) {
    const again = await browser.get(`/manage/sign-in?next=${encodeURIComponent(next)}`);
    const switched = await browser.post('/manage/language', { form_token: token, language: 'en', next });
    for (const { status, location } of [again, switched])
      expect([next, status, location]).toEqual([next, 303, '/manage']);
  }
});

test('signing out ends the session itself, not just the cookie', async ({ staff: { browser } }) => {
  const kept = browser.session?.split('=') ?? [];
  expect(await browser.submit('/manage/sign-out', {}, '/manage/account')).toMatchObject({
    location: '/manage/sign-in',
  });
  expect(browser.session).toBeUndefined();
  expect((await browser.get('/manage/sign-in')).text).toContain('Sie sind abgemeldet.');
  expect((await browser.get('/manage/sign-in')).text).not.toContain('Sie sind abgemeldet.');
  browser.cookies.set(kept[0] ?? '', kept[1] ?? '');
  expect(await browser.get('/manage/account')).toMatchObject({ status: 303 });
});

test('sign out everywhere ends the sessions of other devices', async ({ staff: { browser, email } }) => {
  const other = new Browser();
  await signIn(other, email);
  expect((await other.get('/manage/account')).status).toBe(200);
  await browser.submit('/manage/account/sign-out-everywhere', {}, '/manage/account');
  for (const each of [browser, other]) expect(await each.get('/manage/account')).toMatchObject({ status: 303 });
});

test('neither passwords, session tokens nor invitations are stored or logged as they are', async ({ orgId }) => {
  const { lines } = captureLogs();
  const { email, path } = await invite(orgId, 'staff');
  const browser = new Browser();
  await browser.submit(path, { name: 'Ada', password: PASSWORD });
  await signIn(browser, email);
  await signIn(new Browser(), email, 'not the password');
  const [organization, token = ''] = decodeURIComponent(browser.session?.split('=')[1] ?? '').split('.');
  expect(organization).toBe(orgId);
  expect(token).toMatch(/^\w{32}$/);
  const secrets = [PASSWORD, 'not the password', token, path.split('.').at(-1) ?? '', email];
  for (const secret of secrets) expect(lines.join('\n')).not.toContain(secret);
  const tables = ['members', 'staff_accounts', 'staff_sessions', 'staff_verifications', 'audit_log'];
  const dump = JSON.stringify(await Promise.all(tables.map((table) => rows(`select * from ${table}`))));
  for (const secret of secrets.slice(0, 4)) expect(dump).not.toContain(secret);
  const [account] = await rows<{ password_hash: string }>(
    'select password_hash from staff_accounts where member_id = (select id from members where email = ?)',
    email,
  );
  expect(account?.password_hash).toMatch(/^scrypt\$32768\$8\$1\$[\w+/]{22}==\$[\w+/]{43}=$/);
});
