import { expect, test } from 'vitest';
import { openApprovable } from '../support/order-flow';
import { openSeller } from '../support/seller';
import { nextCodeOf } from '../support/totp';
import { everywhere, openPharmacy } from '../support/world';
import { CODE, turnOn } from './authenticator';
import { Browser, enter, freshEmail, invite, PASSWORD, type Page } from './browser';
import { follow, formOn } from './page-forms';

const SIGN_IN = '/manage/sign-in';
const MEMBERS = '/manage/settings/members';
const NOTE = 'Telefonisch geklärt';

interface Person {
  browser: Browser;
  email: string;
}

/** The form of an ended session: the page that asks to sign in and carries its fields. */
async function sentTooLate({ browser, email }: Person, path: string, fields: Record<string, string>): Promise<Page> {
  await everywhere('delete from staff_sessions where member_id in (select id from members where email = ?)', email);
  const page = await browser.post(path, fields);
  expect(page.status).toBe(401);
  expect(formOn(page, SIGN_IN)).toHaveProperty('form_resume');
  return page;
}

async function openDesk() {
  const seller = await openSeller();
  const person = await enter(seller.orgId, 'owner');
  const { id } = await openApprovable(seller);
  const path = `/manage/requests/${id}`;
  const page = await person.browser.get(path);
  const fields = { ...formOn(page, `${path}/reject`), reason_code: 'customer_withdrew', reject_note: NOTE };
  return { ...person, orgId: seller.orgId, path, fields };
}

const stored = () => everywhere<{ id: string }>('select id from staff_page_data');

test('what the sign-in page signs for a visitor is no origin of somebody’s form, whatever the visitor calls itself', async () => {
  const desk = await openDesk();
  const [member] = await everywhere<{ id: string }>('select id from members where email = ?', desk.email);
  const about = [desk.orgId, String(member?.id), desk.path];
  const visitors = [
    `of ${about[1]} in ${about[0]} on ${about[2]}`,
    about.join(''),
    about.map((part) => `${part.length}:${part}`).join(''),
  ];
  for (const visitor of visitors) {
    const stranger = new Browser();
    stranger.cookies.set('offizin.visitor', encodeURIComponent(visitor));
    const { token } = await stranger.get(SIGN_IN);
    for (const signature of [token, token.slice(0, 32)]) {
      const form_origin = [signature, ...about].join('.');
      const answer = await stranger.post(`${desk.path}/reject`, {
        form_token: token,
        form_origin,
        reject_note: 'Fremd',
      });
      expect(answer.text).not.toContain('form_resume');
    }
  }
});

test('fields that are somebody else’s are stored for nobody: not after a sign-in at another pharmacy on another database', async () => {
  const desk = await openDesk();
  const elsewhere = await openPharmacy(1);
  const stranger = await enter(elsewhere.orgId, 'staff', 'Fremde', { shard: 1 });
  const { form_resume = '' } = formOn(await sentTooLate(desk, `${desk.path}/reject`, desk.fields), SIGN_IN);
  const before = await stored();

  const browser = new Browser();
  const answer = await browser.submit(SIGN_IN, { email: stranger.email, password: PASSWORD, next: '', form_resume });

  expect(answer.status).toBe(303);
  expect(answer.location).not.toContain('resume=');
  expect(await stored()).toEqual(before);
});

test('nothing is stored before the second factor; with it the fields are back', async () => {
  const desk = await openDesk();
  const { secret } = await turnOn(desk.browser);
  const page = await desk.browser.get(desk.path);
  const fields = { ...desk.fields, ...formOn(page, `${desk.path}/reject`), reject_note: NOTE };
  const asked = await sentTooLate(desk, `${desk.path}/reject`, fields);
  const before = await stored();

  const signIn = { ...formOn(asked, SIGN_IN), email: desk.email, password: PASSWORD };
  let step = await desk.browser.post(SIGN_IN, signIn);
  for (const code of ['000000', await nextCodeOf(secret)]) {
    expect(step.status).toBe(401);
    expect(await stored()).toEqual(before);
    step = await desk.browser.post(CODE, { ...formOn(step, CODE), code });
  }

  expect(step.status).toBe(303);
  const back = await follow(desk.browser, step);
  expect(formOn(back, `${desk.path}/reject`)).toMatchObject({ reject_note: NOTE });
});

test('fields are carried over the choice of a pharmacy, to the one that they were typed in', async () => {
  const desk = await openDesk();
  const elsewhere = await openPharmacy(1);
  await enter(elsewhere.orgId, 'owner', 'Kim Öztürk', { email: desk.email, shard: 1 });
  const asked = await sentTooLate(desk, `${desk.path}/reject`, desk.fields);
  const choice = await desk.browser.post(SIGN_IN, { ...formOn(asked, SIGN_IN), email: desk.email, password: PASSWORD });
  expect(choice.status).toBe(401);
  const pharmacy = `${SIGN_IN}/pharmacy`;
  const members = [...choice.text.matchAll(/name="member" value="([^"]+)"/g)].map(([, id = '']) => id);
  expect(members).toHaveLength(2);
  const [own] = await everywhere<{ id: string }>(
    'select id from members where email = ? and org_id = ?',
    desk.email,
    desk.orgId,
  );
  const chosen = await desk.browser.post(pharmacy, { ...formOn(choice, pharmacy), member: String(own?.id) });
  const back = await follow(desk.browser, chosen);
  expect(formOn(back, `${desk.path}/reject`)).toMatchObject({ reject_note: NOTE });
});

test('hidden fields that say what a form is about stay those of the page, and no other row’s form is filled in', async () => {
  const { orgId } = await openPharmacy();
  const owner = await enter(orgId, 'owner');
  const { email } = await invite(orgId, 'staff');
  const page = await owner.browser.get(MEMBERS);
  const rows = (shown: Page) =>
    shown.text.split('<form').filter((form) => form.includes(`name="email" value="${email}"`));
  const [row = ''] = rows(page);
  expect(row).toContain('type="hidden" name="role" value="staff"');
  const action = /action="([^"]+)"/.exec(row)?.[1] ?? '';
  const planted = { email: freshEmail(), role: 'owner' };
  const origin = formOn(page, '/manage/language').form_origin ?? '';

  const asked = await sentTooLate(owner, action, { form_token: page.token, form_origin: origin, ...planted });
  const signIn = { ...formOn(asked, SIGN_IN), email: owner.email, password: PASSWORD };
  const shown = await follow(owner.browser, await owner.browser.post(SIGN_IN, signIn));

  const [again = ''] = rows(shown);
  expect(again).toContain('type="hidden" name="role" value="staff"');
  const hidden = shown.text.match(/<input type="hidden"[^>]*>/g) ?? [];
  expect(hidden.filter((field) => field.includes(planted.email) || field.includes('"owner"'))).toEqual([]);
  // Where one sees them, they are back.
  expect(shown.text).toMatch(new RegExp(`<input id="email"[^>]*value="${planted.email}"`));
});
