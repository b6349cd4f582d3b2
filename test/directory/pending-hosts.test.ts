import { expect, test } from 'vitest';
import { addShopHost } from '../../src/tenants/hosts';
import { ask, freshHost } from '../support/operator';
import { problemOf } from '../support/probe';
import { rows } from '../support/world';
import { asOwner, DB_1, OUT_OF_REACH, openOn } from './shards';

interface Page {
  data: { host: string }[];
  next_cursor: string | null;
}

async function listed(cursor: string | null, limit: number): Promise<Page> {
  const after = cursor === null ? '' : `&cursor=${cursor}`;
  return (await ask(`/hosts?status=pending&limit=${limit}${after}`, undefined, { method: 'GET' })).json();
}

/** The whole list, page by page. */
async function everything(limit: number): Promise<string[]> {
  const hosts: string[] = [];
  for (let cursor: string | null = null, page = 0; page === 0 || cursor !== null; page += 1) {
    const { data, next_cursor } = await listed(cursor, limit);
    hosts.push(...data.map(({ host }) => host));
    cursor = next_cursor;
  }
  return hosts;
}

test('the operator’s list goes over all databases, the longest waiting first, and leaves out what an organization left behind', async () => {
  const tenants = [await openOn(0), await openOn(1), await openOn(0)];
  const asked: string[] = [];
  for (let index = 0; index < 9; index += 1) {
    const tenant = tenants[index % 3] ?? tenants[0];
    if (!tenant) throw new Error('nobody asks');
    asked.push(freshHost());
    await addShopHost(await asOwner(tenant), { ...tenant, host: asked.at(-1) ?? '' });
  }
  for (const limit of [1, 2, 4, 9, 100]) expect(await everything(limit)).toEqual(asked);

  await rows("update organizations set state = 'gone' where id = ?", tenants[0]?.orgId);
  expect(await everything(2)).toEqual(asked.filter((_, index) => index % 3 !== 0));
  await DB_1.prepare("update organizations set state = 'moving' where id = ?").bind(tenants[1]?.orgId).run();
  expect(await everything(2)).toEqual(asked.filter((_, index) => index % 3 !== 0));
});

test('where one database cannot be reached there is no list', async () => {
  const response = await ask('/hosts?status=pending', undefined, { method: 'GET', env: { DB_1: OUT_OF_REACH } });
  await problemOf(response, 502, 'backend_unreachable');
});
