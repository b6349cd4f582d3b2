import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { openDatabases } from '../../src/platform/data/databases';
import { type Condition, type Named, orm, prepared, type Statement } from '../../src/platform/data/statements';
import { subscriptions } from '../../src/webhooks/tables';
import { systemContext } from '../support/world';

/** Every kind of column: text, JSON, boolean, number, and one of SQL that is decoded. */
const columns = {
  id: subscriptions.id,
  eventTypes: subscriptions.eventTypes,
  isHealthy: subscriptions.isHealthy,
  holdReason: subscriptions.holdReason,
  createdAt: subscriptions.createdAt,
  listed: sql<string[]>`'a,b'`.mapWith((text: string) => text.split(',')).as('listed'),
  counted: sql<number>`1 + 1`.as('counted'),
};

const row = {
  orgId: 'o1',
  url: 'https://receiver.example/',
  host: 'receiver.example',
  status: 'active' as const,
  isHealthy: false,
  exhaustedInRow: 0,
  secretCiphertext: 'x',
  createdAt: 7,
  updatedAt: 7,
};

const insertSubscription = prepared(
  ({ id, eventTypes, deletedAt }: Named<{ id: string; eventTypes: string[]; deletedAt: number | null }>) =>
    orm
      .insert(subscriptions)
      .values({ ...row, id, eventTypes, deletedAt })
      .returning(columns),
);
const selectSubscription = prepared(({ id }: Named<{ id: string }>) =>
  orm.select(columns).from(subscriptions).where(eq(subscriptions.id, id)),
);

/** With the organization that the rows belong to. */
function run<S extends Record<string, Statement>>(statements: S) {
  const organization = orm.run(sql`insert into organizations (id, name, low_stock_threshold, request_retention_days,
    order_retention_days, created_at, updated_at) values ('o1', 'Löwen', 1, 1, 1, 1, 1) on conflict do nothing`);
  return openDatabases(env)
    .at(0)
    .run({ organization, ...statements });
}

const stored = (id: string) => ({
  id,
  eventTypes: ['order_updated'],
  isHealthy: false,
  holdReason: null,
  createdAt: 7,
  listed: ['a', 'b'],
  counted: 2,
});

describe('A prepared statement', () => {
  test('gives what Drizzle gives: values in the encoding of their columns, each call its own', async () => {
    const one = insertSubscription({ id: 's1', eventTypes: ['order_updated'], deletedAt: null });
    const two = insertSubscription({ id: 's2', eventTypes: ['order_updated'], deletedAt: 9 });
    const { first, second, again, none, built } = await run({
      first: one,
      second: two,
      again: selectSubscription({ id: 's1' }),
      none: selectSubscription({ id: 's3' }),
      built: orm.select(columns).from(subscriptions).where(eq(subscriptions.id, 's1')),
    });
    expect(first).toEqual([stored('s1')]);
    expect(second).toEqual([stored('s2')]);
    expect(again).toEqual([stored('s1')]);
    expect(none).toEqual([]);
    expect(built).toEqual(again);
  });

  test('is made once, whatever it is called with', async () => {
    let made = 0;
    const statement = prepared(({ id }: Named<{ id: string }>) => {
      made += 1;
      return orm.select({ id: sql<string>`${id}`.as('id') }).from(sql`(select 1)`);
    });
    const { one, two } = await run({ one: statement({ id: 'a' }), two: statement({ id: 'b' }) });
    expect([one, two, made]).toEqual([[{ id: 'a' }], [{ id: 'b' }], 1]);
  });

  test('takes a condition with values of its own, in each place where it stands', async () => {
    let made = 0;
    const numbered = prepared(({ n }: Named<{ n: number }>, onlyIf: Condition) => {
      made += 1;
      return orm
        .select({ n: sql<number>`${n}`.as('n') })
        .from(sql`(select 1) where ${onlyIf} and ${n} > 0 and ${onlyIf}`);
    });
    const rows = await run({
      less: numbered({ n: 7 }, sql`${1} < ${2}`),
      notLess: numbered({ n: 8 }, sql`${3} < ${2}`),
      one: numbered({ n: 9 }, sql`${1} = 1`),
      always: numbered({ n: 10 }),
    });
    expect(rows).toMatchObject({ less: [{ n: 7 }], notLess: [], one: [{ n: 9 }], always: [{ n: 10 }] });
    expect(made).toBe(1);
  });

  test('refuses a call that leaves a value out', () => {
    expect(() => selectSubscription({} as { id: string })).toThrow('no value for id');
  });
});

test('a statement without prepared text gives rows in the order of its columns, whatever their names', async () => {
  const { ctx } = systemContext();
  const { rows } = await ctx.db.run({
    rows: orm.select({ b: sql<number>`2`.as('x'), a: sql<number>`1`.as('y') }).from(sql`json_each('[1,2]')`),
  });
  expect(rows).toEqual([
    { b: 2, a: 1 },
    { b: 2, a: 1 },
  ]);
});
