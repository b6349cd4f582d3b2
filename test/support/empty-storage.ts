import { applyD1Migrations, type D1Migration } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

// Runs before each file: all of them share a Worker, and each begins with an empty database and an empty bucket.

// SAFETY: vitest.config.ts binds it.
const { TEST_MIGRATIONS } = env as unknown as { TEST_MIGRATIONS: D1Migration[] };

const BOOKKEEPING =
  "name not like '\\_cf%' escape '\\' and name not like 'sqlite\\_%' escape '\\' and name <> 'd1_migrations'";

async function named(type: 'table' | 'trigger') {
  const { results } = await env.DB.prepare(`select name, sql from sqlite_master where type = ? and ${BOOKKEEPING}`)
    .bind(type)
    .all<{ name: string; sql: string }>();
  return results;
}

/** Triggers keep some tables from being emptied, so they are made anew afterwards. */
async function emptyDatabase(): Promise<void> {
  const [tables, triggers] = await Promise.all([named('table'), named('trigger')]);
  if (tables.length === 0) return applyD1Migrations(env.DB, TEST_MIGRATIONS);
  const statements = [
    'pragma defer_foreign_keys = on',
    ...triggers.map(({ name }) => `drop trigger "${name}"`),
    ...tables.map(({ name }) => `delete from "${name}"`),
    ...triggers.map(({ sql }) => sql),
  ];
  await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
}

async function emptyBucket(): Promise<void> {
  for (;;) {
    const { objects, truncated } = await env.FILES.list();
    if (objects.length > 0) await env.FILES.delete(objects.map(({ key }) => key));
    if (!truncated) return;
  }
}

await Promise.all([emptyDatabase(), emptyBucket()]);
