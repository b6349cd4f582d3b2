import { env } from 'cloudflare:workers';
import { decodeProtectedHeader, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { newApiKey } from '../../src/auth/keys/format';
import { newId } from '../../src/platform/ids';
import {
  API_SCOPES,
  type Asking,
  askToken,
  callApi,
  createKey,
  expectProblem,
  type OrganizationApi,
  openOrganizationApi,
  revokeKey,
  succeeded,
  tokenFor,
} from '../support/organization';
import { EXHAUSTED, freshAddress } from '../support/probe';
import { AFTER, DURING, NEW_ID, OLD_ID } from '../support/roots';
import { expect, test, vi } from '../support/test';
import { BASE, call, rows } from '../support/world';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

function form(fields: Record<string, string>): URLSearchParams {
  return new URLSearchParams(fields);
}

function byForm(apiKey: string, fields: Record<string, string> = {}): Asking {
  return { headers: FORM, body: form({ grant_type: 'client_credentials', client_secret: apiKey, ...fields }) };
}

/** The clock of everything from here on stands this much later. */
function later(ms: number): void {
  const at = Date.now() + ms;
  vi.spyOn(Date, 'now').mockReturnValue(at);
}

test.each<[string, (apiKey: string) => Asking]>([
  ['in apikey', (apiKey) => ({ headers: { apikey: apiKey } })],
  ['in X-API-Key', (apiKey) => ({ headers: { 'X-API-Key': apiKey } })],
  ['in both', (apiKey) => ({ headers: { apikey: apiKey, 'X-API-Key': apiKey } })],
  ['with spaces around it', (apiKey) => ({ headers: { apikey: ` ${apiKey} ` } })],
  ['with an empty JSON object', (apiKey) => ({ headers: { apikey: apiKey }, body: {} })],
  ['by form', (apiKey) => byForm(apiKey)],
  ['by form, with a client id', (apiKey) => byForm(apiKey, { client_id: 'erp' })],
  [
    'by form, with charset',
    (apiKey) => ({ ...byForm(apiKey), headers: { 'Content-Type': `${FORM['Content-Type']};charset=UTF-8` } }),
  ],
  [
    'by HTTP Basic',
    (apiKey) => ({
      headers: { ...FORM, Authorization: `Basic ${btoa(`erp:${apiKey}`)}` },
      body: form({ grant_type: 'client_credentials' }),
    }),
  ],
])('a key %s is exchanged for a token that works', async (_, askingWith) => {
  const api = await openOrganizationApi();
  const answer = await askToken(api.orgId, askingWith(api.apiKey));
  const body = succeeded(answer);
  expect(body).toEqual({
    access_token: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/),
    token_type: 'Bearer',
    expires_in: 3600,
    scope: API_SCOPES.join(' '),
  });
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(answer.headers.get('Pragma')).toBe('no-cache');
  succeeded(await callApi(api, 'GET', '/shops', { token: body.access_token }));
});

test('a key is exchanged without its organization in the path', async () => {
  const api = await openOrganizationApi();
  const path = `${BASE}/api/v2/public/auth/token`;
  const ask = (key: string) => {
    const headers = { ...FORM, 'CF-Connecting-IP': freshAddress() };
    return call(path, { method: 'POST', headers, body: byForm(key, { client_id: 'erp' }).body as URLSearchParams });
  };
  const { access_token } = await (await ask(api.apiKey)).json<{ access_token: string }>();
  succeeded(await callApi(api, 'GET', '/shops', { token: access_token }));
  expect((await ask(newApiKey().key)).status).toBe(401);
});

test('the use of a key is noted', async ({ api }) => {
  await tokenFor(api);
  const [row] = await rows<{ last_used_at: number }>('select last_used_at from api_keys where id = ?', api.keyId);
  expect(row?.last_used_at).toBeGreaterThan(0);
});

test.each<[string, (apiKey: string) => Asking]>([
  ['JSON', (apiKey) => ({ headers: { apikey: apiKey }, body: { scope: 'events.read products.read' } })],
  ['form', (apiKey) => byForm(apiKey, { scope: 'events.read products.read' })],
])('a token is narrowed by %s to the scopes that were asked for', async (_, askingWith) => {
  const api = await openOrganizationApi();
  const { access_token: token, scope } = succeeded(await askToken(api.orgId, askingWith(api.apiKey)));
  expect(scope).toBe('products.read events.read');
  succeeded(await callApi(api, 'GET', '/shops', { token }));
  const refused = await callApi(api, 'GET', '/inventory', { token });
  expectProblem(refused, 403, 'insufficient_scope');
  expect(refused.body.detail).toContain('inventory.read');
  expect(refused.headers.get('WWW-Authenticate')).toContain('scope="inventory.read"');
});

test('a scope that the key does not have is refused, as a problem', async ({ api: { orgId } }) => {
  const { apiKey } = await createKey(orgId, ['products.read']);
  for (const scope of [
    'products.write',
    'products.read products.write',
    'admin',
    'products.read\u00a0products.write',
  ]) {
    const answer = await askToken(orgId, { headers: { apikey: apiKey }, body: { scope } });
    expectProblem(answer, 400, 'invalid_scope');
    expect(answer.body.detail).toContain('products.read');
  }
});

test('a scope that the key does not have is refused by form in the members of RFC 6749', async ({ api: { orgId } }) => {
  const { apiKey } = await createKey(orgId, ['products.read']);
  const answer = await askToken(orgId, byForm(apiKey, { scope: 'products.write' }));
  expect(answer.status).toBe(400);
  expect(answer.headers.get('Content-Type')).toBe('application/json');
  expect(answer.body).toEqual({
    error: 'invalid_scope',
    error_description: expect.stringContaining('products.read'),
    code: 'invalid_scope',
    request_id: answer.headers.get('X-Request-Id'),
  });
});

test.each<[string, Asking, number, string, string]>([
  ['no grant type', { body: form({ client_secret: 'x' }) }, 400, 'unsupported_grant_type', 'unsupported_grant_type'],
  [
    'another grant type',
    { body: form({ grant_type: 'password' }) },
    400,
    'unsupported_grant_type',
    'unsupported_grant_type',
  ],
  ['no secret', { body: form({ grant_type: 'client_credentials' }) }, 401, 'invalid_client', 'invalid_client'],
  ['a secret that is no key', byForm('hunter2'), 401, 'invalid_client', 'invalid_client'],
  [
    'Basic that is no base64',
    { headers: { Authorization: 'Basic =' }, body: form({ grant_type: 'client_credentials' }) },
    401,
    'invalid_client',
    'invalid_client',
  ],
  [
    'Basic with a broken escape',
    { headers: { Authorization: `Basic ${btoa('a:%E0%A4')}` }, body: form({ grant_type: 'client_credentials' }) },
    401,
    'invalid_client',
    'invalid_client',
  ],
  ['too much', { body: `grant_type=${'x'.repeat(17_000)}` }, 413, 'invalid_request', 'body_too_large'],
])('a form with %s is refused in exactly four members', async (_, asking, status, error, code) => {
  const { orgId } = await openOrganizationApi();
  const headers = { ...FORM, 'CF-Connecting-IP': freshAddress(), ...asking.headers };
  const answer = await askToken(orgId, { ...asking, headers });
  expect({ status: answer.status, error: answer.body.error, code: answer.body.code }).toEqual({ status, error, code });
  expect(Object.keys(answer.body)).toEqual(['error', 'error_description', 'code', 'request_id']);
  expect(answer.headers.has('WWW-Authenticate')).toBe(status === 401);
});

test.each<[string, Asking, number, string]>([
  ['two different keys', { headers: { apikey: 'a', 'X-API-Key': 'b' } }, 400, 'ambiguous_credentials'],
  ['a header twice, with different keys', { headers: { apikey: 'a, b' } }, 400, 'ambiguous_credentials'],
  ['a body that is not JSON', { headers: { 'Content-Type': 'application/json' }, body: '{' }, 400, 'invalid_json'],
  ['an unknown member', { body: { scopes: 'products.read' } }, 400, 'validation_failed'],
  ['a scope that is no text', { body: { scope: ['products.read'] } }, 400, 'validation_failed'],
  ['a body of another type', { headers: { 'Content-Type': 'text/plain' }, body: '{}' }, 415, 'unsupported_media_type'],
  ['a body of 17,000 bytes', { body: { scope: 'x'.repeat(17_000) } }, 413, 'body_too_large'],
])('an exchange with %s is refused', async (_, asking, status, code) => {
  const { orgId, apiKey } = await openOrganizationApi();
  const answer = await askToken(orgId, { ...asking, headers: { apikey: apiKey, ...asking.headers } });
  expectProblem(answer, status, code);
});

test('every key that does not open this organization gets the same answer', async () => {
  const [api, other] = [await openOrganizationApi(), await openOrganizationApi()];
  const expired = await createKey(api.orgId, ['products.read']);
  await rows('update api_keys set expires_at = ? where id = ?', Date.now(), expired.keyId);
  const revoked = await createKey(api.orgId, ['products.read']);
  await revokeKey(api.orgId, revoked.keyId);
  const typo = api.apiKey.slice(0, -1) + (api.apiKey.endsWith('0') ? '1' : '0');
  // A key with an id that is there and another secret.
  const [spare, guess] = [await createKey(api.orgId, ['products.read']), newApiKey()];
  await rows('update api_keys set id = ? where id = ?', guess.id, spare.keyId);
  const keys = [undefined, '', 'x', other.apiKey, newApiKey().key, guess.key, expired.apiKey, revoked.apiKey, typo];
  const answers = await Promise.all(
    keys.map((key) =>
      askToken(api.orgId, { headers: { 'CF-Connecting-IP': freshAddress(), ...(key && { apikey: key }) } }),
    ),
  );
  for (const answer of answers) {
    expectProblem(answer, 401, 'invalid_client');
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
    expect({ ...answer.body, request_id: '' }).toEqual({ ...answers[0]?.body, request_id: '' });
  }
});

test('an organization that does not exist knows no key', async ({ api: { apiKey } }) => {
  expectProblem(await askToken(newId(), { headers: { apikey: apiKey } }), 401, 'invalid_client');
});

test('an integration key gets a token that can do nothing here', async ({ pharmacy }) => {
  const headers = { apikey: pharmacy.integrationKey };
  const { access_token: token, scope } = succeeded(await askToken(pharmacy.orgId, { headers }));
  expect(scope).toBe('external_orders.submit');
  const api = { orgId: pharmacy.orgId, token };
  expectProblem(await callApi(api, 'GET', '/shops'), 403, 'insufficient_scope');
  expectProblem(await callApi(api, 'GET', '/events'), 403, 'insufficient_scope');
});

test('a token lives an hour and no longer', async () => {
  const issuedAt = Math.floor(Date.now() / 1000) * 1000;
  vi.spyOn(Date, 'now').mockReturnValue(issuedAt);
  const api = await openOrganizationApi();
  vi.spyOn(Date, 'now').mockReturnValue(issuedAt + 3_598_000);
  succeeded(await callApi(api, 'GET', '/shops'));
  vi.spyOn(Date, 'now').mockReturnValue(issuedAt + 3_602_000);
  expectProblem(await callApi(api, 'GET', '/shops', { headers: own() }), 401, 'invalid_token');
});

/** Failed authentication is counted by address: each of these calls comes from its own. */
function own(): Record<string, string> {
  return { 'CF-Connecting-IP': freshAddress() };
}

/** The key that HKDF derives from the root for access tokens, as bytes. */
const SECRET = await (async () => {
  const root = Uint8Array.fromBase64(env.ROOT_SECRETS.split(':')[1] ?? '');
  const source = await crypto.subtle.importKey('raw', root, 'HKDF', false, ['deriveBits']);
  const info = new TextEncoder().encode('offizin access token');
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info };
  return new Uint8Array(await crypto.subtle.deriveBits(how, source, 256));
})();

function claimsOf({ orgId, keyId }: OrganizationApi): Record<string, unknown> {
  return { org_id: orgId, scope: API_SCOPES.join(' '), sub: keyId, iss: BASE, aud: `${BASE}/api/v2/public` };
}

interface Forgery {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  secret?: Uint8Array;
}

/** A token as the service makes them, but for what is given. */
function forge(api: OrganizationApi, { claims, header, secret = SECRET }: Forgery = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const payload = { iat: now, exp: now + 3600, ...claimsOf(api), ...claims };
  const kept = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
  return new SignJWT(kept).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: 'r1', ...header }).sign(secret);
}

test('a token made as the service makes them works: the forgeries below fail by what is said', async ({ api }) => {
  succeeded(await callApi(api, 'GET', '/shops', { token: await forge(api) }));
});

const OTHER_SECRET = new Uint8Array(32).fill(7);

const FORGERIES: [string, (api: OrganizationApi) => Promise<string> | string][] = [
  ['a text', () => 'x'],
  ['three dots', () => '...'],
  ['an API key', ({ apiKey }) => apiKey],
  ['a payload that was changed', ({ token }) => tampered(token, 1, (json) => json.replace('"scope":"', '"scope":"x '))],
  ['a header that was changed', ({ token }) => tampered(token, 0, (json) => json.replace('"alg"', '"x":1,"alg"'))],
  ['a signature that was changed', ({ token }) => token.replace(/.(?=.{4}$)/, (last) => (last === 'A' ? 'B' : 'A'))],
  ['no signature', ({ token }) => token.replace(/[^.]+$/, '')],
  ['alg none', (api) => new UnsecuredJWT(claimsOf(api)).setExpirationTime('1h').encode()],
  [
    'alg none over a payload of ours',
    ({ token }) => `${btoa('{"alg":"none","typ":"at+jwt","kid":"r1"}').replaceAll('=', '')}.${token.split('.')[1]}.`,
  ],
  ['another secret', (api) => forge(api, { secret: OTHER_SECRET })],
  ['an unknown kid', (api) => forge(api, { header: { kid: 'r9' } })],
  ['no kid', (api) => forge(api, { header: { kid: undefined } })],
  ['a kid of the prototype', (api) => forge(api, { header: { kid: '__proto__' }, secret: OTHER_SECRET })],
  ['another type', (api) => forge(api, { header: { typ: 'JWT' } })],
  ['another issuer', (api) => forge(api, { claims: { iss: 'https://evil.example' } })],
  ['another audience', (api) => forge(api, { claims: { aud: 'https://evil.example' } })],
  ['no expiry', (api) => forge(api, { claims: { exp: undefined } })],
  ['an expiry in the past', (api) => forge(api, { claims: { exp: 1 } })],
  ['no organization', (api) => forge(api, { claims: { org_id: undefined } })],
  ['no subject', (api) => forge(api, { claims: { sub: undefined } })],
  ['a key that does not exist', (api) => forge(api, { claims: { sub: 'aaaaaaaaaaaa' } })],
  ['HS384 by our own secret', (api) => forge(api, { header: { alg: 'HS384' } })],
  ['HS512 by our own secret', (api) => forge(api, { header: { alg: 'HS512' } })],
  ['RS256 by a key of its own', byRsa],
  ['HS256 keyed with a public key', byPublicKey],
  ['an embedded key', (api) => forge(api, { header: { jwk: { kty: 'oct', k: btoa('x') } }, secret: OTHER_SECRET })],
];

function tampered(token: string, part: number, change: (json: string) => string): string {
  const parts = token.split('.');
  const json = atob((parts[part] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
  parts[part] = btoa(change(json)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return parts.join('.');
}

async function byRsa(api: OrganizationApi): Promise<string> {
  const { privateKey } = await generateKeyPair('RS256');
  const header = { alg: 'RS256', typ: 'at+jwt', kid: 'r1' };
  return new SignJWT(claimsOf(api)).setProtectedHeader(header).setExpirationTime('1h').sign(privateKey);
}

async function byPublicKey(api: OrganizationApi): Promise<string> {
  const { publicKey } = await generateKeyPair('RS256', { extractable: true });
  return forge(api, { secret: new TextEncoder().encode(await exportSPKI(publicKey)) });
}

test.for(FORGERIES)('a token with %s is refused', async ([_, tokenOf], { api }) => {
  const answer = await callApi(api, 'GET', '/shops', { token: await tokenOf(api), headers: own() });
  expectProblem(answer, 401, 'invalid_token');
  expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"');
});

test('a token says nothing of a scope that its key lost or never had', async ({ api }) => {
  const { keyId } = await createKey(api.orgId, ['events.read']);
  const token = await forge({ ...api, keyId });
  expectProblem(await callApi(api, 'GET', '/shops', { token }), 403, 'insufficient_scope');
  succeeded(await callApi(api, 'GET', '/events', { token }));
});

test('a token whose organization is not its key’s is refused', async () => {
  const [api, other] = [await openOrganizationApi(), await openOrganizationApi()];
  const token = await forge(api, { claims: { org_id: other.orgId } });
  for (const orgId of [api.orgId, other.orgId]) {
    expectProblem(await callApi({ orgId, token }, 'GET', '/shops', { headers: own() }), 401, 'invalid_token');
  }
});

test('a token of another organization is 403, whether the one in the path exists or not', async () => {
  const [api, other] = [await openOrganizationApi(), await openOrganizationApi()];
  const existing = await callApi({ orgId: other.orgId, token: api.token }, 'GET', '/shops');
  const unknown = await callApi({ orgId: newId(), token: api.token }, 'GET', '/shops');
  expectProblem(existing, 403, 'org_mismatch');
  expectProblem(unknown, 403, 'org_mismatch');
  const same = { request_id: '', instance: '' };
  expect({ ...unknown.body, ...same }).toEqual({ ...existing.body, ...same });
});

test('after a rotation the new root signs and the old one still verifies', async ({ api }) => {
  succeeded(await callApi(api, 'GET', '/shops', { env: DURING }));
  const fresh = succeeded(await askToken(api.orgId, { headers: { apikey: api.apiKey }, env: DURING }));
  expect(decodeProtectedHeader(fresh.access_token)).toEqual({ alg: 'HS256', typ: 'at+jwt', kid: NEW_ID });
  expect(decodeProtectedHeader(api.token).kid).toBe(OLD_ID);
  succeeded(await callApi(api, 'GET', '/shops', { env: DURING, token: fresh.access_token }));
  expectProblem(await callApi(api, 'GET', '/shops', { env: AFTER, headers: own() }), 401, 'invalid_token');
});

test('a revoked key is refused at once, and its tokens within 30 seconds', async ({ api }) => {
  succeeded(await callApi(api, 'GET', '/shops'));
  await revokeKey(api.orgId, api.keyId);
  expectProblem(await askToken(api.orgId, { headers: { apikey: api.apiKey, ...own() } }), 401, 'invalid_client');
  later(30_000);
  expectProblem(await callApi(api, 'GET', '/shops', { headers: own() }), 401, 'invalid_token');
});

test('revoking one key leaves the others alone', async ({ api }) => {
  const { keyId } = await createKey(api.orgId, ['products.read']);
  await revokeKey(api.orgId, keyId);
  later(31_000);
  succeeded(await callApi(api, 'GET', '/shops'));
});

test('a key that expires takes its tokens with it, to the millisecond', async ({ api: { orgId } }) => {
  const expiresAt = Date.now() + 60_000;
  const key = await createKey(orgId, ['products.read'], { expires_at: new Date(expiresAt).toISOString() });
  const api = { orgId, token: await tokenFor({ orgId, apiKey: key.apiKey }) };
  vi.spyOn(Date, 'now').mockReturnValue(expiresAt - 1);
  succeeded(await callApi(api, 'GET', '/shops'));
  vi.spyOn(Date, 'now').mockReturnValue(expiresAt);
  expectProblem(await callApi(api, 'GET', '/shops', { headers: own() }), 401, 'invalid_token');
});

/** A limiter that keeps what it is asked about and refuses all of it. */
function refusing(): { limiter: RateLimit; keys: string[] } {
  const keys: string[] = [];
  const limit = async ({ key }: { key: string }) => {
    keys.push(key);
    return { success: false };
  };
  return { limiter: { limit } as unknown as RateLimit, keys };
}

test('calls are limited by key: 429 with Retry-After', async ({ api }) => {
  const { limiter, keys } = refusing();
  const answer = await callApi(api, 'GET', '/shops', { env: { RATE_API: limiter } });
  expectProblem(answer, 429, 'rate_limited');
  expect(answer.headers.get('Retry-After')).toBe('60');
  expect(keys).toEqual([api.keyId]);
});

test('exchanges are limited by key, without its secret', async ({ api: { orgId, keyId, apiKey } }) => {
  const { limiter, keys } = refusing();
  const answer = await askToken(orgId, { headers: { apikey: apiKey }, env: { RATE_TOKEN: limiter } });
  expectProblem(answer, 429, 'rate_limited');
  expect(answer.headers.get('Retry-After')).toBe('60');
  expect(keys).toEqual([keyId]);
  const slow = await askToken(orgId, { ...byForm(apiKey), env: { RATE_TOKEN: limiter } });
  expect({ status: slow.status, code: slow.body.code }).toEqual({ status: 429, code: 'rate_limited' });
  expect(slow.headers.get('Retry-After')).toBe('60');
});

test.each<[string, (api: OrganizationApi, asking: Asking) => ReturnType<typeof callApi>, Asking]>([
  ['a bad token', (api, asking) => callApi(api, 'GET', '/shops', asking), { token: 'x' }],
  ['no token', (api, asking) => callApi(api, 'GET', '/shops', asking), { token: null }],
  ['a bad key', (api, asking) => askToken(api.orgId, asking), {}],
])('an address that failed too often with %s is told to wait, and what is good passes', async (_, fail, asking) => {
  const api = await openOrganizationApi();
  const [address, headers] = [freshAddress(), {} as Record<string, string>];
  headers['CF-Connecting-IP'] = address;
  expectProblem(await fail(api, { ...asking, headers, env: { RATE_FAILED_AUTH: EXHAUSTED } }), 429, 'rate_limited');
  succeeded(await callApi(api, 'GET', '/shops', { headers }));
  succeeded(await askToken(api.orgId, { headers: { ...headers, apikey: api.apiKey } }));
});

test('garbage that carries a key’s id uses up nothing of the key’s', async ({ api: { orgId, keyId, apiKey } }) => {
  const counted: string[] = [];
  const limiter = { limit: async ({ key }: { key: string }) => ({ success: counted.push(key) > 0 }) } as RateLimit;
  const env = { RATE_TOKEN: limiter };
  for (const apikey of [`ofz_${keyId}`, `ofz_${keyId}_guess`, `${apiKey}x`]) {
    expectProblem(await askToken(orgId, { headers: { apikey, ...own() }, env }), 401, 'invalid_client');
  }
  expect(counted).toEqual([]);
});

test('a good call is no failed authentication', async ({ api }) => {
  const { limiter, keys } = refusing();
  succeeded(await callApi(api, 'GET', '/shops', { env: { RATE_FAILED_AUTH: limiter } }));
  expectProblem(
    await callApi({ ...api, orgId: newId() }, 'GET', '/shops', { env: { RATE_FAILED_AUTH: limiter } }),
    403,
    'org_mismatch',
  );
  expect(keys).toEqual([]);
});
