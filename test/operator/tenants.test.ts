import { newId } from '../../src/platform/ids';
import { dayOf } from '../../src/platform/pharmacy-time';
import { ask, openOrganization } from '../support/operator';
import { insertRows, madeAt, quoted } from '../support/rows';
import { openSeller } from '../support/seller';
import { expect, test } from '../support/test';
import { rows } from '../support/world';

interface Listed {
  data: Record<string, unknown>[];
  next_cursor: string | null;
}

const read = async (path: string) => (await (await ask(path, undefined, { method: 'GET' })).json()) as Listed;

async function everyPage(limit: number): Promise<Listed['data']> {
  const all: Listed['data'] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Listed = await read(`/organizations?limit=${limit}${cursor && `&cursor=${cursor}`}`);
    expect(page.data.length).toBeLessThanOrEqual(limit);
    all.push(...page.data);
    cursor = page.next_cursor;
  }
  return all;
}

test('lists every organization once, with its status, rows and last order', async () => {
  const seller = await openSeller({ name: 'Adler' });
  const suspended = await openOrganization();
  await ask(`/organizations/${suspended}`, { status: 'suspended' }, { method: 'PATCH' });
  const [before] = (await everyPage(50)).filter(({ org_id }) => org_id === seller.orgId);
  expect(before).toMatchObject({ name: 'Adler', status: 'active', shard: 0, last_order_at: null });
  const at = Date.parse('2026-11-20T10:00:00Z');
  await insertRows('orders', 3, {
    ...{ id: `'${newId()}' || i`, org_id: quoted(seller.orgId), shop_id: quoted(seller.shopId), ...madeAt(at) },
  });
  const all = await everyPage(2);
  expect(new Set(all.map(({ org_id }) => org_id)).size).toBe(all.length);
  expect(all.find(({ org_id }) => org_id === suspended)).toMatchObject({ status: 'suspended' });
  expect(all.find(({ org_id }) => org_id === seller.orgId)).toMatchObject({
    last_order_at: new Date(at).toISOString(),
    rows: expect.any(Number),
  });
});

test('counts no more than 10,000 rows of a table', async () => {
  const { orgId } = await openSeller();
  const count = async () => Number((await everyPage(50)).find(({ org_id }) => org_id === orgId)?.rows);
  const before = await count();
  const own = { org_id: quoted(orgId), starts_at: 'i', shop_id: `'x'`, orders: `'{}'`, review_seconds: `'{}'` };
  await insertRows('day_totals', 10_500, { ...own, approved: 0, rejected: 0, deleted: 0 });
  expect(await count()).toBe(before + 10_000);
});

test('tells what each used in a month: nothing of the months beside it', async () => {
  const { orgId, shopId } = await openSeller();
  const [inMonth, after] = [Date.parse('2031-03-31T21:00:00Z'), Date.parse('2031-03-31T22:00:00Z')];
  expect([dayOf(inMonth), dayOf(after)]).toEqual(['2031-03-31', '2031-04-01']);
  for (const [at, factor] of [
    [Date.parse('2031-03-31T00:00:00Z'), 1],
    [after, 10],
  ] as const) {
    await rows(
      `insert into day_totals (org_id, starts_at, shop_id, orders, approved, rejected, deleted, review_seconds)
       values (?, ?, ?, ?, ?, ?, ?, '{}')`,
      ...[orgId, at, shopId, JSON.stringify({ 'ready_pickup paid': [3 * factor, 100], 'cancelled paid': [1, 5] })],
      ...[2 * factor, factor, factor],
    );
    await rows(
      'insert into delivery_totals (org_id, starts_at, summed_until, delivered, exhausted) values (?, ?, ?, ?, ?)',
      ...[orgId, at, at + 1, 5 * factor, factor],
    );
  }
  const { data } = await read('/usage?month=2031-03');
  expect(data.find(({ org_id }) => org_id === orgId)).toEqual({
    ...{ org_id: orgId, requests: 4, orders: 4, deliveries: 6, bytes: 0 },
  });
  const nothing = (await read('/usage?month=2031-02')).data.find(({ org_id }) => org_id === orgId);
  expect(nothing).toEqual({ org_id: orgId, requests: 0, orders: 0, deliveries: 0, bytes: 0 });
});

test.each(['/organizations?limit=51', '/organizations?limit=0', '/organizations?cursor=x', '/organizations?x=1'])(
  'refuses %s',
  async (path) => expect((await ask(path, undefined, { method: 'GET' })).status).toBe(400),
);

test.each(['/usage', '/usage?month=2026-13', '/usage?month=11-2026', '/usage?month=2026-11&month=2026-12'])(
  'refuses %s',
  async (path) => expect((await ask(path, undefined, { method: 'GET' })).status).toBe(400),
);
