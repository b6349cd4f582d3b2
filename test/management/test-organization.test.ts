import { keyPrefix } from '../../src/auth/keys/format';
import { openOrganization } from '../support/operator';
import { askToken, createKey } from '../support/organization';
import { rowOf, rowsOf } from '../support/rows';
import { makeLink, openSeller, placeOrder } from '../support/seller';
import { expect, test } from '../support/test';
import { openTestPharmacy } from '../support/test-organization';
import { call, everywhere, operate, rows } from '../support/world';
import { Browser, enter, signIn } from './browser';

const PAGE = '/manage/settings/organization';
const OPEN = `${PAGE}/test`;
const LEAVE = '/manage/leave-test';
const KEYS = '/manage/settings/keys';

/** The owner's browser, in the test organization. */
async function open(browser: Browser) {
  expect(await browser.submit(OPEN, {}, PAGE)).toMatchObject({ status: 303, location: '/manage' });
}

const testsOf = (orgId: string) =>
  everywhere<{ id: string }>('select id from organizations where counterpart_id = ? and is_test = 1', orgId);

test('every page says TEST there, and none does in the live organization', async ({ orgId }) => {
  const { browser } = await enter(orgId, 'owner');
  const paths = ['/manage/requests', '/manage/orders', '/manage/products', PAGE, KEYS, '/manage/nowhere'];
  for (const path of paths) expect((await browser.get(path)).text).not.toMatch(/>TEST<|TEST ·/);
  await open(browser);
  for (const path of paths) {
    const { text } = await browser.get(path);
    expect([path, text.includes('>TEST</strong>'), /<title>TEST · /.test(text)]).toEqual([path, true, true]);
    expect(text).toContain('Zur echten Apotheke');
  }
});

test('one click makes it and enters it, the next enters the same, and the way back needs no password', async ({
  orgId,
}) => {
  const { browser, email } = await enter(orgId, 'owner');
  expect((await browser.get(PAGE)).text).toContain('Testapotheke anlegen');
  const live = browser.session;
  await open(browser);
  const [made] = await testsOf(orgId);
  expect(await rows('select role, name from members where org_id = ? and email = ?', made?.id, email)).toEqual([
    { role: 'owner', name: 'Kim Öztürk' },
  ]);
  expect((await browser.get('/manage/requests')).text).toContain('Das ist Ihre Testapotheke.');
  expect((await browser.get(PAGE)).text).not.toContain('Testapotheke anlegen');
  expect(await browser.submit(LEAVE, {}, PAGE)).toMatchObject({ status: 303, location: '/manage' });
  expect(browser.session).toBe(live);
  expect((await browser.get(PAGE)).text).toContain('Zur Testapotheke');
  await open(browser);
  expect(await testsOf(orgId)).toEqual([made]);
  expect(await rows('select count(*) as n from members where org_id = ?', made?.id)).toEqual([{ n: 1 }]);
});

test('clicks of two owners at once make one, and both are in it', async ({ orgId }) => {
  const owners = await Promise.all(['Ada', 'Grace'].map((name) => enter(orgId, 'owner', name)));
  const pages = await Promise.all(owners.map(({ browser }) => browser.get(PAGE)));
  const posts = owners.flatMap(({ browser }, index) =>
    [1, 2].map(() => browser.post(OPEN, { form_token: pages[index]?.token ?? '' })),
  );
  for (const { status } of await Promise.all(posts)) expect(status).toBe(303);
  const [made, ...more] = await testsOf(orgId);
  expect(more).toEqual([]);
  const there = await rowsOf<{ email: string }>('members', { org_id: made?.id, role: 'owner' });
  expect(there.map(({ email }) => email).toSorted()).toEqual(owners.map(({ email }) => email).toSorted());
});

test('a form of a live page does nothing in the test organization', async ({ orgId }) => {
  const { browser } = await enter(orgId, 'owner');
  const { token } = await browser.get(KEYS);
  await open(browser);
  const page = await browser.post(KEYS, { form_token: token, name: 'x', kind: 'integration' });
  expect(page.status).toBe(403);
  expect(await everywhere('select 1 from api_keys where name = ?', 'x')).toEqual([]);
});

test('keys made there are test keys, rotated ones too', async ({ orgId }) => {
  const { browser } = await enter(orgId, 'owner');
  await open(browser);
  const made = await browser.shown(browser.submit(KEYS, { name: 'telemed', kind: 'integration' }));
  expect(made.text).toMatch(new RegExp(`${keyPrefix(true)}\\w{12}_\\w{49}`));
  const [, id] = /ofz_test_(\w{12})_/.exec(made.text) ?? [];
  const path = `${KEYS}/${id}/rotate`;
  const rotated = await browser.shown(browser.fill(path, {}, path));
  expect(rotated.text).toMatch(new RegExp(`${keyPrefix(true)}\\w{12}_\\w{49}`));
});

test('who signs in finds the live organization alone: the membership in the other has no password', async ({
  orgId,
}) => {
  const { browser, email } = await enter(orgId, 'owner');
  await open(browser);
  const again = new Browser();
  expect(await signIn(again, email)).toMatchObject({ status: 303, location: '/manage' });
  expect((await again.get(PAGE)).text).not.toContain('>TEST<');
  // The account page offers nothing that would need one.
  expect((await browser.get('/manage/account')).text).not.toContain('type="password"');
});

test('it has no members of its own: nobody is invited there', async ({ orgId }) => {
  const { browser } = await enter(orgId, 'owner');
  await open(browser);
  const MEMBERS = '/manage/settings/members';
  const page = await browser.submit(`${MEMBERS}/invite`, { email: 'x@example.com', role: 'owner' }, MEMBERS);
  expect(page.status).not.toBe(303);
  const [made] = await testsOf(orgId);
  expect(await rows('select count(*) as n from members where org_id = ?', made?.id)).toEqual([{ n: 1 }]);
});

const ofMember = 'org_id = ?1 and email = ?2';
const ENDS: [string, (orgId: string, email: string, browser: Browser) => Promise<unknown>][] = [
  ['revoked', (...of) => rows(`update members set revoked_at = 1 where ${ofMember}`, of[0], of[1])],
  ['no owner any more', (...of) => rows(`update members set role = 'staff' where ${ofMember}`, of[0], of[1])],
  [
    'signed out everywhere',
    (...of) =>
      rows(`delete from staff_sessions where member_id in (select id from members where ${ofMember})`, of[0], of[1]),
  ],
  ['suspended with the organization', (orgId) => operate(`/organizations/${orgId}`, { status: 'suspended' }, 'PATCH')],
];
test.for(ENDS)('who is %s in the live organization is out of the test organization', async ([, end], { orgId }) => {
  const { browser, email } = await enter(orgId, 'owner');
  await open(browser);
  expect((await browser.get(KEYS)).status).toBe(200);
  await end(orgId, email, browser);
  expect(await browser.get(KEYS)).toMatchObject({ status: 303, location: expect.stringContaining('/manage/sign-in') });
});

test('the live session ends with the one in the test organization: gone, signed out, or another one in its place', async () => {
  for (const end of [
    async (browser: Browser, orgId: string) => {
      const [made] = await testsOf(orgId);
      await rows('delete from staff_sessions where member_id in (select id from members where org_id = ?)', made?.id);
      const { token } = await browser.get('/manage/sign-in');
      await browser.post(LEAVE, { form_token: token });
      expect((await browser.get(PAGE)).status).toBe(303);
    },
    (browser: Browser) => browser.submit('/manage/sign-out', {}, '/manage/account'),
    async (browser: Browser, orgId: string, name: string) => {
      browser.cookies.delete(name);
      expect(await signIn(browser, (await enter(orgId, 'staff')).email)).toMatchObject({ status: 303 });
    },
  ]) {
    const orgId = await openOrganization();
    const { browser } = await enter(orgId, 'owner');
    const [name = '', value = ''] = browser.session?.split('=') ?? [];
    await open(browser);
    await end(browser, orgId, name);
    const back = new Browser();
    back.cookies.set(name, value);
    expect(await back.get(PAGE)).toMatchObject({ status: 303 });
  }
});

test('a live session that ended meanwhile is not come back to', async ({ orgId }) => {
  const { browser, email } = await enter(orgId, 'owner');
  await open(browser);
  await rows(
    'delete from staff_sessions where member_id in (select id from members where org_id = ? and email = ?)',
    orgId,
    email,
  );
  const { token } = await browser.get('/manage/account');
  await browser.post(LEAVE, { form_token: token });
  expect((await browser.get(PAGE)).location).toMatch(/^\/manage\/sign-in/);
});

test('the keys of the test organization are refused while the live one is suspended', async ({ api }) => {
  const { browser } = await enter(api.orgId, 'owner');
  await open(browser);
  const [made] = await testsOf(api.orgId);
  const { apiKey } = await createKey(made?.id ?? '', ['orders.read']);
  const asked = () => askToken(made?.id ?? '', { headers: { apikey: apiKey } });
  expect((await asked()).status).toBe(200);
  await operate(`/organizations/${api.orgId}`, { status: 'suspended' }, 'PATCH');
  expect(await asked()).toMatchObject({ status: 403, body: { code: 'organization_suspended' } });
  await operate(`/organizations/${api.orgId}`, { status: 'active' }, 'PATCH');
  expect((await asked()).status).toBe(200);
});

test('nobody gets a link for a password to a membership without one', async ({ orgId }) => {
  const [first, second] = [await enter(orgId, 'owner'), await enter(orgId, 'owner')];
  await open(first.browser);
  await open(second.browser);
  const [made] = await testsOf(orgId);
  const other = await rowOf('members', { org_id: made?.id, email: second.email });
  const { token } = await first.browser.get('/manage/account');
  const path = `/manage/settings/members/${other.id}/reset`;
  expect((await first.browser.get('/manage/settings/members')).text).not.toContain(path);
  const page = await first.browser.post(path, { form_token: token, lost: 'password' });
  expect(page.status).toBe(404);
  expect(await rows('select 1 from staff_resets where member_id = ?', other.id)).toEqual([]);
});

test('the payment page of a test order says that nobody is to pay, and that of a live one does not', async () => {
  const live = await openSeller();
  const inTest = { ...live, ...(await openTestPharmacy(live.orgId)) };
  const textOf = async (seller: typeof live) => {
    const { url } = await makeLink(seller, (await placeOrder(seller)).id);
    return (await call(url)).text();
  };
  expect(await textOf(inTest)).toContain('TEST: Bitte nicht bezahlen.');
  expect(await textOf(live)).not.toContain('TEST');
});
