import { newApiKey } from '../../src/auth/keys/format';
import { toBase62 } from '../../src/platform/crypto/crypto';
import {
  accepted,
  captureLogs,
  EXHAUSTED,
  freshAddress,
  meteredDb,
  NOTHING,
  type Problem,
  problemOf,
  stored,
  withoutRequestId,
} from '../support/probe';
import { rowOf } from '../support/rows';
import { expect, test } from '../support/test';
import {
  call,
  envelope,
  json,
  ONE_DATABASE,
  openPharmacy,
  operate,
  type Pharmacy,
  rows,
  submit,
} from '../support/world';

type Ways = (key: string) => { query?: string; headers?: Record<string, string> };

async function present(pharmacy: Pharmacy, { query = '', headers = {} }: ReturnType<Ways>, changed: Partial<Env> = {}) {
  return call(pharmacy.url + query, json(envelope(), { 'CF-Connecting-IP': freshAddress(), ...headers }), changed);
}

test.each<[string, Ways]>([
  ['the header apikey', (key) => ({ headers: { apikey: key } })],
  ['the header X-API-Key', (key) => ({ headers: { 'X-API-Key': key } })],
  ['the query parameter apikey', (key) => ({ query: `?apikey=${key}` })],
  ['all three ways at once', (key) => ({ query: `?apikey=${key}`, headers: { apikey: key, 'x-api-key': key } })],
  ['the query twice', (key) => ({ query: `?apikey=${key}&apikey=${key}` })],
  ['a header with spaces around it', (key) => ({ headers: { apikey: `  ${key} ` } })],
  ['a header twice', (key) => ({ headers: { apikey: `${key}, ${key}` } })],
  ['one way, the others blank', (key) => ({ query: `?apikey=`, headers: { apikey: '', 'X-API-Key': key } })],
])('a good key is taken from %s', async (_, ways) => {
  const pharmacy = await openPharmacy();
  await accepted(await present(pharmacy, ways(pharmacy.integrationKey)));
});

test.each<[string, Ways]>([
  ['two headers', (key) => ({ headers: { apikey: key, 'X-API-Key': newApiKey().key } })],
  ['header and query', (key) => ({ query: `?apikey=${newApiKey().key}`, headers: { apikey: key } })],
  ['a header twice', (key) => ({ headers: { apikey: `${key}, ${newApiKey().key}` } })],
  ['two in the query', (key) => ({ query: `?apikey=${key}&apikey=guess` })],
])('different keys in %s are ambiguous, before any read', async (_, ways) => {
  const pharmacy = await openPharmacy();
  const { DB, trips } = meteredDb();
  await problemOf(await present(pharmacy, ways(pharmacy.integrationKey), { DB }), 400, 'ambiguous_credentials');
  expect(trips).toEqual([]);
  expect(await stored(pharmacy.orgId)).toEqual(NOTHING);
});

/** Keys that are refused, and how many reads each costs. */
const REFUSED: [string, number, (pharmacy: Pharmacy) => Promise<string> | string][] = [
  ['malformed', 0, () => 'guess'],
  ['of another system', 0, () => 'sk_live_0123456789abcdef'],
  ['too long', 0, ({ integrationKey }) => integrationKey.repeat(50)],
  [
    'with a wrong checksum',
    0,
    ({ integrationKey }) => `${integrationKey.slice(0, -1)}${integrationKey.endsWith('0') ? '1' : '0'}`,
  ],
  [
    'with a typo',
    0,
    ({ integrationKey }) => integrationKey.replace(/(.{30})(.)/, (_, head, at) => head + (at === 'x' ? 'y' : 'x')),
  ],
  ['in capitals', 0, ({ integrationKey }) => integrationKey.toUpperCase()],
  ['unknown', 1, () => newApiKey().key],
  ['with the id of a good key and another secret', 1, forgedKey],
  ['revoked', 1, (pharmacy) => spoil(pharmacy, 'revoked_at = 1')],
  ['expired', 1, (pharmacy) => spoil(pharmacy, 'expires_at = 1')],
  ['without the scope', 1, (pharmacy) => spoil(pharmacy, `scopes = '["products.read","orders.write"]'`)],
  ['without any scope', 1, (pharmacy) => spoil(pharmacy, `scopes = '[]'`)],
];

function idOf(key: string): string {
  return key.split('_')[1] ?? '';
}

/** A well-formed key with the id of a real one: an attacker who saw the id can make it. */
function keyWithId(id: string): string {
  const unchecked = `ofz_${id}_${'a'.repeat(43)}`;
  let crc = 0xffffffff;
  for (const char of unchecked) {
    crc ^= char.charCodeAt(0);
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return unchecked + toBase62((crc ^ 0xffffffff) >>> 0, 6);
}

async function spoil({ integrationKey }: Pharmacy, change: string): Promise<string> {
  await rows(`update api_keys set ${change} where id = ?`, idOf(integrationKey));
  return integrationKey;
}

/** A key whose form and checksum hold and whose id is a good key's: the row of a new key moved to that id. */
async function forgedKey({ integrationKey }: Pharmacy): Promise<string> {
  const forged = newApiKey();
  await rows('update api_keys set id = ? where id = ?', forged.id, idOf(integrationKey));
  return forged.key;
}

test.for(REFUSED)('a key %s is refused for %i reads, the body untouched', async ([_, reads, keyOf], { pharmacy }) => {
  // The first refusal of an isolate asks whether the directory is there.
  await present(pharmacy, { headers: { apikey: 'unknown' } }, ONE_DATABASE);
  const { DB, trips } = meteredDb();
  const response = await present(pharmacy, { headers: { apikey: await keyOf(pharmacy) } }, { ...ONE_DATABASE, DB });
  await problemOf(response, 401, 'invalid_api_key');
  expect(response.headers.get('WWW-Authenticate')).toBe('ApiKey');
  expect(trips).toHaveLength(reads);
  expect(await stored(pharmacy.orgId)).toEqual(NOTHING);
});

test('no refusal of a key tells why: all answers are the same but for the request id', async () => {
  const answers = new Set<string>();
  for (const [, , keyOf] of REFUSED) {
    const pharmacy = await openPharmacy();
    const response = await present(pharmacy, { headers: { apikey: await keyOf(pharmacy) } });
    answers.add(JSON.stringify(withoutRequestId(await response.json<Problem>())));
  }
  expect(REFUSED.length).toBeGreaterThan(10);
  expect(answers.size).toBe(1);
});

test('a request without a key is told where to put one', async ({ pharmacy }) => {
  for (const ways of [{}, { query: '?apikey=' }, { headers: { apikey: ' ' } }]) {
    const problem = await problemOf(await present(pharmacy, ways), 401, 'missing_api_key');
    expect(problem.detail).toMatch(/apikey or X-API-Key/);
  }
  expect(await stored(pharmacy.orgId)).toEqual(NOTHING);
});

test('a bad key is refused before the body is looked at', async ({ pharmacy }) => {
  const init = { method: 'POST', headers: { apikey: 'guess', 'CF-Connecting-IP': freshAddress() }, body: '{not json' };
  await problemOf(await call(pharmacy.url, init), 401, 'invalid_api_key');
});

test('a good key of another organization is told so, and nothing is stored for either', async () => {
  const [ours, theirs] = [await openPharmacy(), await openPharmacy()];
  const response = await present(ours, { headers: { apikey: theirs.integrationKey } });
  await problemOf(response, 400, 'shop_mismatch');
  expect([await stored(ours.orgId), await stored(theirs.orgId)]).toEqual([NOTHING, NOTHING]);
});

test('a key serves every shop of its organization', async ({ pharmacy }) => {
  const host = `sued-${pharmacy.host}`;
  await operate(`/organizations/${pharmacy.orgId}/shops`, { name: 'Süd', hosts: [host] });
  await accepted(await submit({ ...pharmacy, url: `http://${host}:8787/api/v1/external-order` }, envelope()));
});

test('a key with more scopes than the needed one is good', async ({ pharmacy }) => {
  const scopes = ['products.read', 'external_orders.submit'];
  const { api_key: integrationKey = '' } = await operate(`/organizations/${pharmacy.orgId}/api-keys`, {
    name: 'x',
    scopes,
  });
  await accepted(await submit({ ...pharmacy, integrationKey }, envelope()));
});

test('a key that expires in the future is good until then', async ({ pharmacy }) => {
  await spoil(pharmacy, `expires_at = ${Date.now() + 60_000}`);
  await accepted(await submit(pharmacy, envelope()));
});

async function lastUsedAt({ integrationKey }: Pharmacy): Promise<number | null> {
  return (await rowOf('api_keys', { id: idOf(integrationKey) })).last_used_at;
}

test('the last use of a key is written with the first submission, then once a minute at most', async ({ pharmacy }) => {
  expect(await lastUsedAt(pharmacy)).toBeNull();
  const before = Date.now();
  await accepted(await submit(pharmacy, envelope()));
  expect(await lastUsedAt(pharmacy)).toBeGreaterThanOrEqual(before);

  const recently = Date.now() - 50_000;
  await spoil(pharmacy, `last_used_at = ${recently}`);
  await accepted(await submit(pharmacy, envelope()));
  expect(await lastUsedAt(pharmacy)).toBe(recently);

  await spoil(pharmacy, `last_used_at = ${Date.now() - 61_000}`);
  await accepted(await submit(pharmacy, envelope()));
  expect(await lastUsedAt(pharmacy)).toBeGreaterThanOrEqual(before);
});

test('a refused submission does not count as a use of its key', async ({ pharmacy }) => {
  await problemOf(await submit(pharmacy, envelope({ items: [] })), 400, 'items_required');
  expect(await lastUsedAt(pharmacy)).toBeNull();
});

test('a key over its limit is told to wait, before the body is looked at', async ({ pharmacy }) => {
  const init = { method: 'POST', headers: { apikey: pharmacy.integrationKey }, body: '{not json' };
  const response = await call(pharmacy.url, init, { RATE_CONNECTOR: EXHAUSTED });
  await problemOf(response, 429, 'rate_limited');
  expect(response.headers.get('Retry-After')).toBe('60');
  await accepted(await submit(pharmacy, envelope()));
});

test('the limit counts by key', async ({ pharmacy }) => {
  const keys: string[] = [];
  const limiter = { limit: async ({ key }: { key: string }) => ({ success: keys.push(key) > 0 }) };
  await submit(pharmacy, envelope(), { RATE_CONNECTOR: limiter });
  expect(keys).toEqual([idOf(pharmacy.integrationKey)]);
});

test('an address that failed too often is told to wait, its key turned away before any read', async ({ pharmacy }) => {
  captureLogs();
  const headers = { 'CF-Connecting-IP': freshAddress(), apikey: newApiKey().key };
  const failed = await present(pharmacy, { headers }, { RATE_FAILED_AUTH: EXHAUSTED });
  await problemOf(failed, 429, 'rate_limited');
  expect(failed.headers.get('Retry-After')).toBe('60');

  const { DB, trips } = meteredDb();
  const cooling = await present(pharmacy, { headers }, { DB });
  await problemOf(cooling, 429, 'rate_limited');
  expect(Number(cooling.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(Number(cooling.headers.get('Retry-After'))).toBeLessThanOrEqual(10);
  await problemOf(
    await present(pharmacy, { headers: { 'CF-Connecting-IP': headers['CF-Connecting-IP'] } }, { DB }),
    429,
    'rate_limited',
  );
  expect(trips).toEqual([]);
});

test('a usable key is never turned away for what others do at its address', async ({ pharmacy }) => {
  captureLogs();
  const address = { 'CF-Connecting-IP': freshAddress() };
  const sameId = keyWithId(idOf(pharmacy.integrationKey));
  for (const apikey of [undefined, 'guess', newApiKey().key, sameId]) {
    const headers = { ...address, ...(apikey !== undefined && { apikey }) };
    await problemOf(await present(pharmacy, { headers }, { RATE_FAILED_AUTH: EXHAUSTED }), 429, 'rate_limited');
  }
  await accepted(await present(pharmacy, { headers: { ...address, apikey: pharmacy.integrationKey } }));
});

test('a stranger’s failures count by the /64 and, eight times as many, by the /48', async ({ pharmacy }) => {
  captureLogs();
  const counted: string[] = [];
  const limiter = { limit: async ({ key }: { key: string }) => ({ success: counted.push(key) > 0 }) };
  for (const address of ['2001:db8:7:1::1', '2001:db8:7:1:ffff::2', '::ffff:192.0.2.7']) {
    const headers = { apikey: 'guess', 'CF-Connecting-IP': address };
    await present(pharmacy, { headers }, { RATE_FAILED_AUTH: limiter, RATE_FAILED_AUTH_NETWORK: limiter });
  }
  const one = ['2001:db8:7:1::/64', '2001:db8:7::/48'];
  expect(counted).toEqual([...one, ...one, '192.0.2.7']);
});

test('failures count by address, and successes do not count', async ({ pharmacy }) => {
  const counted: string[] = [];
  const RATE_FAILED_AUTH = { limit: async ({ key }: { key: string }) => ({ success: counted.push(key) > 0 }) };
  const address = freshAddress();
  await present(
    pharmacy,
    { headers: { apikey: pharmacy.integrationKey, 'CF-Connecting-IP': address } },
    { RATE_FAILED_AUTH },
  );
  expect(counted).toEqual([]);
  await present(pharmacy, { headers: { apikey: 'guess', 'CF-Connecting-IP': address } }, { RATE_FAILED_AUTH });
  expect(counted).toEqual([address]);
});
