import { ACCOUNT, CODE, signInHalf, turnOn } from '../management/authenticator';
import { Browser, enter, freshEmail, invite, PASSWORD, signIn } from '../management/browser';
import { openOrganization } from '../support/operator';
import { describe, expect, test } from '../support/test';
import { nextCodeOf } from '../support/totp';
import { rows } from '../support/world';

describe('a second factor', () => {
  test('that is on is not started once more: a page says to turn it off first', async ({ staff: { browser } }) => {
    await turnOn(browser);
    const page = await browser.submit(`${ACCOUNT}/second-factor`, { password: PASSWORD }, ACCOUNT);
    expect(page.status).toBe(409);
    expect(page.text).toContain('Der zweite Faktor ist schon eingeschaltet');
  });

  test('whose code was used before costs a try and not the sign-in: a recovery code still finishes it', async () => {
    const { browser, email } = await enter(await openOrganization(), 'staff');
    const { secret, recoveryCodes } = await turnOn(browser);
    const code = await nextCodeOf(secret);
    const first = new Browser();
    await signInHalf(first, email);
    expect(await first.submit(CODE, { code })).toMatchObject({ status: 303 });
    const second = new Browser();
    await signInHalf(second, email);
    expect(await second.submit(CODE, { code })).toMatchObject({ status: 401 });
    expect(second.session).toBeUndefined();
    expect(await second.submit(CODE, { code: recoveryCodes[0] ?? '' })).toMatchObject({ status: 303 });
    expect((await second.get(ACCOUNT)).status).toBe(200);
  });

  test('whose used code is sent again ends the sign-in after five tries', async ({ staff: { browser, email } }) => {
    const { secret, recoveryCodes } = await turnOn(browser);
    const code = await nextCodeOf(secret);
    const first = new Browser();
    await signInHalf(first, email);
    expect(await first.submit(CODE, { code })).toMatchObject({ status: 303 });
    const other = new Browser();
    await signInHalf(other, email);
    for (let tries = 0; tries < 5; tries += 1)
      expect(await other.submit(CODE, { code })).toMatchObject({ status: 401 });
    expect(await other.submit(CODE, { code: recoveryCodes[0] ?? '' })).toMatchObject({ status: 401 });
  });

  test('is asked of whom it belongs to, whoever else is signed in in the same browser, and then that session ends', async () => {
    const orgId = await openOrganization();
    const { browser, email } = await enter(orgId, 'staff');
    const { secret } = await turnOn(browser);
    const other = await enter(orgId, 'staff');
    const half = new Browser();
    await signInHalf(half, email);
    const [name = '', value = ''] = other.browser.session?.split('=') ?? [];
    half.cookies.set(name, value);
    await half.get(CODE);
    expect(await half.submit(CODE, { code: await nextCodeOf(secret) })).toMatchObject({ status: 303 });
    expect((await half.get(ACCOUNT)).text).toContain(email);
    expect(await other.browser.get(ACCOUNT)).toMatchObject({ status: 303 });
  });
});

describe('a password that is easy to guess', () => {
  test('is refused wherever one is set, with what would help; several words of one’s own are taken', async ({
    orgId,
  }) => {
    const { path } = await invite(orgId, 'staff', `quittenbaum.${crypto.randomUUID().slice(0, 4)}@example.com`);
    const browser = new Browser();
    const page = await browser.submit(path, { name: 'Kim Öztürk', password: 'quittenbaum-77' });
    expect(page.status).toBe(400);
    expect(page.text).toMatch(/nicht Ihr Name.*mehrere Wörter/s);
    expect(browser.session).toBeUndefined();
    const staff = await enter(orgId, 'staff');
    const change = (next: string) => staff.browser.submit(`${ACCOUNT}/password`, { current: PASSWORD, next }, ACCOUNT);
    expect((await change('qwertzuiopqw')).text).toContain('folgt der Tastatur');
    expect(await change('Quark und Regenschirm')).toMatchObject({ status: 303 });
  });
});

describe('a session', () => {
  test('ends at its hour, and leaves nothing behind', async ({ staff: { browser, email } }) => {
    const ofMember = 'member_id = (select id from members where email = ?)';
    const endsAt = async (at: number) => {
      await rows(`update staff_sessions set expires_at = ${at} where ${ofMember}`, email);
      return (await browser.get(ACCOUNT)).status;
    };
    expect(await endsAt(Date.now() + 60_000)).toBe(200);
    expect(await endsAt(Date.now() - 1)).toBe(303);
    expect(await rows(`select 1 from staff_sessions where ${ofMember}`, email)).toEqual([]);
  });

  test('is begun by accepting an invitation, and the one that the browser had ends', async ({ orgId, owner }) => {
    const kept = new Browser();
    for (const [name, value] of owner.browser.cookies) kept.cookies.set(name, value);
    const { email, path } = await invite(orgId, 'staff', freshEmail());
    const accepted = await owner.browser.submit(path, { name: 'Ada', password: PASSWORD });
    expect(accepted).toMatchObject({ status: 303, location: '/manage' });
    const page = await owner.browser.get(ACCOUNT);
    expect(page.status).toBe(200);
    expect(page.text).toContain(email);
    expect(page.text).toContain('Ihr Zugang ist eingerichtet, und Sie sind angemeldet.');
    expect(await kept.get(ACCOUNT)).toMatchObject({ status: 303 });
    const acts =
      "select action, reason_code from audit_log where entity_id = (select id from members where email = ?) and action <> 'member.invited' order by id";
    expect(await rows(acts, email)).toEqual([
      { action: 'member.accepted', reason_code: null },
      { action: 'member.signed_in', reason_code: 'invitation' },
    ]);
    expect(await signIn(new Browser(), email)).toMatchObject({ status: 303 });
  });
});
