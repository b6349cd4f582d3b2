import { ACCOUNT, CODE, signInHalf, turnOn } from '../management/authenticator';
import { Browser, enter, PASSWORD, signIn } from '../management/browser';
import { openOrganization } from '../support/operator';
import { d1Down } from '../support/outbound';
import { captureLogs, doctoredDb } from '../support/probe';
import { expect, test } from '../support/test';
import { codeOf, nextCodeOf } from '../support/totp';
import { ONE_DATABASE, rows } from '../support/world';

test('with a second factor a password alone opens nothing; the code does', async () => {
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
    code: ` ${await nextCodeOf(secret)} `,
    next: '/manage/account',
  });
  expect(right).toMatchObject({ status: 303, location: '/manage/account' });
  expect((await other.get(ACCOUNT)).status).toBe(200);
});

test('a recovery code stands in for a code, once', async ({ staff: { browser, email } }) => {
  const { recoveryCodes } = await turnOn(browser);
  expect(recoveryCodes).toHaveLength(10);
  const [code = ''] = recoveryCodes;
  for (const status of [303, 401]) {
    const other = new Browser();
    await signIn(other, email);
    expect(await other.submit('/manage/sign-in/code', { code })).toMatchObject({ status });
  }
});

test('a code counts once: not again within its 30 seconds, and for one of two who use it at the same moment', async () => {
  const { browser, email } = await enter(await openOrganization(), 'staff');
  const { secret } = await turnOn(browser);
  const [first, second, third] = [new Browser(), new Browser(), new Browser()];
  const pages = await Promise.all([first, second].map((each) => signInHalf(each, email)));
  const code = await nextCodeOf(secret);
  const answers = await Promise.all(
    [first, second].map((each, index) => each.post(CODE, { form_token: pages[index]?.token ?? '', code })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 401]);
  expect([first, second].filter((each) => each.session)).toHaveLength(1);
  for (const used of [code, await codeOf(secret)]) {
    await signInHalf(third, email);
    const again = await third.submit(CODE, { code: used });
    expect(again.status).toBe(401);
    expect(again.text).toContain('wurde schon benutzt');
    expect(third.session).toBeUndefined();
  }
});

test('of two who use the same recovery code at the same moment one gets in', async ({ staff: { browser, email } }) => {
  const { recoveryCodes } = await turnOn(browser);
  const browsers = [new Browser(), new Browser()];
  const pages = await Promise.all(browsers.map((each) => signInHalf(each, email)));
  const answers = await Promise.all(
    browsers.map((each, index) =>
      each.post(CODE, { form_token: pages[index]?.token ?? '', code: recoveryCodes[0] ?? '' }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 401]);
});

test('five wrong codes end the sign-in, ten lock the person for a while', async ({ staff: { browser, email } }) => {
  const { secret } = await turnOn(browser);
  const statuses: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    const other = new Browser();
    await signIn(other, email);
    for (let tries = 0; tries < 5; tries += 1) {
      statuses.push((await other.submit('/manage/sign-in/code', { code: '000000' })).status);
    }
    expect(await other.submit('/manage/sign-in/code', { code: await nextCodeOf(secret) })).not.toMatchObject({
      status: 303,
    });
  }
  expect(new Set(statuses)).toEqual(new Set([401]));
  const other = new Browser();
  await signIn(other, email);
  expect(await other.submit('/manage/sign-in/code', { code: await nextCodeOf(secret) })).toMatchObject({ status: 429 });
  const locks = "select actor_id from audit_log where action = 'member.second_factor_locked' and entity_id = actor_id";
  expect(await rows(`${locks} and entity_id = (select id from members where email = ?)`, email)).toHaveLength(1);
});

test.each([
  [9, 15],
  [19, 30],
  [29, 60],
])('after %i wrong codes before, one more locks for %i minutes', async (failures, minutes) => {
  const { browser, email } = await enter(await openOrganization(), 'staff');
  await turnOn(browser);
  const ofPerson = 'member_id = (select id from members where email = ?)';
  await rows(
    `update staff_second_factors set failed_verification_count = ${failures}, locked_until = 1 where ${ofPerson}`,
    email,
  );
  const other = new Browser();
  await signIn(other, email);
  const before = Date.now();
  expect((await other.submit(CODE, { code: '000000' })).status).toBe(401);
  const [row] = await rows<{ until: number; n: number }>(
    `select locked_until as until, failed_verification_count as n from staff_second_factors where ${ofPerson}`,
    email,
  );
  expect(row?.n).toBe(failures + 1);
  expect(Math.round(((row?.until ?? 0) - before) / 60_000)).toBe(minutes);
});

test('after a hundred wrong codes in a row only a reset by an owner helps', async () => {
  const { browser, email } = await enter(await openOrganization(), 'staff');
  const { secret } = await turnOn(browser);
  const ofPerson = 'member_id = (select id from members where email = ?)';
  await rows(
    `update staff_second_factors set failed_verification_count = 99, locked_until = 1 where ${ofPerson}`,
    email,
  );
  const other = new Browser();
  await signIn(other, email);
  await other.submit(CODE, { code: '000000' });
  const refused = await other.submit(CODE, { code: await nextCodeOf(secret) });
  expect(refused.status).toBe(429);
  expect(refused.headers.get('Retry-After')).toBeNull();
});

test('a sign-in that waits for its code ends with signing out everywhere', async () => {
  const { browser, email } = await enter(await openOrganization(), 'staff');
  const { secret } = await turnOn(browser);
  const waiting = new Browser();
  await signIn(waiting, email);
  await browser.submit('/manage/account/sign-out-everywhere', {}, '/manage/account');
  expect((await waiting.submit(CODE, { code: await nextCodeOf(secret) })).status).toBe(401);
});

test('of codes that are tried at the same moment no more are looked at than one after the other', async () => {
  const { browser, email } = await enter(await openOrganization(), 'staff');
  const { secret } = await turnOn(browser);
  const other = new Browser();
  const { token } = await signInHalf(other, email);
  const tries = Array.from({ length: 12 }, (_, index) => String(index).repeat(6).slice(0, 6));
  const answers = await Promise.all(tries.map((code) => other.post(CODE, { form_token: token, code })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  const ofPerson = 'member_id = (select id from members where email = ?)';
  const counts = `select failed_verification_count as failures from staff_second_factors where ${ofPerson}`;
  expect(await rows(counts, email)).toEqual([{ failures: 5 }]);
  expect(await other.post(CODE, { form_token: token, code: await nextCodeOf(secret) })).toMatchObject({ status: 401 });
});

test('a storage that cannot be reached is no wrong code, costs no attempt, and the code is still good', async () => {
  const { browser, email } = await enter(await openOrganization(), 'staff');
  const { secret } = await turnOn(browser);
  const ofPerson = 'member_id = (select id from members where email = ?)';
  const sessions = () => rows(`select id from staff_sessions where ${ofPerson}`, email);
  const attempts = () =>
    rows(
      `select tries from staff_verifications where identifier like 'half sign-in %' union all
       select failed_verification_count from staff_second_factors where ${ofPerson}`,
      email,
    );
  const other = new Browser();
  const { token } = await signInHalf(other, email);
  const code = await nextCodeOf(secret);
  const [before, { length: open }] = [await attempts(), await sessions()];
  let madeAt: number | undefined;
  for (let failing = 1; madeAt === undefined; failing += 1) {
    other.env = {
      ...ONE_DATABASE,
      DB: doctoredDb(async (trip, send) => {
        if (trip === failing) throw d1Down();
        const results = await send();
        if ((await sessions()).length > open) madeAt ??= trip;
        return results;
      }),
    };
    const { status } = await other.post(CODE, { form_token: token, code });
    if (madeAt === undefined) expect([failing, status, await attempts()]).toEqual([failing, 502, before]);
    else expect(failing).toBeGreaterThan(madeAt);
  }
});

test('turning it on and off asks for the password, and only a confirmed one counts', async () => {
  const { browser, email } = await enter(await openOrganization(), 'staff');
  const refused = await browser.submit(`${ACCOUNT}/second-factor`, { password: 'wrong' }, ACCOUNT);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('Das ist nicht Ihr Passwort.');
  const setup = await browser.shown(browser.submit(`${ACCOUNT}/second-factor`, { password: PASSWORD }, ACCOUNT));
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

test('keys and recovery codes are neither stored nor logged as they are', async ({ staff: { browser } }) => {
  const { lines } = captureLogs();
  const { secret, recoveryCodes } = await turnOn(browser);
  const dump = JSON.stringify(await rows('select * from staff_second_factors')) + lines.join('\n');
  for (const text of [secret.replaceAll(' ', ''), ...recoveryCodes]) expect(dump).not.toContain(text);
});

test('another password ends other sessions and goes on here under a new one', async ({ staff: { browser, email } }) => {
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

test.for([
  ['second-factor', { password: 'x'.repeat(129) }],
  ['second-factor/disable', { password: 'x'.repeat(129) }],
  ['password', { current: 'x'.repeat(129), next: 'vier Bären am Brunnen' }],
] as const)('a password longer than any can be is a wrong one: %s', async ([form, fields], { staff: { browser } }) => {
  const answer = await browser.submit(`${ACCOUNT}/${form}`, fields, ACCOUNT);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('Das ist nicht Ihr Passwort.');
});
