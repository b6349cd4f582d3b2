import { Browser, enter, invite, PASSWORD } from '../management/browser';
import { expect, test } from '../support/test';
import { freshHost } from './operator';
import { API_SCOPES, createKey, footprint, openOrganizationApi, tokenFor } from './organization';
import { IBAN, openSeller } from './seller';
import { openPharmacy, operate, rows } from './world';

/** The tests' initial data are written without the API; here they are compared with what the API writes. */

/** Rows without what no two of them share: ids, hashes, names of hosts, keys of the directory, times. */
function inKind(found: Record<string, unknown>[]): Record<string, unknown>[] {
  const isOwn = (column: string) => /(^|_)(id|hash|email|host|key|at)$/.test(column);
  return found.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [column, isOwn(column) && value !== null ? typeof value : value]),
    ),
  );
}

async function storedOf(orgId: string): Promise<Record<string, unknown>> {
  const tables = {
    ...(await footprint(orgId)),
    organizations: await rows('select * from organizations where id = ?', orgId),
    api_keys: await rows('select * from api_keys where org_id = ? order by scopes', orgId),
    audit_log: await rows('select * from audit_log where org_id = ? order by id', orgId),
    staff_accounts: await ofMembers('staff_accounts', orgId),
    staff_sessions: await ofMembers('staff_sessions', orgId),
  };
  return Object.fromEntries(
    Object.entries(tables).map(([table, found]) => [table, inKind(found as Record<string, unknown>[])]),
  );
}

function ofMembers(table: string, orgId: string) {
  return rows(`select * from ${table} where member_id in (select id from members where org_id = ?)`, orgId);
}

async function openByApi(fields: Record<string, unknown>, shops: string[][]) {
  const { org_id: orgId = '' } = await operate('/organizations', { name: 'Löwen-Apotheke', shard: 0, ...fields });
  for (const [name, ...hosts] of shops) await operate(`/organizations/${orgId}/shops`, { name, hosts });
  return orgId;
}

test('a pharmacy', async () => {
  const orgId = await openByApi({}, [['Mitte', freshHost('localhost')]]);
  await operate(`/organizations/${orgId}/api-keys`, { name: 'telemed', scopes: ['external_orders.submit'] });
  expect(await storedOf((await openPharmacy()).orgId)).toEqual(await storedOf(orgId));
});

test('an organization with two shops and a key', async () => {
  const shops = [
    ['Mitte', freshHost('localhost')],
    ['Nord', freshHost('localhost')],
  ];
  const orgId = await openByApi({ low_stock_threshold: 7 }, shops);
  await createKey(orgId, API_SCOPES);
  expect(await storedOf((await openOrganizationApi({ low_stock_threshold: 7 })).orgId)).toEqual(await storedOf(orgId));
});

test('a seller', async () => {
  const shops = [
    ['Mitte', freshHost('localhost'), freshHost('localhost')],
    ['Nord', freshHost('localhost')],
  ];
  const orgId = await openByApi({ iban: IBAN, payment_recipient: 'Löwe' }, shops);
  await createKey(orgId, API_SCOPES);
  await createKey(orgId, ['external_orders.submit']);
  expect(await storedOf((await openSeller({ payment_recipient: 'Löwe' })).orgId)).toEqual(await storedOf(orgId));
});

test('a token: the same claims as the exchanged one has', async ({ api }) => {
  const claimsOf = (token: string) => {
    const { iat, exp, jti, ...claims } = JSON.parse(atob(token.split('.')[1] ?? ''));
    return { ...claims, seconds: exp - iat, jti: typeof jti };
  };
  expect(claimsOf(api.token)).toEqual(claimsOf(await tokenFor(api)));
});

test('a member who has just accepted an invitation', async () => {
  const [real, seeded] = [await openPharmacy(), await openPharmacy()];
  const { path } = await invite(real.orgId, 'pharmacist');
  const browser = new Browser();
  await browser.submit(path, { name: 'Kim Öztürk', password: PASSWORD });
  const person = await enter(seeded.orgId, 'pharmacist');
  expect(await storedOf(seeded.orgId)).toEqual(await storedOf(real.orgId));
  expect([...browser.cookies.keys()]).toEqual(expect.arrayContaining([...person.browser.cookies.keys()]));
  for (const each of [browser, person.browser]) expect((await each.get('/manage/account')).status).toBe(200);
});
