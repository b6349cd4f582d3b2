import { recordAudit } from '../../src/audit/record';
import { newId } from '../../src/platform/ids';
import { ask, openOrganization } from '../support/operator';
import { EXHAUSTED, freshAddress, meteredDb, problemOf } from '../support/probe';
import { insertRow } from '../support/rows';
import { expect, test } from '../support/test';
import { BASE, call, json, OPERATOR_TOKEN, openPharmacy, operate, rows, systemContext } from '../support/world';

const ORG = newId();
/** Every call of the operator API, with a body that it takes. */
const CALLS: [string, string, unknown][] = [
  ['POST', '/organizations', { name: 'Löwen-Apotheke' }],
  ['PATCH', `/organizations/${ORG}`, { name: 'Löwen-Apotheke' }],
  ['POST', `/organizations/${ORG}/shops`, { name: 'Mitte', hosts: [] }],
  ['POST', `/organizations/${ORG}/shops/${ORG}/hosts`, { host: 'rx.example.com' }],
  ['POST', `/organizations/${ORG}/api-keys`, { name: 'x', scopes: ['events.read'] }],
  ['POST', `/organizations/${ORG}/subscriptions`, { url: 'https://a.example.com/', event_types: ['order_created'] }],
];

test.each(CALLS)('%s %s without a token is answered 401, before any read and before the body', async (method, path) => {
  const { DB, trips } = meteredDb();
  const headers = { 'CF-Connecting-IP': freshAddress(), 'Content-Type': 'application/json' };
  const response = await call(`${BASE}/api/operator/v1${path}`, { method, headers, body: '{not json' }, { DB });
  await problemOf(response, 401, 'invalid_token');
  expect(response.headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"');
  expect(trips).toEqual([]);
});

test.each(CALLS)('%s %s with an integration key for a token is answered 401', async (method, path, body) => {
  const { integrationKey } = await openPharmacy();
  const headers = { Authorization: `Bearer ${integrationKey}`, 'CF-Connecting-IP': freshAddress() };
  await problemOf(await ask(path, body, { method, headers }), 401, 'invalid_token');
});

test.each([
  ['another token', `Bearer ${OPERATOR_TOKEN.replace('t', 'T')}`],
  ['a token that begins like it', `Bearer ${OPERATOR_TOKEN}x`],
  ['the beginning of the token', `Bearer ${OPERATOR_TOKEN.slice(0, -1)}`],
  ['an empty token', 'Bearer '],
  ['two tokens', `Bearer ${OPERATOR_TOKEN} ${OPERATOR_TOKEN}`],
  ['another scheme', `Basic ${btoa(`operator:${OPERATOR_TOKEN}`)}`],
  ['no scheme', OPERATOR_TOKEN],
  ['nothing', ''],
])('%s opens nothing', async (_, Authorization) => {
  const headers = { Authorization, 'CF-Connecting-IP': freshAddress() };
  const response = await ask('/organizations', { name: 'x' }, { headers });
  const text = await response.clone().text();
  await problemOf(response, 401, 'invalid_token');
  expect(text).not.toContain(OPERATOR_TOKEN.slice(0, 10));
});

test('the scheme is read in any case', async () => {
  const headers = { Authorization: `bearer ${OPERATOR_TOKEN}` };
  expect((await ask('/organizations', { name: 'x' }, { headers })).status).toBe(201);
});

test('the token is taken from its header alone', async () => {
  const init = json({ name: 'x' }, { apikey: OPERATOR_TOKEN, 'CF-Connecting-IP': freshAddress() });
  const url = `${BASE}/api/operator/v1/organizations?token=${OPERATOR_TOKEN}&access_token=${OPERATOR_TOKEN}`;
  await problemOf(await call(url, init), 401, 'invalid_token');
});

test('an address that failed too often is told to wait, unless it sends the right token', async () => {
  const address = { 'CF-Connecting-IP': freshAddress() };
  const wrong = { ...address, Authorization: 'Bearer wrong' };
  const failed = await ask('/organizations', { name: 'x' }, { headers: wrong, env: { RATE_FAILED_AUTH: EXHAUSTED } });
  await problemOf(failed, 429, 'rate_limited');
  expect(failed.headers.get('Retry-After')).toBe('60');
  expect((await ask('/organizations', { name: 'x' }, { headers: address })).status).toBe(201);
});

test('an unknown path and a wrong method are told to the operator as everywhere', async () => {
  await problemOf(await ask('/nowhere', {}), 404, 'not_found');
  const response = await ask('/organizations', {}, { method: 'PUT' });
  await problemOf(response, 405, 'method_not_allowed');
  expect(response.headers.get('Allow')).toBe('GET, POST');
});

test.each(CALLS.slice(1))('%s %s of an unknown organization is 404 and leaves nothing', async (method, path, body) => {
  await problemOf(await ask(path, body, { method }), 404, 'organization_not_found');
  for (const table of ['shops', 'api_keys', 'subscriptions', 'audit_log']) {
    expect(await rows(`select * from ${table} where org_id = ?`, ORG)).toEqual([]);
  }
});

test.for(CALLS)('%s %s refuses a key that it does not know', async ([method, path, body], { orgId }) => {
  const response = await ask(path.replaceAll(ORG, orgId), { ...(body as object), role_of: 's3nt1nel' }, { method });
  const text = await response.clone().text();
  const { errors } = await problemOf(response, 400, 'validation_failed');
  expect(errors).toMatchObject([{ pointer: '/role_of', code: 'unknown_key' }]);
  expect(text).not.toContain('s3nt1nel');
});

test.for(CALLS)('%s %s refuses a body that is no object', async ([method, path], { orgId }) => {
  for (const body of [[], 'text', null, 5]) {
    const answer = await ask(path.replaceAll(ORG, orgId), body, { method });
    const { errors } = await problemOf(answer, 400, 'validation_failed');
    expect(errors).toMatchObject([{ pointer: '', code: 'invalid_type' }]);
  }
});

test.each<[string, BodyInit | undefined, string, number, string]>([
  ['no JSON', '{', 'application/json', 400, 'invalid_json'],
  ['nothing', undefined, 'application/json', 400, 'invalid_json'],
  ['another type', '{}', 'text/plain', 415, 'unsupported_media_type'],
  ['over 256 KiB', `{"name":"${'x'.repeat(300_000)}"}`, 'application/json', 413, 'body_too_large'],
  ['__proto__', '{"name":"x","__proto__":{"iban":"x"}}', 'application/json', 400, 'validation_failed'],
  ['a NUL', '{"name":"x\\u0000"}', 'application/json', 400, 'validation_failed'],
])('a body of %s is refused', async (_, body, type, status, code) => {
  const headers = { Authorization: `Bearer ${OPERATOR_TOKEN}`, 'Content-Type': type };
  await problemOf(await call(`${BASE}/api/operator/v1/organizations`, { method: 'POST', headers, body }), status, code);
});

test('D1 that cannot be reached is answered 502', async () => {
  const DB = { prepare: () => ({}), batch: () => Promise.reject(new Error('D1_ERROR: overloaded')) };
  const response = await ask('/organizations', { name: 'x' }, { env: { DB: DB as unknown as D1Database } });
  await problemOf(response, 502, 'backend_unreachable');
});

test('what the operator does is noted, with ids and names of fields and no value', async () => {
  const { org_id: orgId } = await operate('/organizations', { name: 'Geheim-Apotheke', shard: 0 });
  await operate(`/organizations/${orgId}`, { name: 'Neu-Apotheke', low_stock_threshold: 3 }, 'PATCH');
  const { shop_id: shopId } = await operate(`/organizations/${orgId}/shops`, { name: 'Geheim', hosts: [] });
  await operate(`/organizations/${orgId}/shops/${shopId}/hosts`, { host: `geheim-${newId()}.example.com` });
  const { key_id: keyId } = await operate(`/organizations/${orgId}/api-keys`, {
    name: 'Geheim',
    scopes: ['events.read'],
  });
  const { subscription_id: subscriptionId } = await operate(`/organizations/${orgId}/subscriptions`, {
    url: 'https://geheim.example.com/',
    event_types: ['order_created'],
  });

  const audit = await rows('select * from audit_log where org_id = ? order by id', orgId);

  expect(audit.map(({ action, entity_id, fields }) => [action, entity_id, fields])).toEqual([
    ['organization.created', orgId, null],
    ['organization.updated', orgId, '["name","low_stock_threshold"]'],
    ['shop.created', shopId, null],
    ['shop_host.activated', shopId, null],
    ['api_key.created', keyId, null],
    ['subscription.created', subscriptionId, null],
  ]);
  for (const row of audit)
    expect(row).toMatchObject({ actor_kind: 'operator', actor_id: 'test', at: expect.any(Number) });
  expect(JSON.stringify(audit)).not.toMatch(/geheim|Neu-Apotheke/i);
});

test('what is refused is not noted', async ({ orgId }) => {
  await ask(`/organizations/${orgId}`, {}, { method: 'PATCH' });
  await ask(`/organizations/${orgId}/shops`, { name: 'x', hosts: ['127.0.0.1'] });
  await ask(`/organizations/${orgId}/api-keys`, { name: 'x', scopes: ['everything'] });
  await ask(`/organizations/${orgId}/subscriptions`, { url: 'http://a.example.com', event_types: ['order_created'] });
  const audit = await rows('select action from audit_log where org_id = ?', orgId);
  expect(audit).toEqual([{ action: 'organization.created' }]);
});

const YEARS_10_MS = 315_576_000_000;

test.for([
  ['updated', 'update audit_log set action = ? where org_id = ?'],
  ['emptied', 'update audit_log set fields = null, action = ? where org_id = ?'],
  ['deleted', 'delete from audit_log where ? <> org_id and org_id = ?'],
  [
    'replaced',
    `insert or replace into audit_log (id, org_id, at, actor_kind, action, entity_id, request_id)
     select id, org_id, at, actor_kind, ?, entity_id, request_id from audit_log where org_id = ?`,
  ],
  [
    'replaced by upsert',
    `insert into audit_log (id, org_id, at, actor_kind, action, entity_id, request_id)
     select id, org_id, at, actor_kind, ?, entity_id, request_id from audit_log where org_id = ?
     on conflict (org_id, id) do update set action = 'changed'`,
  ],
  ['replaced by update', 'update or replace audit_log set action = ? where org_id = ?'],
] as const)('an audit row cannot be %s', async ([_, statement], { orgId }) => {
  const before = await rows('select * from audit_log where org_id = ?', orgId);
  expect(before).toHaveLength(1);
  await expect(rows(statement, 'tampered', orgId)).rejects.toThrow(/audit_log is append-only/);
  expect(await rows('select * from audit_log where org_id = ?', orgId)).toEqual(before);
});

test('an audit row may go after ten years, and not before', async () => {
  const insert = (orgId: string, at: number) => insertRow('audit_log', { id: 'a', org_id: orgId, at, action: 'x.y' });
  const [old, young] = [newId(), newId()];
  await insert(old, Date.now() - YEARS_10_MS - 60_000);
  await insert(young, Date.now() - YEARS_10_MS + 60_000);
  await rows('delete from audit_log where org_id = ?', old);
  await expect(rows('delete from audit_log where org_id = ?', young)).rejects.toThrow(/append-only/);
  expect(await rows('select id from audit_log where org_id = ?', old)).toEqual([]);
  expect(await rows('select id from audit_log where org_id = ?', young)).toHaveLength(1);
});

test('an audit row may go where its organization has moved away, and only there', async () => {
  const [moved, stayed] = [await openOrganization(), await openOrganization()];
  await rows("update organizations set state = 'gone' where id = ?", moved);
  await rows('delete from audit_log where org_id = ?', moved);
  await expect(rows('delete from audit_log where org_id = ?', stayed)).rejects.toThrow(/append-only/);
  expect(await rows('select org_id from audit_log where org_id in (?, ?)', moved, stayed)).toEqual([
    { org_id: stayed },
  ]);
});

test('a batch that D1 runs twice leaves one audit row', async () => {
  const { ctx } = systemContext();
  const orgId = newId();
  const audit = recordAudit(ctx, { orgId, action: 'organization.created', entityId: orgId });
  for (let times = 0; times < 2; times += 1) await ctx.db.run({ audit });
  expect(await rows('select action from audit_log where org_id = ?', orgId)).toHaveLength(1);
});
