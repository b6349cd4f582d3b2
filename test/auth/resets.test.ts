import { env } from 'cloudflare:workers';
import { ACCOUNT, CODE, signInHalf, turnOn } from '../management/authenticator';
import { Browser, enter, freshEmail, invite, join, memberId, PASSWORD, signIn } from '../management/browser';
import { costOf } from '../support/cost';
import { ask, openOrganization } from '../support/operator';
import { captureLogs, EXHAUSTED, problemOf } from '../support/probe';
import { rowsOf } from '../support/rows';
import { describe, expect, test } from '../support/test';
import { nextCodeOf } from '../support/totp';
import { ONE_DATABASE, rows } from '../support/world';

const MEMBERS = '/manage/settings/members';
const NEXT = 'ein ganz neues Wort';

function linkIn(text: string): string {
  return />http:\/\/localhost:8787(\/manage\/reset\/[\w.-]{80})</.exec(text)?.[1] ?? '';
}

/** The path of a link that an owner made for a colleague. */
async function issue(owner: Browser, email: string, lost: 'password' | 'both' = 'password'): Promise<string> {
  const path = `${MEMBERS}/${await memberId(email)}/reset`;
  const page = await owner.shown(owner.submit(path, { lost }));
  expect(page.status).toBe(200);
  const link = linkIn(page.text);
  expect(link).not.toBe('');
  return link;
}

async function open(role: 'owner' | 'pharmacist' | 'staff' = 'staff') {
  const orgId = await openOrganization();
  const owner = await enter(orgId, 'owner', 'Inge Öz');
  const person = await enter(orgId, role, 'Ada <script>');
  return { orgId, owner, person, id: await memberId(person.email) };
}

describe('a link for a new password', () => {
  test('is made by an owner, changes nothing until it is used, and then ends every session', async () => {
    const { orgId, owner, person, id } = await open();
    expect((await owner.browser.get(MEMBERS)).text).toContain(`href="${MEMBERS}/${id}/reset"`);
    const asked = await owner.browser.get(`${MEMBERS}/${id}/reset`);
    expect(asked.text).toContain('Stellen Sie zuerst sicher, dass wirklich diese Person darum bittet');
    expect(asked.text).not.toContain('Passwort und zweiten Faktor');
    expect(asked.text).not.toContain('Ada <script>');
    const link = await issue(owner.browser, person.email);
    const list = await owner.browser.get(MEMBERS);
    expect(list.text).not.toContain(link);
    expect(list.text).toContain('Link für neues Passwort offen bis');
    expect((await person.browser.get(ACCOUNT)).status).toBe(200);
    expect(await signIn(new Browser(), person.email)).toMatchObject({ status: 303 });

    const visitor = new Browser();
    const page = await visitor.get(link);
    expect(page.text).toContain('Neues Passwort festlegen');
    expect(page.text).toContain(person.email);
    const used = await visitor.submit(link, { password: NEXT });
    expect(used).toMatchObject({ status: 303, location: '/manage/sign-in' });
    expect(visitor.session).toBeUndefined();
    expect((await visitor.get('/manage/sign-in')).text).toContain('Ihr neues Passwort gilt.');
    expect(await person.browser.get(ACCOUNT)).toMatchObject({ status: 303 });
    expect(await signIn(new Browser(), person.email)).toMatchObject({ status: 401 });
    expect(await signIn(visitor, person.email, NEXT)).toMatchObject({ status: 303, location: '/manage' });
    expect((await owner.browser.get(ACCOUNT)).status).toBe(200);

    const ownerId = await memberId(owner.email);
    const fields = '["password"]';
    expect(await rowsOf('audit_log', { org_id: orgId, action: 'member.reset_issued' })).toMatchObject([
      { actor_kind: 'staff', actor_id: ownerId, entity_id: id, fields },
    ]);
    expect(await rowsOf('audit_log', { org_id: orgId, action: 'member.reset_used' })).toMatchObject([
      { actor_kind: 'staff', actor_id: id, entity_id: id, fields },
    ]);
  });

  test('works once, also for two who use it at the same moment', async () => {
    const { owner, person, id } = await open();
    const link = await issue(owner.browser, person.email);
    const browsers = [new Browser(), new Browser()];
    const tokens = await Promise.all(browsers.map(async (each) => (await each.get(link)).token));
    const answers = await Promise.all(
      browsers.map((each, index) => each.post(link, { form_token: tokens[index] ?? '', password: `${NEXT} ${index}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
    const winner = answers.findIndex(({ status }) => status === 303);
    expect(await signIn(new Browser(), person.email, `${NEXT} ${winner}`)).toMatchObject({ status: 303 });
    expect(await signIn(new Browser(), person.email, `${NEXT} ${1 - winner}`)).toMatchObject({ status: 401 });
    expect(await rows('select 1 from staff_resets where member_id = ?', id)).toEqual([]);
  });

  test('leaves the second factor alone unless the owner chose otherwise: the link alone signs nobody in', async () => {
    const { owner, person, id } = await open();
    const { secret } = await turnOn(person.browser);
    const asked = await owner.browser.get(`${MEMBERS}/${id}/reset`);
    expect(asked.text).toContain('Passwort und zweiten Faktor');
    const unchosen = await owner.browser.post(`${MEMBERS}/${id}/reset`, { form_token: asked.token, lost: 'all' });
    expect(unchosen.status).toBe(400);
    expect(unchosen.text).toContain('Bitte wählen, was verloren ist.');
    const half = new Browser();
    const { token } = await signInHalf(half, person.email);

    const link = await issue(owner.browser, person.email);
    const visitor = new Browser();
    expect((await visitor.get(link)).text).toContain('weiterhin einen Code Ihres zweiten Faktors');
    await visitor.submit(link, { password: NEXT });
    const code = await nextCodeOf(secret);
    // A sign-in that was begun with the old password and waits for its code is ended too.
    expect(await half.post(CODE, { form_token: token, code })).toMatchObject({ status: 401 });
    await signInHalf(visitor, person.email, NEXT);
    expect(await visitor.get(ACCOUNT)).toMatchObject({ status: 303 });
    expect(await visitor.submit(CODE, { code })).toMatchObject({ status: 303 });
  });

  test('takes the second factor away as well when the owner chose so', async () => {
    const { orgId, owner, person, id } = await open();
    await turnOn(person.browser);
    const link = await issue(owner.browser, person.email, 'both');
    expect(await signIn(new Browser(), person.email)).toMatchObject({ location: CODE });
    const visitor = new Browser();
    expect((await visitor.get(link)).text).toContain('Ihr zweiter Faktor wird dabei ausgeschaltet.');
    await visitor.submit(link, { password: NEXT });
    expect(await signIn(visitor, person.email, NEXT)).toMatchObject({ status: 303, location: '/manage' });
    expect((await visitor.get(ACCOUNT)).text).toContain('Ausgeschaltet');
    expect(await rows('select 1 from staff_second_factors where member_id = ?', id)).toEqual([]);
    expect(await rowsOf('audit_log', { org_id: orgId, action: 'member.reset_used' })).toMatchObject([
      { fields: '["password","second_factor"]' },
    ]);
    await turnOn(visitor, NEXT);
  });

  test('a used, expired, replaced, made-up or revoked person’s one, or one from before a new password, gets one page', async () => {
    const { orgId, owner, person } = await open();
    const used = await issue(owner.browser, person.email);
    await new Browser().submit(used, { password: PASSWORD });
    const replaced = await issue(owner.browser, person.email);
    const good = await issue(owner.browser, person.email);
    const others = await Promise.all(Array.from({ length: 3 }, () => enter(orgId, 'staff')));
    const [late, revoked, changed] = others.map(({ email }) => email) as [string, string, string];
    const expired = await issue(owner.browser, late);
    await env.DB.prepare('update staff_resets set expires_at = ? where member_id = ?')
      .bind(Date.now() - 1, await memberId(late))
      .run();
    const gone = await issue(owner.browser, revoked);
    await owner.browser.submit(`${MEMBERS}/${await memberId(revoked)}/revoke`, {});
    const overtaken = await issue(owner.browser, changed);
    await others[2]?.browser.submit(`${ACCOUNT}/password`, { current: PASSWORD, next: NEXT }, ACCOUNT);
    const texts: string[] = [];
    const made = [`/manage/reset/${orgId}.${'x'.repeat(43)}`, '/manage/reset/short'];
    for (const path of [used, replaced, expired, gone, overtaken, ...made]) {
      const browser = new Browser();
      const page = await browser.get(path);
      expect(page.status).toBe(404);
      const { token } = await browser.get('/manage/sign-in');
      expect(await browser.post(path, { form_token: token, password: NEXT })).toMatchObject({ status: 404 });
      texts.push(page.text.replace(/value="[^"]*"/g, ''));
    }
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('Dieser Link gilt nicht mehr');
    expect(await new Browser().submit(good, { password: NEXT })).toMatchObject({ status: 303 });
  });

  test('says beside the field what is wrong with a password, and stays open', async () => {
    const { owner, person } = await open();
    const link = await issue(owner.browser, person.email);
    const page = await new Browser().submit(link, { password: 'elf Zeichen' });
    expect(page.status).toBe(400);
    expect(page.text.split('Mindestens 12 Zeichen.').length).toBeGreaterThanOrEqual(3);
    expect((await new Browser().get(link)).status).toBe(200);
    expect((await person.browser.get(ACCOUNT)).status).toBe(200);
  });

  test('is not guessed: failures are limited; it is stored and logged as a hash only', async () => {
    const { lines, requests } = captureLogs();
    const { owner, person } = await open();
    const link = await issue(owner.browser, person.email);
    const token = link.split('.').at(-1) ?? '';
    const visitor = new Browser();
    const page = await visitor.get(link);
    visitor.env = { RATE_SIGN_IN: EXHAUSTED };
    const guessed = link.replace(token, 'x'.repeat(43));
    for (let tries = 0; tries < 2; tries += 1) {
      expect(await visitor.post(guessed, { form_token: page.token, password: NEXT })).toMatchObject({ status: 429 });
      expect(requests().at(-1)).toMatchObject({ d1_round_trips: 0 });
    }
    const dump = JSON.stringify([await rows('select * from staff_resets'), await rows('select * from audit_log')]);
    for (const text of [token, NEXT]) expect(dump + lines.join('\n')).not.toContain(text);
    expect(JSON.stringify(await rows('select * from audit_log'))).not.toContain(person.email);
  });

  test('is for nobody elsewhere, nobody who is only invited, and not for oneself', async () => {
    const { orgId, owner } = await open();
    const stranger = await enter(await openOrganization(), 'owner');
    const { email: invited } = await invite(orgId, 'staff');
    const { token } = await owner.browser.get(MEMBERS);
    for (const email of [stranger.email, invited]) {
      const path = `${MEMBERS}/${await memberId(email)}/reset`;
      expect(await owner.browser.get(path)).toMatchObject({ status: 404 });
      expect(await owner.browser.post(path, { form_token: token, lost: 'password' })).toMatchObject({ status: 404 });
    }
    const own = `${MEMBERS}/${await memberId(owner.email)}/reset`;
    expect(await owner.browser.get(own)).toMatchObject({ status: 404 });
    const page = await owner.browser.post(own, { form_token: token, lost: 'password' });
    expect(page.status).toBe(409);
    expect(page.text).toContain('Ihr eigenes Passwort ändern Sie unter „Mein Konto“');
    expect(
      await rows('select 1 from staff_resets where member_id in (select id from members where org_id = ?)', orgId),
    ).toEqual([]);
  });

  test('with one database, costs three round trips to make, one to look at, two to use', async () => {
    const { owner, person, id } = await open();
    owner.browser.env = ONE_DATABASE;
    const path = `${MEMBERS}/${id}/reset`;
    expect((await costOf(() => owner.browser.get(path))).roundTrips).toBe(2);
    const { token } = await owner.browser.get(MEMBERS);
    expect((await costOf(() => owner.browser.post(path, { form_token: token, lost: 'password' }))).roundTrips).toBe(3);
    const link = await issue(owner.browser, person.email);
    const visitor = new Browser({ env: ONE_DATABASE });
    expect((await costOf(() => visitor.get(link))).roundTrips).toBe(1);
    const page = await visitor.get(link);
    const used = await costOf(() => visitor.post(link, { form_token: page.token, password: NEXT }));
    expect(used.roundTrips).toBe(2);
  });
});

describe('the operator', () => {
  test('helps an owner whom nobody else can help: 201 with a link that is shown once', async ({ orgId, owner }) => {
    await turnOn(owner.browser);
    const body = { email: ` ${owner.email.toUpperCase()} `, second_factor: true };
    const answer = await ask(`/organizations/${orgId}/members/reset`, body);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    const { reset_url: url, ...more } = await answer.json<{ reset_url: string }>();
    expect(more).toEqual({});
    expect(url).toMatch(/^http:\/\/localhost:8787\/manage\/reset\/[0-9a-f-]{36}\.[0-9A-Za-z]{43}$/);
    expect(await rowsOf('audit_log', { org_id: orgId, action: 'member.reset_issued' })).toMatchObject([
      { actor_kind: 'operator', actor_id: 'test' },
    ]);
    const browser = new Browser();
    await browser.submit(new URL(url).pathname, { password: NEXT });
    expect(await signIn(browser, owner.email, NEXT)).toMatchObject({ location: '/manage' });
  });

  test('gets 404 for whoever does not work there, and 422 for what is no address', async ({ orgId }) => {
    const { email } = await join(await openOrganization(), 'owner');
    const { email: invited } = await invite(orgId, 'owner');
    for (const each of [email, invited, freshEmail()]) {
      await problemOf(await ask(`/organizations/${orgId}/members/reset`, { email: each }), 404, 'member_not_found');
    }
    for (const body of [{}, { email: 'nobody' }, { email, second_factor: 'yes' }, { email, more: 1 }]) {
      await problemOf(await ask(`/organizations/${orgId}/members/reset`, body), 400, 'validation_failed');
    }
  });
});

describe('a sign-in', () => {
  test('stands in the audit log with how it was made and without the address; half of one does not', async () => {
    const orgId = await openOrganization();
    const { browser, email } = await join(orgId, 'staff');
    await signIn(browser, email);
    const { secret, recoveryCodes } = await turnOn(browser);
    const [byCode, byRecovery] = [new Browser(), new Browser()];
    await signIn(new Browser(), email, 'not the password');
    await signInHalf(byCode, email);
    await byCode.submit(CODE, { code: await nextCodeOf(secret) });
    await signInHalf(byRecovery, email);
    await byRecovery.submit(CODE, { code: recoveryCodes[0] ?? '' });
    const id = await memberId(email);
    const acts = await rows(
      "select actor_id, entity_id, reason_code from audit_log where org_id = ? and action = 'member.signed_in' order by id",
      orgId,
    );
    const row = { actor_id: id, entity_id: id };
    expect(acts).toEqual([
      { ...row, reason_code: 'invitation' },
      { ...row, reason_code: null },
      { ...row, reason_code: 'second_factor' },
      { ...row, reason_code: 'recovery_code' },
    ]);
    expect(JSON.stringify(await rows('select * from audit_log where org_id = ?', orgId))).not.toContain(email);
  });

  test('with one database, costs no round trip more for that', async ({ signedOut: { browser, email } }) => {
    browser.env = ONE_DATABASE;
    const { token } = await browser.get('/manage/sign-in');
    const fields = { form_token: token, email, password: PASSWORD };
    expect((await costOf(() => browser.post('/manage/sign-in', fields))).roundTrips).toBe(2);
  });

  test('tells whoever lost something where to turn', async () => {
    for (const path of ['/manage/sign-in', CODE]) {
      expect((await new Browser().get(path)).text).toContain('Passwort vergessen oder Gerät verloren?');
    }
  });
});
