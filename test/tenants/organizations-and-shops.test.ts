import { newId } from '../../src/platform/ids';
import { ask, askInProduction, freshHost, openOrganization } from '../support/operator';
import { type Problem, problemOf } from '../support/probe';
import { insertRow, rowOf } from '../support/rows';
import { expect, test } from '../support/test';
import { openPharmacy, operate, rows } from '../support/world';

const IBAN = 'DE89370400440532013000';

const organization = (id: string) => rowOf('organizations', { id });

test('an organization is made with its defaults, or with all its fields', async () => {
  const response = await ask('/organizations', { name: ' Löwen-Apotheke ', shard: 0 });
  const made = await response.json<{ org_id: string; shard: number }>();
  expect([response.status, Object.keys(made)]).toEqual([201, ['org_id', 'shard', 'is_test']]);
  expect(await organization(made.org_id)).toMatchObject({
    ...{ name: 'Löwen-Apotheke', iban: null, payment_recipient: null, low_stock_threshold: 5 },
  });
  const fields = { name: 'Löwen-Apotheke', payment_recipient: 'Löwen-Apotheke OHG', low_stock_threshold: 0 };
  const { org_id: orgId = '' } = await operate('/organizations', {
    ...fields,
    iban: 'de89 3704 0044 0532 0130 00',
    shard: 0,
  });
  expect(await organization(orgId)).toMatchObject({ ...fields, iban: IBAN });
});

test('a patch changes what it names and nothing else, of no other organization, and null clears', async () => {
  const fields = { name: 'A', iban: IBAN, payment_recipient: 'B', shard: 0 };
  const [{ org_id: orgId = '' }, other] = [await operate('/organizations', fields), await openOrganization()];
  const patch = (body: unknown) => ask(`/organizations/${orgId}`, body, { method: 'PATCH' });
  const response = await patch({ low_stock_threshold: 9 });
  expect([response.status, await response.json()]).toEqual([200, { org_id: orgId, is_test: false }]);
  const patched = { name: 'A', iban: IBAN, payment_recipient: 'B', low_stock_threshold: 9 };
  expect(await organization(orgId)).toMatchObject(patched);
  await patch({ iban: null, name: 'C' });
  expect(await organization(orgId)).toMatchObject({ ...patched, iban: null, name: 'C' });
  expect(await organization(other)).toMatchObject({ name: 'Löwen-Apotheke', low_stock_threshold: 5 });
  const { errors } = await problemOf(await patch({}), 400, 'validation_failed');
  expect(errors).toMatchObject([{ code: 'no_fields' }]);
});

test.each([
  [{}, '/name', 'required'],
  [{ name: '' }, '/name', 'too_small'],
  [{ name: '   ' }, '/name', 'too_small'],
  [{ name: 'x'.repeat(201) }, '/name', 'too_big'],
  [{ name: 5 }, '/name', 'invalid_type'],
  [{ name: 'x', iban: 'DE00370400440532013000' }, '/iban', 'invalid_iban'],
  [{ name: 'x', iban: 'DE8937040044053201300' }, '/iban', 'invalid_iban'],
  [{ name: 'x', iban: '' }, '/iban', 'invalid_iban'],
  [{ name: 'x', payment_recipient: 'x'.repeat(71) }, '/payment_recipient', 'too_big'],
  [{ name: 'x', low_stock_threshold: -1 }, '/low_stock_threshold', 'too_small'],
  [{ name: 'x', low_stock_threshold: 1.5 }, '/low_stock_threshold', 'invalid_type'],
  [{ name: 'x', low_stock_threshold: 1_000_001 }, '/low_stock_threshold', 'too_big'],
])('an organization of %j is refused', async (body, pointer, code) => {
  const { errors } = await problemOf(await ask('/organizations', body), 400, 'validation_failed');
  expect(errors).toMatchObject([{ pointer, code }]);
});

test('a shop is made with its hosts, in their order, active at once, and its delivery service named', async ({
  orgId,
}) => {
  const hosts = [freshHost(), freshHost('localhost')];
  const [first = '', second = ''] = hosts;
  const response = await ask(`/organizations/${orgId}/shops`, {
    ...{ name: 'Mitte', hosts: [` ${first.toUpperCase()}. `, second, first], delivery_service_name: ' Flitzer ' },
  });
  const made = await response.json<{ shop_id: string }>();
  expect([response.status, Object.keys(made)]).toEqual([201, ['shop_id']]);
  expect(await rows('select host, org_id from shop_hosts where shop_id = ? order by created_at', made.shop_id)).toEqual(
    hosts.map((host) => ({ host, org_id: orgId })),
  );
  expect(await rowOf('shops', { id: made.shop_id })).toMatchObject({
    ...{ org_id: orgId, name: 'Mitte', is_active: 1, delivery_service_name: 'Flitzer' },
  });
});

test('a patch of a shop changes what it names, and null ends a fee', async ({ orgId }) => {
  const body = { name: 'Mitte', hosts: [], delivery_service_name: 'Flitzer' };
  const { shop_id: shopId } = await operate(`/organizations/${orgId}/shops`, body);
  const patch = async (change: unknown) => {
    const answer = await ask(`/organizations/${orgId}/shops/${shopId}`, change, { method: 'PATCH' });
    return [answer.status, await answer.json()];
  };
  const shipping = { shipping_aliases: {}, shipping_kinds: { Express: 'bote', Flitzer: 'bote' } };
  const given = { shop_id: shopId, name: 'Mitte', is_active: true, delivery_service_name: 'Flitzer', fee_max: 25 };
  const reserve_minutes = { pending: 0, paid: 0 };
  const made = { ...given, ...shipping, reserve_minutes };
  const fees = { Versand: 4.9, Flitzer: 3 };
  expect(await patch({ fees: { versand: 4.9, Flitzer: 3 } })).toEqual([200, { ...made, fees }]);
  expect(await patch({ fees: { Versand: null }, fee_max: 12.5, name: 'Nord', is_active: false })).toEqual([
    200,
    { ...made, name: 'Nord', is_active: false, fees: { Flitzer: 3 }, fee_max: 12.5 },
  ]);
  expect(await patch({ reserve_minutes: { paid: 4320 } })).toMatchObject([
    200,
    { reserve_minutes: { pending: 0, paid: 4320 } },
  ]);
});

test.for([
  [{}, '', 'no_fields'],
  [{ reserve_minutes: {} }, '/reserve_minutes', 'no_fields'],
  [{ reserve_minutes: { pending: 10_081 } }, '/reserve_minutes/pending', 'too_big'],
  [{ fees: { Uber: 4 } }, '/fees', 'unknown_shipping_option'],
  [{ fees: { Versand: -1 } }, '/fees/Versand', 'too_small'],
  [{ fees: { Versand: 1.005 } }, '/fees/Versand', 'invalid_amount'],
  [{ fee_max: 1000.01 }, '/fee_max', 'too_big'],
  [{ name: 'A', iban: null }, '/iban', 'unknown_key'],
] as const)('a patch of a shop with %j is refused', async ([body, pointer, code], { pharmacy: { orgId, shopId } }) => {
  const answer = await ask(`/organizations/${orgId}/shops/${shopId}`, body, { method: 'PATCH' });
  const { errors } = await problemOf(
    answer,
    400,
    code === 'unknown_shipping_option' ? 'unknown_shipping_option' : 'validation_failed',
  );
  expect(errors).toMatchObject([{ pointer, code }]);
});

test('a patch of a shop of another organization finds none', async ({ orgId, pharmacy: { shopId } }) => {
  const answer = await ask(`/organizations/${orgId}/shops/${shopId}`, { name: 'A' }, { method: 'PATCH' });
  await problemOf(answer, 404, 'shop_not_found');
});

test('a host is added to a shop', async ({ pharmacy: { orgId, shopId } }) => {
  const host = freshHost();
  const response = await ask(`/organizations/${orgId}/shops/${shopId}/hosts`, { host: host.toUpperCase() });
  expect([response.status, await response.json()]).toEqual([201, { shop_id: shopId, host }]);
  expect(await rows('select shop_id, org_id from shop_hosts where host = ?', host)).toEqual([
    { shop_id: shopId, org_id: orgId },
  ]);
});

test('a host that names no shop is refused beside the shop’s others, and every bad one is named', async ({
  pharmacy: { orgId, shopId },
}) => {
  const added = await ask(`/organizations/${orgId}/shops/${shopId}/hosts`, { host: '127.0.0.1' });
  const message = expect.stringMatching(/\.$/);
  expect((await problemOf(added, 400, 'validation_failed')).errors).toEqual([
    { pointer: '/host', code: 'ip_address', message },
  ]);
  const body = { name: 'Mitte', hosts: [freshHost(), '127.0.0.1', 'x:1'] };
  const { errors } = await problemOf(await ask(`/organizations/${orgId}/shops`, body), 400, 'validation_failed');
  expect(errors?.map(({ pointer, code }) => [pointer, code])).toEqual([
    ['/hosts/1', 'ip_address'],
    ['/hosts/2', 'not_a_host'],
  ]);
  expect(await rows('select shop_id from shop_hosts where org_id = ?', orgId)).toHaveLength(1);
});

test('in production no host below the base host or of localhost names a shop; one that only looks like it may', async ({
  orgId,
}) => {
  for (const [host, code] of [
    ['rx.api.offizin.example', 'base_host'],
    ['rx.localhost', 'single_label'],
  ]) {
    const response = await askInProduction(`/organizations/${orgId}/shops`, { name: 'x', hosts: [host] });
    const problem = await response.json<Problem>();
    expect([response.status, problem.errors?.[0]]).toMatchObject([400, { pointer: '/hosts/0', code }]);
  }
  const hosts = [`not-${newId()}api.offizin.example`, freshHost('offizin.example')];
  expect((await askInProduction(`/organizations/${orgId}/shops`, { name: 'x', hosts })).status).toBe(201);
});

test('a host that names a shop already is taken, for every organization, and nothing is made', async () => {
  const { shopId, host } = await openPharmacy();
  const other = await openPharmacy();
  for (const written of [host, host.toUpperCase(), `${host}.`]) {
    const hosts = `/organizations/${other.orgId}/shops/${other.shopId}/hosts`;
    await problemOf(await ask(hosts, { host: written }), 409, 'host_taken');
    const shops = { name: 'Süd', hosts: [freshHost(), written] };
    await problemOf(await ask(`/organizations/${other.orgId}/shops`, shops), 409, 'host_taken');
  }
  expect(await rows('select id from shops where org_id = ?', other.orgId)).toHaveLength(1);
  expect(await rows('select shop_id from shop_hosts where host = ?', host)).toEqual([{ shop_id: shopId }]);
});

test('a host that is the shop’s already is told again, not written', async ({ pharmacy: { orgId, shopId, host } }) => {
  const state = () =>
    rows(
      'select h.*, (select count(*) from audit_log where org_id = ?) as n from shop_hosts h where host = ?',
      orgId,
      host,
    );
  const before = await state();
  const response = await ask(`/organizations/${orgId}/shops/${shopId}/hosts`, { host: host.toUpperCase() });
  expect([response.status, await response.json()]).toEqual([200, { shop_id: shopId, host }]);
  expect(await state()).toEqual(before);
});

test('a delivery service cannot be named like another shipping option', async () => {
  const body = { name: 'Mitte', hosts: [], delivery_service_name: ' versand ' };
  const response = await ask(`/organizations/${await openOrganization()}/shops`, body);
  const { errors } = await problemOf(response, 400, 'validation_failed');
  expect(errors).toMatchObject([{ pointer: '/delivery_service_name', code: 'shipping_option_taken' }]);
});

test('the operator lists what waits, and nothing else: neither another status nor without the token', async () => {
  const path = '/hosts?status=pending';
  await problemOf(await ask('/hosts', undefined, { method: 'GET' }), 400, 'validation_failed');
  await problemOf(await ask('/hosts?status=active', undefined, { method: 'GET' }), 400, 'validation_failed');
  const headers = { Authorization: 'Bearer x' };
  await problemOf(await ask(path, undefined, { method: 'GET', headers }), 401, 'invalid_token');
  const { orgId, shopId, host } = await openPharmacy();
  const waiting = freshHost();
  await insertRow('pending_hosts', { id: newId(), org_id: orgId, shop_id: shopId, host: waiting, created_at: 5 });
  const response = await ask(path, undefined, { method: 'GET' });
  const { data } = await response.json<{ data: { host: string }[] }>();
  expect(data.find((each) => each.host === waiting)).toEqual({
    org_id: orgId,
    organization_name: 'Löwen-Apotheke',
    is_test: false,
    shop_id: shopId,
    host: waiting,
    status: 'pending',
    added_at: '1970-01-01T00:00:00.005Z',
  });
  expect(data.map((each) => each.host)).not.toContain(host);
});

test('a host claimed 10 times in parallel goes to one shop', async ({ orgId }) => {
  const host = freshHost();
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => ask(`/organizations/${orgId}/shops`, { name: 'x', hosts: [host] })),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  expect(await rows('select id from shops where org_id = ?', orgId)).toHaveLength(1);
});

test('a shop of another organization is not there', async () => {
  const [ours, theirs] = [await openPharmacy(), await openPharmacy()];
  const response = await ask(`/organizations/${ours.orgId}/shops/${theirs.shopId}/hosts`, { host: freshHost() });
  await problemOf(response, 404, 'shop_not_found');
  expect(await rows('select host from shop_hosts where shop_id = ?', theirs.shopId)).toHaveLength(1);
});

test.each([
  [{ hosts: [] }, '/name', 'required'],
  [{ name: 'x' }, '/hosts', 'required'],
  [{ name: 'x', hosts: 'rx.example.com' }, '/hosts', 'invalid_type'],
  [{ name: 'x', hosts: [5] }, '/hosts/0', 'invalid_type'],
  [{ name: 'x', hosts: Array(21).fill('rx.example.com') }, '/hosts', 'too_big'],
  [{ name: 'x', hosts: [], delivery_service_name: ' ' }, '/delivery_service_name', 'too_small'],
  [{ name: 'x', hosts: [], delivery_service_name: 'x'.repeat(61) }, '/delivery_service_name', 'too_big'],
])('a shop of %j is refused', async (body, pointer, code) => {
  const response = await ask(`/organizations/${await openOrganization()}/shops`, body);
  const { errors } = await problemOf(response, 400, 'validation_failed');
  expect(errors).toMatchObject([{ pointer, code }]);
});
