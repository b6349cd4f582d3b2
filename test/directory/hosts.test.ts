import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/platform/time';
import { sweepTenantEntries } from '../../src/tenants/domain-check';
import { addShopHost, removeShopHost } from '../../src/tenants/hosts';
import { createShop } from '../../src/tenants/shops';
import { ask, freshHost } from '../support/operator';
import { problemOf } from '../support/probe';
import { rows } from '../support/world';
import { asOperator, asOwner, DB_1, entriesOf, holdersOf, OUT_OF_REACH, openOn, sweepAll, type Tenant } from './shards';

const PAIRS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [0, 0],
] as const;
/** Later than anybody who has reserved a host is about to write it. */
const later = () => Date.now() + MINUTE_MS + 1;
const muchLater = () => Date.now() + 61 * MINUTE_MS;

const add = ({ orgId, shopId }: Tenant, host: string, env?: Partial<Env>) =>
  ask(`/organizations/${orgId}/shops/${shopId}/hosts`, { host }, { env });

async function openTwo(shards: readonly [number, number]): Promise<[Tenant, Tenant]> {
  return [await openOn(shards[0]), await openOn(shards[1])];
}

test.each(PAIRS)('a host of an organization on database %i is not another’s on database %i', async (...shards) => {
  const [one, other] = await openTwo(shards);
  const host = freshHost();
  expect((await add(one, host)).status).toBe(201);
  expect((await add(one, host)).status).toBe(200);

  await problemOf(await add(other, host), 409, 'host_taken');
  const shop = { name: 'Nord', hosts: [freshHost(), host] };
  await problemOf(await ask(`/organizations/${other.orgId}/shops`, shop), 409, 'host_taken');
  const asked = addShopHost(await asOwner(other, { now: later }), { ...other, host });
  await expect(asked).rejects.toMatchObject({ code: 'host_taken' });

  expect(await holdersOf(host)).toEqual([one.orgId]);
  expect(await entriesOf(host)).toEqual([{ kind: 'host', key: host, org_id: one.orgId, shard: shards[0] }]);
});

test.each(PAIRS)('of two at once, on databases %i and %i, exactly one gets a host', async (...shards) => {
  const [one, other] = await openTwo(shards);
  const host = freshHost();
  const answers = await Promise.all([add(one, host), add(other, host)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  const winner = answers[0]?.status === 201 ? one : other;
  expect(await holdersOf(host)).toEqual([winner.orgId]);
  expect(await entriesOf(host)).toMatchObject([{ org_id: winner.orgId, shard: winner.shard }]);
});

test('a shop that is not written because its database fails keeps its hosts for who repeats the call', async () => {
  const one = await openOn(1);
  const host = freshHost();
  await problemOf(await add(one, host, { DB_1: OUT_OF_REACH }), 502, 'backend_unreachable');
  expect([await entriesOf(host), await holdersOf(host)]).toMatchObject([[{ org_id: one.orgId }], []]);
  expect((await add(one, host)).status).toBe(201);
  expect(await holdersOf(host)).toEqual([one.orgId]);
});

test.each([0, 1])('what was reserved and not written is taken over from database %i, not at once', async (shard) => {
  const [one, other] = await openTwo([1, shard]);
  const host = freshHost();
  await add(one, host, { DB_1: OUT_OF_REACH });
  await problemOf(await add(other, host), 409, 'host_taken');

  await addShopHost(await asOperator(other, { now: later }), { ...other, host });

  expect(await holdersOf(host)).toEqual([other.orgId]);
  expect(await entriesOf(host)).toMatchObject([{ org_id: other.orgId, shard }]);
  await problemOf(await add(one, host), 409, 'host_taken');
});

test.each([0, 1])(
  'of two who take over at once one gets the host, of an organization on database %i',
  async (shard) => {
    const [one, other] = await openTwo([1, shard]);
    const third = await openOn(1);
    const host = freshHost();
    await add(one, host, { DB_1: OUT_OF_REACH });
    const take = async (tenant: Tenant) => addShopHost(await asOperator(tenant, { now: later }), { ...tenant, host });
    const taken = await Promise.allSettled([take(other), take(third), take(one)]);
    expect(taken.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    const winner = [other, third, one][taken.findIndex(({ status }) => status === 'fulfilled')];
    expect(await holdersOf(host)).toEqual([winner?.orgId]);
    expect(await entriesOf(host)).toMatchObject([{ org_id: winner?.orgId }]);
  },
);

test('a write that comes so late that its reservation may be another’s is undone', async () => {
  const one = await openOn(1);
  const host = freshHost();
  const late = await asOperator(one, { now: () => Date.now() - MINUTE_MS / 2 - 1 });
  const shop = createShop(late, { orgId: one.orgId, name: 'Nord', hosts: [host] });
  await expect(shop).rejects.toMatchObject({ code: 'backend_unreachable' });
  expect(await holdersOf(host)).toEqual([]);
});

test.each([0, 1])('a host that was removed from database %i is free for anybody', async (shard) => {
  const [one, other] = await openTwo([shard, 1 - shard]);
  const host = freshHost();
  for (const each of [freshHost(), host]) expect((await add(one, each)).status).toBe(201);
  await removeShopHost(await asOwner(one), { shopId: one.shopId, host, status: 'active' });
  expect(await entriesOf(host)).toHaveLength(shard);

  await addShopHost(await asOperator(other, { now: later }), { ...other, host });

  expect(await holdersOf(host)).toEqual([other.orgId]);
  expect(await entriesOf(host)).toMatchObject([{ org_id: other.orgId, shard: other.shard }]);
});

test('an hour later the sweep deletes what leads to nothing, and nothing else', async () => {
  const [one, other] = await openTwo([1, 0]);
  const [reserved, removed, kept, ofFirst] = [freshHost(), freshHost(), freshHost(), freshHost()];
  await add(one, reserved, { DB_1: OUT_OF_REACH });
  for (const each of [kept, removed]) await add(one, each);
  await removeShopHost(await asOwner(one), { shopId: one.shopId, host: removed, status: 'active' });
  await add(other, ofFirst);
  const lost = await ask('/organizations', { name: 'A', shard: 1 }, { env: { DB_1: OUT_OF_REACH } });
  await problemOf(lost, 502, 'backend_unreachable');
  const found = async () => {
    const entries = await Promise.all([reserved, removed, kept, ofFirst, one.orgId, other.orgId].map(entriesOf));
    return entries.map(({ length }) => length);
  };
  const organizations = async () => {
    const query = "select count(*) as n from directory where kind = 'organization' and shard = 1";
    return (await rows<{ n: number }>(query))[0]?.n ?? 0;
  };
  const before = await organizations();

  await sweepAll(sweepTenantEntries, { now: () => Date.now() + 59 * MINUTE_MS });
  expect(await found()).toEqual([1, 1, 1, 1, 1, 1]);
  await sweepAll(sweepTenantEntries, { now: muchLater });
  expect(await found()).toEqual([0, 0, 1, 1, 1, 1]);
  expect(await organizations()).toBe(before - 1);
});

test('what is reserved anew while the sweep looks stays', async () => {
  const one = await openOn(1);
  const host = freshHost();
  await add(one, host, { DB_1: OUT_OF_REACH });
  let isRepeated = false;
  const watched = {
    prepare: (query: string) => DB_1.prepare(query),
    batch: async (statements: D1PreparedStatement[]) => {
      const found = await DB_1.batch(statements);
      if (!isRepeated) await addShopHost(await asOperator(one, { now: muchLater }), { ...one, host });
      isRepeated = true;
      return found;
    },
  } as unknown as D1Database;
  await sweepAll(sweepTenantEntries, { now: muchLater, env: { DB_1: watched } });
  expect(isRepeated).toBe(true);
  expect(await entriesOf(host)).toMatchObject([{ org_id: one.orgId }]);
});

test('what owners on the other database had asked for goes when the host becomes somebody’s', async () => {
  const [one, other] = await openTwo([0, 1]);
  const host = freshHost();
  await addShopHost(await asOwner(other), { ...other, host });
  const pending = () => DB_1.prepare('select 1 from pending_hosts where host = ?').bind(host).first();
  expect(await pending()).not.toBeNull();
  expect((await add(one, host)).status).toBe(201);
  expect(await pending()).toBeNull();
});

test('a host that an organization has left behind with its old rows is free on that database', async () => {
  const [one, other] = await openTwo([1, 1]);
  const host = freshHost();
  await add(one, host);
  await DB_1.prepare("update organizations set state = 'gone' where id = ?").bind(one.orgId).run();
  await rows("delete from directory where kind = 'host' and key = ?", host);
  expect((await add(other, host)).status).toBe(201);
  expect(await holdersOf(host)).toEqual([other.orgId]);
});
