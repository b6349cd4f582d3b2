import { SCHEMA } from '../../src/health/schema.generated';
import { expect, test } from '../support/test';
import { BASE, call, OPERATOR_TOKEN, rowsIn } from '../support/world';

/** What `/readyz` says that the second database lacks. */
async function missing(): Promise<string> {
  const answer = await call(`${BASE}/readyz`, { headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` } });
  const { checks } = await answer.json<{ checks: { schema: { names?: string[] } } }>();
  return (checks.schema.names ?? []).join();
}

test('every index, trigger and search index that is dropped is named by readiness', async () => {
  expect(await missing()).toBe('');
  const made = await rowsIn<{ type: string; name: string; sql: string | null }>(
    1,
    "select type, name, sql from sqlite_master where sql is not null and (type in ('index', 'trigger') or sql like 'CREATE VIRTUAL%')",
  );
  expect(made.length).toBeGreaterThan(100);
  const unnamed: string[] = [];
  for (let at = 0; at < made.length; at += 10) {
    const some = made.slice(at, at + 10);
    for (const { type, name } of some) await rowsIn(1, `drop ${type} ${name}`);
    const named = await missing();
    unnamed.push(...some.filter(({ type, name }) => !named.includes(`${type} ${name}`)).map(({ name }) => name));
    for (const { sql } of some) await rowsIn(1, sql ?? '');
  }
  expect(unnamed).toEqual([]);
});

test('every table and column that is away is named by readiness', async () => {
  const tables = SCHEMA.objects.filter((object) => object.startsWith('table ') && !object.includes('search_words'));
  const unnamed: string[] = [];
  for (const name of tables.map((object) => object.slice('table '.length))) {
    await rowsIn(1, `alter table ${name} rename to away`);
    if (!(await missing()).includes(`table ${name}`)) unnamed.push(name);
    await rowsIn(1, `alter table away rename to ${name}`);
  }
  expect(unnamed).toEqual([]);
});
