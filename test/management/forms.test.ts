import { managementRoutes } from '../../src/management/routes';
import { openOrganization } from '../support/operator';
import { captureLogs } from '../support/probe';
import { beforeAll, expect, test } from '../support/test';
import { rows } from '../support/world';
import { Browser, enter, freshEmail, invite, PASSWORD } from './browser';

const MEMBERS = '/manage/settings/members';

let signedInOwner: Awaited<ReturnType<typeof enter>>;
beforeAll(async () => {
  signedInOwner = await enter(await openOrganization(), 'owner');
});
test('a form without its token, with a wrong one or with another session’s changes nothing', async ({ orgId }) => {
  const [owner, other] = [await enter(orgId, 'owner'), await enter(orgId, 'owner')];
  const foreign = (await other.browser.get(MEMBERS)).token;
  const visitors = (await new Browser().get('/manage/sign-in')).token;
  const own = (await owner.browser.get(MEMBERS)).token;
  const { requests } = captureLogs();
  for (const token of [undefined, '', 'x'.repeat(64), foreign, visitors, own.toUpperCase(), `${own}x`]) {
    const email = freshEmail();
    const fields = { email, role: 'staff', ...(token !== undefined && { form_token: token }) };
    const page = await owner.browser.post(MEMBERS, fields);
    expect(page.status).toBe(403);
    expect(page.text).toContain('Diese Seite war veraltet');
    expect(requests().at(-1)).toMatchObject({ d1_round_trips: 0 });
    expect(await rows('select 1 from members where email = ?', email)).toEqual([]);
  }
  expect(await owner.browser.post(MEMBERS, { email: freshEmail(), role: 'staff', form_token: own })).toMatchObject({
    status: 303,
  });
});

/** Every address that takes a form, from the router, so that the list includes new ones. */
const FORMS = managementRoutes.routes
  .filter(({ method }) => method !== 'GET' && method !== 'ALL')
  .map(({ method, path }) => ({ method, path: `/manage${path.replace(/:\w+(\{[^}]*\})?/g, crypto.randomUUID())}` }));

test('the list of all forms is complete', () => {
  expect(new Set(FORMS.map(({ method }) => method))).toEqual(new Set(['POST']));
  const paths = FORMS.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining(['/manage/sign-in', '/manage/language', '/manage/account/password', MEMBERS]),
  );
  expect(paths.length).toBeGreaterThan(30);
});

const SIGN_IN = '/manage/sign-in';

test('who has signed in in another tab is led to the desk by a sign-in without its token, others are not', async () => {
  expect(await signedInOwner.browser.post(SIGN_IN, {})).toMatchObject({ status: 303, location: '/manage' });
  expect(await new Browser().post(SIGN_IN, {})).toMatchObject({ status: 403 });
});

test.each([...FORMS.filter(({ path }) => path !== SIGN_IN), { method: 'POST', path: '/manage/nowhere' }])(
  '$method $path asks for the token before anything else',
  async ({ path }) => {
    const { requests } = captureLogs();
    const page = await signedInOwner.browser.post(path, {});
    expect(page.status).toBe(403);
    expect(page.text).toContain('Diese Seite war veraltet');
    const status = /^\/manage\/(sign-in|invitation|reset)\//.test(path) ? 403 : 401;
    expect(await new Browser().post(path, {})).toMatchObject({ status });
    expect(requests().map(({ d1_round_trips }) => d1_round_trips)).toEqual([0, 0]);
  },
);

test('a visitor without a cookie has no token: an empty binding is none', async () => {
  const { token } = await new Browser().get('/manage/sign-in');
  expect(
    await new Browser().post('/manage/sign-in', { form_token: token, email: 'a@b.de', password: PASSWORD }),
  ).toMatchObject({ status: 403 });
});

test.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])(
  'a body of type %s is no form',
  async (type) => {
    const browser = new Browser();
    const { token } = await browser.get('/manage/sign-in');
    const body = `form_token=${token}&email=a%40b.de&password=x`;
    const init = { method: 'POST', body, headers: { 'Content-Type': type } };
    expect(await browser.send('/manage/sign-in', init)).toMatchObject({ status: 403 });
  },
);

test('a form over 64 KiB is refused', async () => {
  const browser = new Browser();
  const { token } = await browser.get('/manage/sign-in');
  const page = await browser.post('/manage/sign-in', { form_token: token, email: 'a'.repeat(65 * 1024) });
  expect(page.status).toBe(413);
});

test('what was typed comes back as text and never as markup', async ({ owner: { browser } }) => {
  const page = await browser.submit(MEMBERS, { email: '"><script>alert(1)</script>', role: '' });
  expect(page.status).toBe(400);
  expect(page.text).not.toContain('<script>alert');
  expect(page.text).toContain('&lt;script&gt;');
  expect(page.text).toContain('href="#email"');
  expect(page.text).toContain('href="#role"');
});

test('control characters and right-to-left text in a name neither cut nor break anything', async ({ orgId }) => {
  const { email, path } = await invite(orgId, 'staff');
  await new Browser().submit(path, { name: 'Ada\u0000 \u0007عمر', password: PASSWORD });
  expect(await rows('select name from members where email = ?', email)).toEqual([{ name: 'Ada عمر' }]);
});
