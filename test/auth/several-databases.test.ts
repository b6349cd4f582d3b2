import { describe, expect, test } from 'vitest';
import { hashPassword, recipeOf } from '../../src/auth/staff/passwords/hash';
import { toBase64, utf8 } from '../../src/platform/crypto/crypto';
import { newId } from '../../src/platform/ids';
import { mac } from '../../src/platform/mac';
import { ACCOUNT, CODE, signInHalf, turnOn } from '../management/authenticator';
import { Browser, enter, freshEmail, invite, PASSWORD, type Page, signIn } from '../management/browser';
import { costOf } from '../support/cost';
import { captureLogs, doctoredDb } from '../support/probe';
import { nextCodeOf } from '../support/totp';
import { databaseOf, operate, rowsIn, systemContext } from '../support/world';
import { hashesOf } from './hashes';

const MEMBERS = '/manage/settings/members';
const SIGN_IN = '/manage/sign-in';
const CHOICE = `${SIGN_IN}/pharmacy`;
const OTHER = 'ein ganz anderes Wort';
const NAMES = ['Adler-Apotheke', 'Bären-Apotheke'];
const BOTH = [0, 1] as const;

/** An organization on the database `shard`. Its route is not known yet: nobody has asked for it. */
async function openOn(shard: number): Promise<string> {
  const { org_id: orgId = '' } = await operate('/organizations', { name: NAMES[shard], shard });
  return orgId;
}

/** An address with a membership on each of the databases, all with `PASSWORD`, whose hash is cheap. */
async function openBoth() {
  const email = freshEmail();
  const orgIds = [await openOn(0), await openOn(1)] as const;
  const people = [
    await enter(orgIds[0], 'owner', 'Ada Öz', { email, shard: 0 }),
    await enter(orgIds[1], 'owner', 'Ada Öz', { email, shard: 1 }),
  ] as const;
  return { email, orgIds, browsers: people.map(({ browser }) => browser) as [Browser, Browser] };
}

async function memberOn(shard: number, orgId: string, email: string): Promise<string> {
  const query = 'select id from members where org_id = ? and email = ? and revoked_at is null';
  const [row] = await rowsIn<{ id: string }>(shard, query, orgId, email);
  return row?.id ?? '';
}

async function passwordOn(shard: number, email: string): Promise<string> {
  const query =
    'select password_hash as hash from staff_accounts where member_id in (select id from members where email = ?)';
  const [row] = await rowsIn<{ hash: string }>(shard, query, email);
  return row?.hash ?? '';
}

/** Sets a session's cookie as another browser had it. */
function take(browser: Browser, session: string | undefined): Browser {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(session ?? '') ?? [];
  browser.cookies.set(name, value);
  return browser;
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.get(ACCOUNT)).status === 200;
}

/** The bindings with one database that answers to nothing. */
function without(shard: number): Partial<Env> {
  const lost = doctoredDb(async () => {
    throw new Error('Network connection lost');
  });
  return shard === 0 ? { DB: lost } : { DB_1: lost };
}

describe('an organization on the second database', () => {
  const shard = 1;

  test('has its people sign in by password, and sign out; their session is nowhere else', async () => {
    const { email } = await enter(await openOn(shard), 'owner', 'Kim Öztürk', { shard });
    const browser = new Browser();
    expect(await signIn(browser, email, PASSWORD, ACCOUNT)).toMatchObject({ status: 303, location: ACCOUNT });
    const page = await browser.get(ACCOUNT);
    expect(page.text).toContain(NAMES[shard]);
    const sessions = 'select 1 from staff_sessions where member_id in (select id from members where email = ?)';
    expect(await rowsIn(shard, sessions, email)).toHaveLength(2);
    expect(await rowsIn(1 - shard, 'select 1 from members where email = ?', email)).toEqual([]);
    const { session } = browser;
    expect(await browser.submit('/manage/sign-out', {}, ACCOUNT)).toMatchObject({ location: SIGN_IN });
    expect((await browser.get(SIGN_IN)).text).toContain('Sie sind abgemeldet.');
    expect(await isSignedIn(take(browser, session))).toBe(false);
    expect(await rowsIn(shard, sessions, email)).toHaveLength(1);
  });

  test('has its people sign in with a second factor', async () => {
    const { browser: first, email } = await enter(await openOn(shard), 'staff', 'Kim Öztürk', { shard });
    const { secret, recoveryCodes } = await turnOn(first);
    for (const code of [await nextCodeOf(secret), recoveryCodes[0] ?? '']) {
      const browser = new Browser();
      await signInHalf(browser, email);
      expect(await browser.submit(CODE, { code: '000000' })).toMatchObject({ status: 401 });
      expect(await browser.submit(CODE, { code })).toMatchObject({ status: 303, location: '/manage' });
      expect(await isSignedIn(browser)).toBe(true);
    }
  });

  test('invites and resets by links that lead to its database', async () => {
    const orgId = await openOn(shard);
    const email = freshEmail();
    // The address has a membership elsewhere, whose password is cheap to compute.
    await enter(await openOn(1 - shard), 'staff', 'Kim Öztürk', { email, shard: 1 - shard });
    const owner = await enter(orgId, 'owner', 'Kim Öztürk', { shard });
    const shown = await owner.browser.shown(owner.browser.submit(MEMBERS, { email, role: 'staff' }));
    const invitation = linkIn(shown, 'invitation');
    const person = new Browser();
    expect((await person.get(invitation)).text).toContain(NAMES[shard]);
    expect(await person.submit(invitation, { name: 'Ada Öz', password: OTHER })).toMatchObject({ status: 303 });
    expect((await person.get(ACCOUNT)).text).toContain(NAMES[shard]);
    expect(await person.get(invitation)).toMatchObject({ status: 404 });

    const path = `${MEMBERS}/${await memberOn(shard, orgId, email)}/reset`;
    const reset = linkIn(await owner.browser.shown(owner.browser.submit(path, { lost: 'password' })), 'reset');
    const next = 'noch ein anderes Wort';
    expect(await new Browser().submit(reset, { password: next })).toMatchObject({ status: 303, location: SIGN_IN });
    expect(await isSignedIn(person)).toBe(false);
    expect(await signIn(person, email, next)).toMatchObject({ status: 303 });
    expect((await person.get(ACCOUNT)).text).toContain(NAMES[shard]);
    const recipes = [await passwordOn(0, email), await passwordOn(1, email)].map(recipeOf);
    expect(recipes[0]).toBe(recipes[1]);
  });

  test('costs a page no round trip more than with one database, and one when the isolate does not know where it lives', async () => {
    const { browser } = await enter(await openOn(shard), 'owner', 'Kim Öztürk', { shard });
    const trips = async () => (await costOf(() => browser.get(MEMBERS))).roundTrips;
    expect([await trips(), await trips()]).toEqual([3, 2]);
  });
});

function linkIn({ text }: Page, kind: string): string {
  return new RegExp(`>http://localhost:8787(/manage/${kind}/[\\w.-]+)<`).exec(text)?.[1] ?? '';
}

test.each(BOTH)('a session on database %i is none of another organization, on either database', async (shard) => {
  const { browser } = await enter(await openOn(shard), 'owner', 'Kim Öztürk', { shard });
  const [name, value = ''] = browser.session?.split('=') ?? [];
  const [orgId = '', secret = '', ...signature] = value.split('.');
  for (const other of [await openOn(0), await openOn(1), newId(), 'x', '', '..', `${orgId}x`]) {
    const token = `${other}.${secret}`;
    const visitor = take(new Browser(), `${name}=${[token, ...signature].join('.')}`);
    expect(await costOf(() => visitor.get(ACCOUNT))).toMatchObject({ roundTrips: 0 });
    // Not even with a signature that fits.
    take(visitor, `${name}=${token}.${await mac(systemContext().ctx, 'session cookie', token)}`);
    expect(await visitor.get(ACCOUNT)).toMatchObject({ status: 303 });
    expect(await visitor.get(SIGN_IN)).toMatchObject({ status: 200 });
  }
  expect(await isSignedIn(browser)).toBe(true);
});

test('an invitation or a reset with the id of another organization is none, nor a half-finished sign-in', async () => {
  const [orgId, ...others] = [await openOn(1), await openOn(1), await openOn(0)];
  const { path } = await invite(orgId, 'staff');
  const { browser: first, email } = await enter(orgId, 'staff', 'Kim Öztürk', { shard: 1 });
  const { reset_url = '' } = await operate(`/organizations/${orgId}/members/reset`, { email });
  for (const link of [path, new URL(reset_url).pathname]) {
    for (const other of others) {
      expect(await new Browser().get(link.replace(orgId, other))).toMatchObject({ status: 404 });
    }
    expect(await new Browser().get(link)).toMatchObject({ status: 200 });
  }
  const { secret } = await turnOn(first);
  const browser = new Browser();
  await signInHalf(browser, email);
  const half = browser.cookies.get('offizin.two_factor') ?? '';
  for (const other of [others[1] ?? '', 'x']) {
    browser.cookies.set('offizin.two_factor', half.replace(orgId, other));
    expect(await browser.submit(CODE, { code: await nextCodeOf(secret) })).toMatchObject({ status: 401 });
  }
});

describe('an address with memberships on two databases', () => {
  test.each(BOTH)('chooses the pharmacy after the password: the one on database %i', async (shard) => {
    const { email, orgIds } = await openBoth();
    const browser = new Browser();
    expect(await signIn(browser, email, PASSWORD, ACCOUNT)).toMatchObject({
      location: `${CHOICE}?next=${encodeURIComponent(ACCOUNT)}`,
    });
    const page = await browser.get(CHOICE);
    for (const name of NAMES) expect(page.text).toContain(name);
    const member = await memberOn(shard, orgIds[shard], email);
    expect(await browser.submit(CHOICE, { member, next: ACCOUNT })).toMatchObject({ status: 303, location: ACCOUNT });
    expect((await browser.get(ACCOUNT)).text).toContain(NAMES[shard]);
  });

  test('chooses once when both are chosen at the same moment', async () => {
    const { email, orgIds } = await openBoth();
    const browser = new Browser();
    await signIn(browser, email);
    const { token } = await browser.get(CHOICE);
    const browsers = [new Browser(), new Browser()];
    for (const each of browsers) for (const [name, value] of browser.cookies) each.cookies.set(name, value);
    const members = [await memberOn(0, orgIds[0], email), await memberOn(1, orgIds[1], email)];
    const answers = await Promise.all(
      browsers.map((each, shard) => each.post(CHOICE, { form_token: token, member: members[shard] ?? '' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 401]);
    expect(browsers.filter(({ session }) => session)).toHaveLength(1);
  });

  test.each(BOTH)('the session on database %i ends when another one begins in that browser', async (shard) => {
    const earlier = await enter(await openOn(shard), 'staff', 'Kim Öztürk', { shard });
    const { email } = await enter(await openOn(1 - shard), 'staff', 'Ada Öz', { shard: 1 - shard });
    const { session } = earlier.browser;
    const { token } = await earlier.browser.get(ACCOUNT);
    expect(await earlier.browser.post(SIGN_IN, { form_token: token, email, password: PASSWORD })).toMatchObject({
      status: 303,
    });
    expect((await earlier.browser.get(ACCOUNT)).text).toContain(email);
    expect(await isSignedIn(take(new Browser(), session))).toBe(false);
  });

  test('signs in at the one that can be reached; a password that may be right on the other is not called wrong', async () => {
    const { email, browsers } = await openBoth();
    const { token } = await browsers[1].get(ACCOUNT);
    browsers[1].env = without(1);
    const { lines } = captureLogs();
    const fields = { form_token: token, email };
    expect(await browsers[1].post(SIGN_IN, { ...fields, password: PASSWORD })).toMatchObject({ status: 303 });
    expect((await browsers[1].get(ACCOUNT)).text).toContain(NAMES[0]);
    expect(lines.join('\n')).toContain('session_not_ended');
    const visitor = new Browser();
    const page = await visitor.get(SIGN_IN);
    visitor.env = without(1);
    expect(await visitor.post(SIGN_IN, { form_token: page.token, email, password: OTHER })).toMatchObject({
      status: 502,
    });
  });
});

describe('while an organization moves', () => {
  /** Copies what a sign-in reads to the first database, as a move does. */
  async function copy(orgId: string, state: string): Promise<void> {
    const ofMembers = 'member_id in (select id from members where org_id = ?)';
    for (const [table, where] of [
      ['organizations', 'id = ?'],
      ['members', 'org_id = ?'],
      ['staff_accounts', ofMembers],
    ]) {
      for (const row of await rowsIn(1, `select * from ${table} where ${where}`, orgId)) {
        const values = Object.values({ ...row, ...('state' in row && { state }) });
        const places = values.map(() => '?').join();
        await rowsIn(0, `insert into ${table} (${Object.keys(row).join()}) values (${places})`, ...values);
      }
    }
  }

  test('its people are told to wait; then they sign in where it lives, at one pharmacy although both databases have it', async () => {
    const { email } = await enter(await openOn(0), 'staff', 'Kim Öztürk');
    const orgId = await openOn(1);
    await enter(orgId, 'staff', 'Kim Öztürk', { email, shard: 1 });
    await rowsIn(
      0,
      'update staff_accounts set password_hash = ? where member_id in (select id from members where email = ?)',
      await hashPassword(OTHER, recipeOf(await passwordOn(1, email)) ?? ''),
      email,
    );
    const setState = (shard: number, state: string) =>
      rowsIn(shard, 'update organizations set state = ? where id = ?', state, orgId);
    await setState(1, 'moving');
    await copy(orgId, 'moving');
    const page = await signIn(new Browser(), email);
    expect(page.status).toBeGreaterThan(500);
    expect(page.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect(await signIn(new Browser(), email, OTHER)).toMatchObject({ status: 303, location: '/manage' });
    await setState(0, 'active');
    await rowsIn(0, 'update directory set shard = 0 where org_id = ?', orgId);
    for (const state of ['moving', 'gone']) {
      await setState(1, state);
      const browser = new Browser();
      expect(await signIn(browser, email)).toMatchObject({ status: 303, location: '/manage' });
      expect((await browser.get(ACCOUNT)).text).toContain(NAMES[1]);
    }
  });
});

describe('one hash', () => {
  test('and as many round trips refuse, whether an address is unknown, or on the one or the other database', async () => {
    const emails = [freshEmail()];
    for (const shard of BOTH) {
      emails.push((await enter(await openOn(shard), 'staff', 'Kim Öztürk', { shard })).email);
    }
    for (const email of emails) {
      for (const password of email === emails[0] ? [PASSWORD] : ['not the password', PASSWORD]) {
        const browser = new Browser();
        const { token } = await browser.get(SIGN_IN);
        const isIn = password === PASSWORD && email !== emails[0];
        const hashes = await hashesOf(async () => {
          const cost = await costOf(() => browser.post(SIGN_IN, { form_token: token, email, password }));
          expect(cost.roundTrips).toBe(isIn ? 3 : 2);
        });
        expect(hashes).toBe(1);
        expect(Boolean(browser.session)).toBe(isIn);
      }
    }
  });

  test('for each recipe, where passwords changed on both databases at the same moment; one again after the next change', async () => {
    const email = freshEmail();
    await enter(await openOn(0), 'staff', 'Kim Öztürk', { email, shard: 0 });
    const { path } = await invite(await openOn(1), 'staff', email);
    const person = new Browser();
    const { token } = await person.get(path);
    // Between reading the recipe of the other database and writing the password, that one is written by another recipe.
    const changed = await hashPassword(PASSWORD, `scrypt$2$8$1$${toBase64(utf8('an older salt'))}`);
    const DB_1 = doctoredDb(async (trip, send) => {
      const query =
        'update staff_accounts set password_hash = ? where member_id in (select id from members where email = ?)';
      if (trip === 2) await rowsIn(0, query, changed, email);
      return send();
    }, databaseOf(1));
    person.env = { DB_1 };
    expect(await person.post(path, { form_token: token, name: 'Ada', password: OTHER })).toMatchObject({ status: 303 });
    person.env = {};
    const recipes = async () => [recipeOf(await passwordOn(0, email)), recipeOf(await passwordOn(1, email))];
    expect(new Set(await recipes()).size).toBe(2);
    const signsIn = (password: string, shard: number) => async () => {
      const browser = new Browser();
      expect(await signIn(browser, email, password)).toMatchObject({ status: 303 });
      expect((await browser.get(ACCOUNT)).text).toContain(NAMES[shard]);
    };
    expect(await hashesOf(signsIn(PASSWORD, 0))).toBe(2);
    expect(await hashesOf(signsIn(OTHER, 1))).toBe(2);
    const next = 'noch ein anderes Wort';
    const answer = await person.submit(`${ACCOUNT}/password`, { current: OTHER, next }, ACCOUNT);
    expect(answer).toMatchObject({ status: 303, location: ACCOUNT });
    expect(new Set(await recipes()).size).toBe(1);
    expect(await hashesOf(signsIn(PASSWORD, 0))).toBe(1);
    expect(await hashesOf(signsIn(next, 1))).toBe(1);
  });
});
