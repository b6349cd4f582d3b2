import { applyD1Migrations, type D1Migration } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import { firstIdAt, newId } from '../../src/platform/ids';

// Runs before each file: all of them share a Worker, and each begins with an empty database and an empty bucket.

// SAFETY: vitest.config.ts defines this binding.
const { TEST_MIGRATIONS } = env as unknown as { TEST_MIGRATIONS: D1Migration[] };

interface SchemaObject {
  type: 'table' | 'index' | 'view' | 'trigger';
  name: string;
  sql: string;
}

/** Makes every table and view anew. Those that refer to others come after them, and go before them. */
async function emptyDatabase(db: D1Database): Promise<void> {
  const { results: schema } = await db
    .prepare(
      `select type, name, sql from sqlite_master where sql is not null and name not like '\\_cf%' escape '\\'
       and name not like 'sqlite\\_%' escape '\\' and name <> 'd1_migrations' and name not like 'search\\_words%' escape '\\'
       order by rowid`,
    )
    .all<SchemaObject>();
  if (schema.length === 0) return applyD1Migrations(db, TEST_MIGRATIONS);
  const of = (type: SchemaObject['type']) => schema.filter((each) => each.type === type);
  const statements = [
    'pragma defer_foreign_keys = on',
    // Its triggers empty the index, which is not made anew: how it deletes is stored in it.
    'delete from search_entries',
    ...of('view').map(({ name }) => `drop view "${name}"`),
    ...of('table')
      .reverse()
      .map(({ name }) => `drop table "${name}"`),
    ...[...of('table'), ...of('index'), ...of('view'), ...of('trigger')].map(({ sql }) => sql),
  ];
  await db.batch(statements.map((statement) => db.prepare(statement)));
}

async function emptyBucket(): Promise<void> {
  for (;;) {
    const { objects, truncated } = await env.FILES.list();
    if (objects.length > 0) await env.FILES.delete(objects.map(({ key }) => key));
    if (!truncated) return;
  }
}

// SAFETY: wrangler.toml binds it at the top level, which the tests use.
await Promise.all([emptyDatabase(env.DB), emptyDatabase(env.DB_1 as D1Database), emptyBucket()]);

// Ids never go back in time: a file that set the clock ahead leaves a module behind that makes ids of the future.
if (newId() > firstIdAt(Date.now() + 1_000)) vi.resetModules();
