import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { ACCOUNT, CODE, turnOn } from '../management/authenticator';
import { accept, Browser, enter, freshEmail, PASSWORD, signIn } from '../management/browser';
import { ask, openOrganization } from '../support/operator';
import { nextCodeOf } from '../support/totp';
import { operate, rows } from '../support/world';

const CHOICE = '/manage/sign-in/pharmacy';
const OTHER = 'ein ganz anderes Wort';

async function openNamed(name: string): Promise<string> {
  const { org_id: orgId = '' } = await operate('/organizations', { name, shard: 0 });
  return orgId;
}

async function memberOf(orgId: string, email: string): Promise<string> {
  const [row] = await rows<{ id: string }>('select id from members where org_id = ? and email = ?', orgId, email);
  return row?.id ?? '';
}

function chosen(browser: Browser, member: string, from = CHOICE) {
  return browser.submit(CHOICE, { member, next: '/manage/account' }, from);
}

describe('an address and two organizations', () => {
  test('B cannot keep anybody out of A by taking up an invitation to their address', async () => {
    const [a, b] = [await openNamed('Adler-Apotheke'), await openNamed('Bären-Apotheke')];
    const email = freshEmail();
    await accept(b, email, OTHER, 'owner');
    const invited = await ask(`/organizations/${a}/members`, { email, role: 'staff' });
    expect(invited.status).toBe(201);
    await accept(a, email, PASSWORD);
    const person = new Browser();
    expect(await signIn(person, email, PASSWORD)).toMatchObject({ status: 303, location: '/manage' });
    expect((await person.get(ACCOUNT)).text).toContain('Adler-Apotheke');
  });

  test('B is not told who works for A: an invitation gets the same answer, also after A’s was accepted', async () => {
    const [a, b] = [await openOrganization(), await openOrganization()];
    const { email } = await enter(a, 'staff');
    const owner = await enter(b, 'owner');
    const pages: string[] = [];
    for (const each of [email, freshEmail()]) {
      const page = await owner.browser.shown(
        owner.browser.submit('/manage/settings/members', { email: each, role: 'staff' }),
      );
      expect(page.status).toBe(200);
      pages.push(page.text.replaceAll(each, 'WHO').replace(/invitation\/\w+/g, 'LINK'));
    }
    expect(pages[0]?.includes('LINK')).toBe(true);
    expect(pages[1]?.includes('LINK')).toBe(true);
  });

  test('have passwords of their own: what B’s does, A’s does not notice', async () => {
    const [a, b] = [await openOrganization(), await openOrganization()];
    const email = freshEmail();
    const first = await accept(a, email, PASSWORD);
    const second = await accept(b, email, OTHER);
    expect((await first.get(ACCOUNT)).status).toBe(200);
    const next = 'noch ein drittes Wort';
    expect(await second.submit(`${ACCOUNT}/password`, { current: OTHER, next }, ACCOUNT)).toMatchObject({
      status: 303,
    });
    expect((await first.get(ACCOUNT)).status).toBe(200);
    expect(await signIn(new Browser(), email, OTHER)).toMatchObject({ status: 401 });
    for (const [password, orgId] of [
      [PASSWORD, a],
      [next, b],
    ] as const) {
      const browser = new Browser();
      expect(await signIn(browser, email, password)).toMatchObject({ status: 303, location: '/manage' });
      const last = "select entity_id from audit_log where org_id = ? and action = 'member.signed_in' order by id desc";
      expect((await rows(last, orgId))[0]).toEqual({ entity_id: await memberOf(orgId, email) });
    }
    await env.DB.prepare('update members set revoked_at = 1 where org_id = ?').bind(b).run();
    expect(await signIn(new Browser(), email, PASSWORD)).toMatchObject({ status: 303 });
  });
});

describe('the same password at several pharmacies', () => {
  async function openBoth() {
    const [a, b] = [await openNamed('Adler-Apotheke'), await openNamed('Bären-Apotheke')];
    const email = freshEmail();
    const [first] = [await accept(a, email, PASSWORD), await accept(b, email, PASSWORD)];
    return { a, b, email, first };
  }

  test('asks which one after the password, names none before, and signs in at the one that was chosen, once', async () => {
    const { a, b, email } = await openBoth();
    const browser = new Browser();
    const wrong = await signIn(browser, email, 'not the password');
    expect(wrong.status).toBe(401);
    expect(wrong.text).not.toMatch(/Adler|Bären/);
    expect(await browser.get(CHOICE)).toMatchObject({ status: 303, location: '/manage/sign-in' });
    const asked = await signIn(browser, email, PASSWORD, '/manage/account');
    expect(asked).toMatchObject({ status: 303, location: `${CHOICE}?next=%2Fmanage%2Faccount` });
    expect(browser.session).toBeUndefined();
    const kept = new Map(browser.cookies);
    const page = await browser.get(asked.location ?? '');
    expect(page.text).toContain('Adler-Apotheke');
    expect(page.text).toContain('Bären-Apotheke');
    expect(await chosen(browser, crypto.randomUUID())).toMatchObject({ status: 401 });
    expect(await chosen(browser, await memberOf(b, email))).toMatchObject({ status: 303, location: '/manage/account' });
    expect((await browser.get(ACCOUNT)).text).toContain('Bären-Apotheke');
    const again = new Browser();
    for (const [name, value] of kept) again.cookies.set(name, value);
    expect(await chosen(again, await memberOf(a, email), '/manage/sign-in')).toMatchObject({ status: 401 });
    expect(again.session).toBeUndefined();
  });

  test('is no way around the second factor of the one that was chosen', async () => {
    const { a, email, first } = await openBoth();
    const { secret } = await turnOn(first);
    const browser = new Browser();
    await signIn(browser, email);
    expect(await chosen(browser, await memberOf(a, email))).toMatchObject({ status: 303 });
    expect(browser.session).toBeUndefined();
    expect(await browser.submit(CODE, { code: await nextCodeOf(secret) })).toMatchObject({ status: 303 });
    expect((await browser.get(ACCOUNT)).text).toContain('Adler-Apotheke');
  });

  test('offers nobody else’s membership, none by a password that was changed, and none after five minutes', async () => {
    const { a, b, email, first } = await openBoth();
    const stranger = await enter(await openOrganization(), 'owner');
    const [foreign] = await rows<{ id: string }>('select id from members where email = ?', stranger.email);
    const browser = new Browser();
    await signIn(browser, email);
    expect(await chosen(browser, foreign?.id ?? '')).toMatchObject({ status: 401 });
    await first.submit(`${ACCOUNT}/password`, { current: PASSWORD, next: OTHER }, ACCOUNT);
    expect((await browser.get(CHOICE)).text).not.toContain('Adler-Apotheke');
    expect(await chosen(browser, await memberOf(a, email))).toMatchObject({ status: 401 });
    await env.DB.prepare("update staff_verifications set expires_at = ? where identifier like 'pharmacy choice %'")
      .bind(Date.now() - 1)
      .run();
    expect(await chosen(browser, await memberOf(b, email), '/manage/sign-in')).toMatchObject({ status: 401 });
    expect(browser.session).toBeUndefined();
  });
});
