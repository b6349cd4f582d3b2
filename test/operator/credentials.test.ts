import { env } from 'cloudflare:workers';
import { idOfKey } from '../../src/auth/keys/format';
import { SCOPES } from '../../src/platform/access';
import { EVENT_TYPES } from '../../src/webhooks/event-types';
import { ask, openOrganization } from '../support/operator';
import { accepted, problemOf } from '../support/probe';
import { expect, test } from '../support/test';
import { envelope, openPharmacy, operate, rows, submit } from '../support/world';

const KEY = { name: 'telemed', scopes: ['external_orders.submit'] };
const SUBSCRIPTION = { url: 'https://hooks.example.com/offizin', event_types: ['order_created'] };

async function statusesOf(attempts: number, send: (index: number) => Promise<Response>): Promise<number[]> {
  const responses = await Promise.all(Array.from({ length: attempts }, (_, index) => send(index)));
  return responses.map(({ status }) => status).sort();
}

/** A key that submits orders reads no prescriptions. */
const KEY_SCOPES = SCOPES.filter((scope) => scope !== 'prescriptions.read');

test('an API key is shown once, in a form that checks itself', async ({ orgId }) => {
  const response = await ask(`/organizations/${orgId}/api-keys`, {
    name: ' telemed ',
    scopes: [...KEY_SCOPES, ...KEY_SCOPES],
  });
  const made = await response.json<{ key_id: string; api_key: string }>();
  expect([response.status, Object.keys(made)]).toEqual([201, ['key_id', 'api_key']]);
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  expect(idOfKey(made.api_key)).toBe(made.key_id);
  expect(
    await rows(
      'select org_id, name, scopes, sends_submitted_events, created_by, expires_at, revoked_at, last_used_at from api_keys where id = ?',
      made.key_id,
    ),
  ).toEqual([
    {
      org_id: orgId,
      name: 'telemed',
      scopes: JSON.stringify(KEY_SCOPES),
      sends_submitted_events: 1,
      created_by: 'operator',
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
    },
  ]);
});

test('an API key opens what its scopes say until it expires', async ({ pharmacy }) => {
  const keyWith = async (fields: object) => {
    const { api_key = '' } = await operate(`/organizations/${pharmacy.orgId}/api-keys`, { ...KEY, ...fields });
    return { ...pharmacy, integrationKey: api_key };
  };
  const later = new Date(Date.now() + 60_000).toISOString();
  await accepted(await submit(await keyWith({ expires_at: later }), envelope()));
  await accepted(await submit(await keyWith({ expires_at: later.replace('Z', '+00:00') }), envelope()));
  const narrow = await keyWith({ scopes: ['orders.read'] });
  await problemOf(await submit(narrow, envelope()), 401, 'invalid_api_key');
});

test('two keys of one name are two integrations', async ({ orgId }) => {
  await operate(`/organizations/${orgId}/api-keys`, KEY);
  await operate(`/organizations/${orgId}/api-keys`, KEY);
  const families = await rows<{ family_id: string }>('select distinct family_id from api_keys where org_id = ?', orgId);
  expect(families).toHaveLength(2);
});

test('the key itself is stored nowhere: neither the key nor its secret stands in any column', async () => {
  const { orgId, integrationKey } = await openPharmacy();
  const secret = integrationKey.split('_')[2] ?? '';
  const stored = JSON.stringify(await rows('select * from api_keys where org_id = ?', orgId));
  expect(stored).toContain('telemed');
  expect(secret).toHaveLength(49);
  expect(stored).not.toContain(secret.slice(0, 10));
  expect(stored).not.toContain(secret.slice(0, 43));
  expect(stored).not.toContain('ofz_');
  const plain = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(integrationKey)));
  expect(stored).not.toContain(plain.toHex());
});

test('a key is good under its own root only', async ({ pharmacy }) => {
  const ROOT_SECRETS = `r1:${btoa('another-root-another-root-anothe')}`;
  await problemOf(await submit(pharmacy, envelope(), { ROOT_SECRETS }), 401, 'invalid_api_key');
});

test('an organization has at most 25 active keys, counted also when made in parallel', async ({ orgId }) => {
  const made = await statusesOf(30, () => ask(`/organizations/${orgId}/api-keys`, KEY));
  expect(made).toEqual([...Array(25).fill(201), ...Array(5).fill(409)]);
  await problemOf(await ask(`/organizations/${orgId}/api-keys`, KEY), 409, 'api_key_limit_reached');
  expect(await rows('select id from api_keys where org_id = ?', orgId)).toHaveLength(25);
  expect(await rows(`select id from audit_log where org_id = ? and action = 'api_key.created'`, orgId)).toHaveLength(
    25,
  );
});

test.for(['revoked_at = 1', 'expires_at = 1'])('a key with %s is not in the limit', async (ended, { orgId }) => {
  await statusesOf(25, () => ask(`/organizations/${orgId}/api-keys`, KEY));
  await rows(`update api_keys set ${ended} where id = (select min(id) from api_keys where org_id = ?)`, orgId);
  expect(await statusesOf(2, () => ask(`/organizations/${orgId}/api-keys`, KEY))).toEqual([201, 409]);
});

test('the limit of keys counts for each organization alone', async ({ orgId: full }) => {
  await statusesOf(25, () => ask(`/organizations/${full}/api-keys`, KEY));
  expect((await ask(`/organizations/${await openOrganization()}/api-keys`, KEY)).status).toBe(201);
});

test.for([
  [{ scopes: ['events.read'] }, '/name', 'required'],
  [{ name: ' ', scopes: ['events.read'] }, '/name', 'too_small'],
  [{ name: 'x' }, '/scopes', 'required'],
  [{ name: 'x', scopes: [] }, '/scopes', 'too_small'],
  [{ name: 'x', scopes: ['events.read', 'everything'] }, '/scopes/1', 'unknown_value'],
  [{ name: 'x', scopes: 'events.read' }, '/scopes', 'invalid_type'],
  [{ ...KEY, expires_at: 'tomorrow' }, '/expires_at', 'invalid_format'],
  [{ ...KEY, expires_at: '2030-01-01' }, '/expires_at', 'invalid_format'],
  [{ ...KEY, expires_at: '2030-13-01T00:00:00Z' }, '/expires_at', 'invalid_format'],
  [{ ...KEY, expires_at: 1_900_000_000 }, '/expires_at', 'invalid_type'],
] as const)('an API key of %j is refused', async ([body, pointer, code], { orgId }) => {
  const { errors } = await problemOf(await ask(`/organizations/${orgId}/api-keys`, body), 400, 'validation_failed');
  expect(errors).toMatchObject([{ pointer, code }]);
  expect(await rows('select id from api_keys where org_id = ?', orgId)).toEqual([]);
});

test('a subscription shows its signing secret once', async ({ orgId }) => {
  const body = { url: SUBSCRIPTION.url, event_types: [...EVENT_TYPES, 'order_created'] };
  const response = await ask(`/organizations/${orgId}/subscriptions`, body);
  const made = await response.json<{ subscription_id: string; signing_secret: string }>();
  expect([response.status, Object.keys(made)]).toEqual([201, ['subscription_id', 'signing_secret']]);
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  expect(Uint8Array.fromBase64(made.signing_secret.replace(/^whsec_/, ''))).toHaveLength(32);
  expect(
    await rows(
      'select org_id, url, host, event_types, status, deleted_at from subscriptions where id = ?',
      made.subscription_id,
    ),
  ).toEqual([
    {
      org_id: orgId,
      url: SUBSCRIPTION.url,
      host: 'hooks.example.com',
      event_types: JSON.stringify(EVENT_TYPES),
      status: 'active',
      deleted_at: null,
    },
  ]);
});

test('a signing secret is stored encrypted: neither it nor its bytes stand in any column', async ({ orgId }) => {
  const { signing_secret: secret = '' } = await operate(`/organizations/${orgId}/subscriptions`, SUBSCRIPTION);
  const [row] = await rows<{ secret_ciphertext: string }>('select * from subscriptions where org_id = ?', orgId);
  const stored = JSON.stringify(row);
  const base64 = secret.slice('whsec_'.length);
  for (const form of ['whsec_', base64, base64.slice(0, 12), Uint8Array.fromBase64(base64).toHex(), btoa(secret)]) {
    expect(stored).not.toContain(form);
  }
  expect(row?.secret_ciphertext).toMatch(new RegExp(`^${env.ROOT_SECRETS.split(':')[0]}\\.`));
});

test('two subscriptions to one address have secrets of their own', async ({ orgId }) => {
  const make = () => operate(`/organizations/${orgId}/subscriptions`, SUBSCRIPTION);
  expect((await make()).signing_secret).not.toBe((await make()).signing_secret);
});

test('of 10 subscriptions made in parallel exactly 5 are', async ({ orgId }) => {
  const made = await statusesOf(10, () => ask(`/organizations/${orgId}/subscriptions`, SUBSCRIPTION));
  expect(made).toEqual([...Array(5).fill(201), ...Array(5).fill(409)]);
  const response = await ask(`/organizations/${orgId}/subscriptions`, SUBSCRIPTION);
  await problemOf(response, 409, 'subscription_limit_reached');
  expect(await rows('select id from subscriptions where org_id = ?', orgId)).toHaveLength(5);
  const audit = `select id from audit_log where org_id = ? and action = 'subscription.created'`;
  expect(await rows(audit, orgId)).toHaveLength(5);
});

test.for(['holding', 'paused', 'disabled'])('a %s subscription counts to the limit', async (status, { orgId }) => {
  await statusesOf(5, () => ask(`/organizations/${orgId}/subscriptions`, SUBSCRIPTION));
  await rows('update subscriptions set status = ? where org_id = ?', status, orgId);
  const response = await ask(`/organizations/${orgId}/subscriptions`, SUBSCRIPTION);
  await problemOf(response, 409, 'subscription_limit_reached');
});

test('a deleted subscription does not count towards the limit', async ({ orgId }) => {
  await statusesOf(5, () => ask(`/organizations/${orgId}/subscriptions`, SUBSCRIPTION));
  await rows(
    'update subscriptions set deleted_at = 1 where id = (select min(id) from subscriptions where org_id = ?)',
    orgId,
  );
  expect(await statusesOf(2, () => ask(`/organizations/${orgId}/subscriptions`, SUBSCRIPTION))).toEqual([201, 409]);
});

test.for([
  [{ event_types: ['order_created'] }, '/url', 'required'],
  [{ url: 5, event_types: ['order_created'] }, '/url', 'invalid_type'],
  [{ url: SUBSCRIPTION.url }, '/event_types', 'required'],
  [{ url: SUBSCRIPTION.url, event_types: [] }, '/event_types', 'too_small'],
  [{ url: SUBSCRIPTION.url, event_types: ['order_created', 'everything'] }, '/event_types/1', 'unknown_value'],
  [{ url: SUBSCRIPTION.url, event_types: 'order_created' }, '/event_types', 'invalid_type'],
] as const)('a subscription of %j is refused', async ([body, pointer, code], { orgId }) => {
  const { errors } = await problemOf(
    await ask(`/organizations/${orgId}/subscriptions`, body),
    400,
    'validation_failed',
  );
  expect(errors).toMatchObject([{ pointer, code }]);
});
