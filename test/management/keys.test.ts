import { env } from 'cloudflare:workers';
import { API_SCOPES } from '../../src/management/keys/routes';
import { accepted, captureLogs, problemOf } from '../support/probe';
import { expect, test, vi } from '../support/test';
import { envelope, rows, submit, subscribe } from '../support/world';
import { type Browser, enter } from './browser';

const KEYS = '/manage/settings/keys';
const INTEGRATION = { name: 'telemed <b>', kind: 'integration' };

async function make(browser: Browser, fields: Record<string, string> = INTEGRATION) {
  const page = await browser.shown(browser.submit(KEYS, fields));
  expect(page.status).toBe(200);
  const key = />(ofz_\w+)</.exec(page.text)?.[1] ?? '';
  return { key, id: key.split('_')[1] ?? '', page };
}

test('an integration key is shown once, submits, and stops when it is revoked', async ({ pharmacy }) => {
  const { browser, email } = await enter(pharmacy.orgId, 'owner');
  const { lines } = captureLogs();
  const { key, id } = await make(browser);
  expect(lines.join()).not.toContain(key);
  vi.restoreAllMocks();
  const list = await browser.get(KEYS);
  expect(list.text).not.toContain(key);
  expect((await browser.get(`${KEYS}/${id}`)).text).toContain(`ofz_${id}…`);
  expect(list.text).toContain('telemed &lt;b&gt;');
  await accepted(await submit({ ...pharmacy, integrationKey: key }, envelope()));
  expect((await browser.get(`${KEYS}/${id}/revoke`)).text).toContain('Schlüssel „telemed &lt;b&gt;“ widerrufen?');
  expect(await browser.submit(`${KEYS}/${id}/revoke`, {})).toMatchObject({ status: 303, location: KEYS });
  await problemOf(await submit({ ...pharmacy, integrationKey: key }, envelope()), 401, 'invalid_api_key');
  expect((await browser.get(KEYS)).text).toContain('Widerrufen');
  const [owner] = await rows<{ id: string }>('select id from members where email = ?', email);
  expect(await rows('select action, actor_id from audit_log where entity_id = ? order by action', id)).toEqual([
    { action: 'api_key.created', actor_id: owner?.id },
    { action: 'api_key.revoked', actor_id: owner?.id },
  ]);
});

test('an API key gets the chosen scopes and its end', async ({ owner: { browser } }) => {
  const { id } = await make(browser, { name: 'till', kind: 'api', expires_at: '2099-07-01', 'orders.read': 'on' });
  const [row] = await rows<{ scopes: string; expires_at: number }>('select * from api_keys where id = ?', id);
  expect(row?.scopes).toBe('["orders.read"]');
  expect(new Date(row?.expires_at ?? 0).toISOString()).toBe('2099-07-01T21:59:59.999Z');
  expect((await browser.get(KEYS)).text).toContain('01.07.2099');
});

test('a key’s page names its rights as the API does and leads to the reference; one that may do all says so in the list', async ({
  owner: { browser },
}) => {
  const all = Object.fromEntries(API_SCOPES.map((scope) => [scope, 'on']));
  const { id } = await make(browser, { name: 'till', kind: 'api', ...all });
  const { text } = await browser.get(`${KEYS}/${id}`);
  for (const scope of API_SCOPES) expect(text).toContain(`<code>${scope}</code>`);
  expect(text).toContain('href="/docs"');
  expect((await browser.get(KEYS)).text).toContain('>Alles<');
});

test('a key that cannot be made is refused beside the field', async ({ orgId, owner: { browser } }) => {
  for (const [fields, message] of [
    [{ ...INTEGRATION, name: ' ' }, 'Bitte ausfüllen: Name.'],
    [{ ...INTEGRATION, name: 'x'.repeat(101) }, 'Höchstens 100 Zeichen.'],
    [{ ...INTEGRATION, kind: 'x' }, 'Bitte eine Art wählen.'],
    [{ ...INTEGRATION, expires_at: '2020-01-01' }, 'Bitte einen Tag wählen, der noch nicht vorbei ist.'],
    [{ ...INTEGRATION, expires_at: '2099-02-30' }, 'Bitte ein Datum angeben, zum Beispiel 31.12.2027.'],
    [{ name: 'till', kind: 'api' }, 'Bitte mindestens ein Recht wählen.'],
  ] as const) {
    const page = await browser.submit(KEYS, fields);
    expect(page.status).toBe(400);
    expect(page.text.split(message).length).toBeGreaterThanOrEqual(3);
  }
  expect(await rows('select 1 from api_keys where org_id = ?', orgId)).toEqual([]);
});

/** Rotates on the key's page. @returns the answer and the new key */
async function rotate(browser: Browser, id: string, overlap: string, expiresAt = '') {
  const page = await browser.shown(browser.submit(`${KEYS}/${id}/rotate`, { overlap, expires_at: expiresAt }));
  return { page, key: />(ofz_\w+)</.exec(page.text)?.[1] ?? '' };
}

test('a rotated key has a successor of its integration: both submit until the overlap ends', async ({ pharmacy }) => {
  const { browser } = await enter(pharmacy.orgId, 'owner');
  const id = pharmacy.integrationKey.split('_')[1] ?? '';
  const { lines } = captureLogs();
  const { key, page } = await rotate(browser, id, 'day');
  expect(page.status).toBe(200);
  expect(lines.join()).not.toContain(key);
  vi.restoreAllMocks();
  const sent = envelope();
  const first = await accepted(await submit(pharmacy, sent));
  expect(await accepted(await submit({ ...pharmacy, integrationKey: key }, sent))).toEqual(first);
  const list = await browser.get(KEYS);
  expect(list.text).not.toContain(key);
  expect(list.text).toContain('Abgelöst');
  const [old, fresh] = await rows<{ family_id: string; scopes: string; expires_at: number | null }>(
    'select * from api_keys where org_id = ? order by created_at',
    pharmacy.orgId,
  );
  expect(fresh).toMatchObject({ family_id: old?.family_id, scopes: old?.scopes, expires_at: null });
  expect(Math.round(((old?.expires_at ?? 0) - Date.now()) / 3_600_000)).toBe(24);
  await rows('update api_keys set expires_at = 1 where id = ?', id);
  await problemOf(await submit(pharmacy, envelope()), 401, 'invalid_api_key');
  expect(await browser.get(`${KEYS}/${id}/rotate`)).toMatchObject({ status: 404 });
});

test('a leaked key is rotated at once; its end is kept when sooner than the overlap', async ({ pharmacy }) => {
  const { browser } = await enter(pharmacy.orgId, 'owner');
  const id = pharmacy.integrationKey.split('_')[1] ?? '';
  const { key } = await rotate(browser, id, 'none', '2099-12-31');
  await problemOf(await submit(pharmacy, envelope()), 401, 'invalid_api_key');
  await accepted(await submit({ ...pharmacy, integrationKey: key }, envelope()));
  const next = key.split('_')[1] ?? '';
  const soon = Date.now() + 60_000;
  await rows('update api_keys set expires_at = ? where id = ?', soon, next);
  await rotate(browser, next, 'week');
  expect(await rows('select expires_at from api_keys where id = ?', next)).toEqual([{ expires_at: soon }]);
  const acts = await rows<{ action: string }>(
    "select action from audit_log where org_id = ? and action = 'api_key.rotated' order by id",
    pharmacy.orgId,
  );
  expect(acts).toHaveLength(2);
});

test('rotating twice, or at once from two pages, makes one successor', async ({ pharmacy }) => {
  const { browser } = await enter(pharmacy.orgId, 'owner');
  const id = pharmacy.integrationKey.split('_')[1] ?? '';
  const { token } = await browser.get(`${KEYS}/${id}/rotate`);
  const fields = { form_token: token, overlap: 'day', expires_at: '' };
  for (const wrong of [{ overlap: 'x' }, { expires_at: '2020-01-01' }])
    expect(await browser.post(`${KEYS}/${id}/rotate`, { ...fields, ...wrong })).toMatchObject({ status: 400 });
  const answers = await Promise.all([1, 2, 3].map(() => browser.post(`${KEYS}/${id}/rotate`, fields)));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
  expect(answers.find(({ status }) => status === 400)?.text).toContain(
    'Ein früherer Schlüssel dieser Integration gilt noch.',
  );
  expect(await rows('select 1 from api_keys where org_id = ?', pharmacy.orgId)).toHaveLength(2);
  await browser.submit(`${KEYS}/${id}/revoke`, {});
  expect(await browser.post(`${KEYS}/${id}/rotate`, fields)).toMatchObject({ status: 404 });
});

test('with the switch off an event is kept and sent to nobody', async ({ pharmacy }) => {
  const { subscriptionId } = await subscribe(pharmacy.orgId, 'https://hooks.example.com/in');
  const { browser } = await enter(pharmacy.orgId, 'owner');
  const id = pharmacy.integrationKey.split('_')[1];
  expect(await browser.submit(`${KEYS}/${id}/submitted-events`, { on: 'no' }, `${KEYS}/${id}`)).toMatchObject({
    status: 303,
  });
  await accepted(await submit(pharmacy, envelope()));
  expect(await rows('select type from events where org_id = ?', pharmacy.orgId)).toHaveLength(1);
  expect(await rows('select 1 from deliveries where subscription_id = ?', subscriptionId)).toEqual([]);
  expect((await browser.get(`${KEYS}/${id}`)).text).toContain('Meldet neue Anfragen nicht per Webhook');
  await browser.submit(`${KEYS}/${id}/submitted-events`, { on: 'yes' }, `${KEYS}/${id}`);
  await accepted(await submit(pharmacy, envelope()));
  expect(await rows('select 1 from deliveries where subscription_id = ?', subscriptionId)).toHaveLength(1);
  expect(await rows("select 1 from audit_log where entity_id = ? and action like '%submitted%'", id)).toHaveLength(2);
});

test('the 26th active key is refused in plain words', async ({ orgId, owner: { browser } }) => {
  const insert = env.DB.prepare(
    `insert into api_keys (id, org_id, family_id, name, scopes, hash, sends_submitted_events, created_at, created_by)
     values (?1, ?2, ?1, 'n', '[]', 'h', 1, 0, 'operator')`,
  );
  await env.DB.batch(Array.from({ length: 25 }, () => insert.bind(crypto.randomUUID(), orgId)));
  const [any] = await rows<{ id: string }>('select id from api_keys where org_id = ?', orgId);
  expect((await rotate(browser, any?.id ?? '', 'none')).page.status).toBe(200);
  const page = await browser.submit(KEYS, INTEGRATION);
  expect(page.status).toBe(400);
  expect(page.text).toContain('Höchstens 25 aktive Schlüssel. Widerrufen Sie zuerst einen.');
  expect(page.text).toContain('value="telemed &lt;b&gt;"');
});
