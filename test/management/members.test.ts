import { env } from 'cloudflare:workers';
import { ask, openOrganization } from '../support/operator';
import { problemOf } from '../support/probe';
import { type AuditRow, rowsOf } from '../support/rows';
import { expect, test } from '../support/test';
import { rows } from '../support/world';
import { Browser, enter, freshEmail, invite, join, memberId, PASSWORD, signIn } from './browser';

const MEMBERS = '/manage/settings/members';

function roleOf(email: string): Promise<{ role: string }[]> {
  return rows('select role from members where email = ? and revoked_at is null', email);
}

async function auditOf(org_id: string) {
  return (await rowsOf<AuditRow>('audit_log', { org_id })).filter(({ action }) => action.startsWith('member.'));
}

test('the operator invites a person: 201 with a link that is stored as a hash', async ({ orgId }) => {
  const email = freshEmail();
  const answer = await ask(`/organizations/${orgId}/members`, { email: ` ${email.toUpperCase()} `, role: 'owner' });
  expect(answer.status).toBe(201);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  const body = await answer.json<{ invitation_url: string }>();
  expect(body).toEqual({
    invitation_url: expect.stringMatching(
      /^http:\/\/localhost:8787\/manage\/invitation\/[0-9a-f-]{36}\.[0-9A-Za-z]{43}$/,
    ),
  });
  const [row] = await rows('select * from members where org_id = ?', orgId);
  expect(row).toMatchObject({ email, role: 'owner', name: null, accepted_at: null, revoked_at: null });
  expect(JSON.stringify(row)).not.toContain(body.invitation_url.split('.').at(-1));
  expect(await auditOf(orgId)).toMatchObject([
    { action: 'member.invited', actor_kind: 'operator', entity_id: row?.id },
  ]);
});

test.each([
  [{ email: 'nobody', role: 'owner' }, '/email'],
  [{ email: 'a@example.com', role: 'admin' }, '/role'],
  [{ role: 'owner' }, '/email'],
])('the operator’s invitation %j is refused at %s', async (body, pointer) => {
  const answer = await ask(`/organizations/${await openOrganization()}/members`, body);
  expect((await problemOf(answer, 400, 'validation_failed')).errors?.[0]?.pointer).toBe(pointer);
});

test('nobody is invited into an organization that is not there', async () => {
  const answer = await ask(`/organizations/${crypto.randomUUID()}/members`, { email: freshEmail(), role: 'owner' });
  await problemOf(answer, 404, 'organization_not_found');
});

test('nobody is a member of an organization twice: a member of it is not invited again', async ({ orgId }) => {
  const { email } = await join(orgId, 'staff');
  await problemOf(await ask(`/organizations/${orgId}/members`, { email, role: 'owner' }), 409, 'member_exists');
});

test('an invitation works once, also for two who use it at the same moment', async ({ orgId }) => {
  const { email, path } = await invite(orgId, 'staff');
  const browsers = [new Browser(), new Browser()];
  const tokens = await Promise.all(browsers.map(async (browser) => (await browser.get(path)).token));
  const answers = await Promise.all(
    browsers.map((browser, index) =>
      browser.post(path, { form_token: tokens[index] ?? '', name: `P${index}`, password: `${PASSWORD} ${index}` }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
  const winner = answers.findIndex(({ status }) => status === 303);
  expect(await signIn(new Browser(), email, `${PASSWORD} ${winner}`)).toMatchObject({ status: 303 });
  expect(await signIn(new Browser(), email, `${PASSWORD} ${1 - winner}`)).toMatchObject({ status: 401 });
  expect(await rows('select 1 from staff_accounts where member_id = ?', await memberId(email))).toHaveLength(1);
});

test('a used, expired, replaced, withdrawn or made-up invitation gets the same page', async ({ orgId, owner }) => {
  const used = await invite(orgId, 'staff');
  await new Browser().submit(used.path, { name: 'Ada', password: PASSWORD });
  const expired = await invite(orgId, 'staff');
  await env.DB.prepare('update members set invitation_expires_at = ? where email = ?')
    .bind(Date.now() - 1, expired.email)
    .run();
  const replaced = await invite(orgId, 'staff');
  const again = await invite(orgId, 'pharmacist', replaced.email);
  const withdrawn = await invite(orgId, 'staff');
  await owner.browser.submit(`${MEMBERS}/${await memberId(withdrawn.email)}/revoke`, {});
  const texts: string[] = [];
  for (const path of [used, expired, replaced, withdrawn]
    .map((each) => each.path)
    .concat(`/manage/invitation/${orgId}.${'x'.repeat(43)}`, '/manage/invitation/short')) {
    const browser = new Browser();
    const page = await browser.get(path);
    expect(page.status).toBe(404);
    const { token } = await browser.get('/manage/sign-in');
    expect(await browser.post(path, { form_token: token, name: 'Eve', password: PASSWORD })).toMatchObject({
      status: 404,
    });
    texts.push(page.text.replace(/value="[^"]*"/g, ''));
  }
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]).toContain('Diese Einladung gilt nicht mehr');
  expect(await new Browser().submit(again.path, { name: 'Ada', password: PASSWORD })).toMatchObject({ status: 303 });
  expect(await roleOf(replaced.email)).toEqual([{ role: 'pharmacist' }]);
});

test.each([
  ['no name', { name: '  ' }, 'Bitte ausfüllen: Ihr Name.'],
  ['a short password', { password: 'elf Zeichen' }, 'Mindestens 12 Zeichen.'],
])('an invitation with %s says so beside the field, keeps the name, and stays open', async (_, fields, message) => {
  const { email, path } = await invite(await openOrganization(), 'staff');
  const page = await new Browser().submit(path, { name: 'Ada', password: PASSWORD, ...fields });
  expect(page.status).toBe(400);
  // Once in the summary and once beside the field.
  expect(page.text.split(message).length).toBeGreaterThanOrEqual(3);
  if (!('name' in fields)) expect(page.text).toContain('value="Ada"');
  expect(page.text).not.toContain(PASSWORD);
  expect(await rows('select accepted_at from members where email = ?', email)).toEqual([{ accepted_at: null }]);
});

test('an owner invites, gives roles and revokes; the audit log names the owner each time', async ({ orgId, owner }) => {
  const email = freshEmail();
  const page = await owner.browser.shown(owner.browser.submit(MEMBERS, { email, role: 'staff' }));
  expect(page.status).toBe(200);
  const link = />(http[^"]+\/manage\/invitation\/[\w-]{36}\.\w{43})</.exec(page.text)?.[1] ?? '';
  expect((await owner.browser.get(MEMBERS)).text).not.toContain(link);
  const person = new Browser();
  await person.submit(new URL(link).pathname, { name: 'Ada', password: PASSWORD });
  const id = await memberId(email);
  const changed = await owner.browser.submit(`${MEMBERS}/${id}/role`, { role: 'pharmacist' }, MEMBERS);
  expect(changed).toMatchObject({ status: 303, location: MEMBERS });
  expect((await owner.browser.get(MEMBERS)).text).toContain('Die Rolle ist geändert.');
  expect(await roleOf(email)).toEqual([{ role: 'pharmacist' }]);
  const asked = await owner.browser.get(`${MEMBERS}/${id}/revoke`);
  expect(asked.text).toContain('Zugang von Ada widerrufen?');
  await owner.browser.submit(`${MEMBERS}/${id}/revoke`, {});
  expect(await roleOf(email)).toEqual([]);
  const ownerId = await memberId(owner.email);
  const acts = (await auditOf(orgId)).filter(({ entity_id }) => entity_id === id);
  expect(acts.map(({ action, actor_kind, actor_id }) => [action, actor_kind, actor_id])).toEqual([
    ['member.invited', 'staff', ownerId],
    ['member.accepted', 'staff', id],
    ['member.signed_in', 'staff', id],
    ['member.role_changed', 'staff', ownerId],
    ['member.revoked', 'staff', ownerId],
  ]);
  expect(JSON.stringify(await auditOf(orgId))).not.toContain(email);
});

test('a revoked member with a live session is out at the next request, and stays out', async ({ orgId, owner }) => {
  const person = await enter(orgId, 'pharmacist');
  expect((await person.browser.get('/manage/account')).status).toBe(200);
  const cookie = person.browser.session;
  await owner.browser.submit(`${MEMBERS}/${await memberId(person.email)}/revoke`, {});
  expect(await person.browser.get('/manage/account')).toMatchObject({ status: 303 });
  expect(person.browser.session).toBe(cookie);
  expect(await signIn(person.browser, person.email)).toMatchObject({ status: 401 });
});

test('revoking by the row alone is enough: a session that is still stored does not outlive it', async () => {
  const person = await join(await openOrganization(), 'staff');
  await signIn(person.browser, person.email);
  await env.DB.prepare('update members set revoked_at = 1 where email = ?').bind(person.email).run();
  // Of the invitation and of the sign-in.
  expect(
    await rows('select 1 from staff_sessions where member_id = (select id from members where email = ?)', person.email),
  ).toHaveLength(2);
  expect(await person.browser.get('/manage/account')).toMatchObject({ status: 303 });
});

test('a changed role holds from the next request on', async ({ orgId }) => {
  const [owner, other] = [await enter(orgId, 'owner'), await enter(orgId, 'owner')];
  expect((await other.browser.get(MEMBERS)).status).toBe(200);
  await owner.browser.submit(`${MEMBERS}/${await memberId(other.email)}/role`, { role: 'staff' }, MEMBERS);
  expect((await other.browser.get(MEMBERS)).status).toBe(403);
});

test('the last owner is neither demoted nor revoked; an invited owner does not count', async ({ orgId, owner }) => {
  await invite(orgId, 'owner');
  const id = await memberId(owner.email);
  const { token } = await owner.browser.get(MEMBERS);
  for (const [path, fields] of [
    [`${MEMBERS}/${id}/role`, { role: 'staff' }],
    [`${MEMBERS}/${id}/revoke`, {}],
  ] as const) {
    const page = await owner.browser.post(path, { form_token: token, ...fields });
    expect(page.status).toBe(400);
    expect(page.text).toContain('Ein Inhaber muss bleiben.');
  }
  expect(await roleOf(owner.email)).toEqual([{ role: 'owner' }]);
  expect((await owner.browser.get(MEMBERS)).status).toBe(200);
});

test.for(['role', 'revoke'])('of two owners who %s each other at the same time one stays', async (act, { orgId }) => {
  const owners = [await enter(orgId, 'owner'), await enter(orgId, 'owner')];
  const ids = await Promise.all(owners.map(({ email }) => memberId(email)));
  const tokens = await Promise.all(owners.map(async ({ browser }) => (await browser.get(MEMBERS)).token));
  await Promise.all(
    owners.map(({ browser }, index) =>
      browser.post(`${MEMBERS}/${ids[1 - index]}/${act}`, { form_token: tokens[index] ?? '', role: 'staff' }),
    ),
  );
  const left = await rows("select id from members where org_id = ? and role = 'owner' and revoked_at is null", orgId);
  expect(left).toHaveLength(1);
});

test('an organization takes 200 people', async ({ orgId }) => {
  const insert = env.DB.prepare(
    "insert into members (id, org_id, email, role, two_factor_enabled, invited_at, updated_at) values (?, ?, ?, 'staff', 0, 0, 0)",
  );
  await env.DB.batch(Array.from({ length: 200 }, () => insert.bind(crypto.randomUUID(), orgId, freshEmail())));
  const answer = await ask(`/organizations/${orgId}/members`, { email: freshEmail(), role: 'staff' });
  await problemOf(answer, 409, 'member_limit_reached');
});
