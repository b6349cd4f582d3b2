import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import drizzleConfig from '../../drizzle.config';

const ROOT = resolve(import.meta.dirname, '../..');
const MIGRATIONS = join(ROOT, 'migrations');

/** Each of them loses rows on D1: a rebuilt table takes the rows of its children along. */
const FORBIDDEN = [/\bDROP\s+TABLE\b/i, /\bON\s+DELETE\s+CASCADE\b/i, /\bforeign_keys\s*=\s*(OFF|0|false|no)\b/i];

/**
 * Tables that keep SQLite's rowid: three have an integer key, and rows of the others often have more than 1 KB, which costs a
 * table WITHOUT ROWID a page of 4 KB each.
 */
const WITH_ROWID = [
  ...['catalog_products', 'guards', 'installation', 'inventory_import_parts', 'order_requests', 'orders'],
  'search_entries',
];
/** An index of FTS5 and the tables that it keeps itself. */
const OF_INDEX = /^search_words/;

test('no migration drops a table, cascades a delete or switches foreign keys off', () => {
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'));
  const found = files.flatMap((name) => {
    const sql = readFileSync(join(MIGRATIONS, name), 'utf8');
    return FORBIDDEN.filter((pattern) => pattern.test(sql)).map((pattern) => `${name}: ${pattern.source}`);
  });
  expect(files).not.toEqual([]);
  expect(found).toEqual([]);
});

test('a released migration never changes, and comes before those that are not', () => {
  const released = JSON.parse(readFileSync(join(ROOT, 'test/release/migrations.json'), 'utf8'));
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'));
  const first = files.toSorted().slice(0, Object.keys(released).length);
  const hash = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(MIGRATIONS, name)))
      .digest('hex');
  expect(Object.fromEntries(first.map((name) => [name, hash(name)]))).toEqual(released);
});

test('a table is WITHOUT ROWID, which Drizzle cannot say, unless its key is a number or its rows are large', () => {
  const tables = migrated()
    .prepare("select name, sql like '%) WITHOUT ROWID' as is_without from sqlite_master where type = 'table'")
    .all();
  expect(tables.length).toBeGreaterThan(WITH_ROWID.length);
  expect(
    tables.flatMap(({ name, is_without }) => (is_without || OF_INDEX.test(String(name)) ? [] : [name])).toSorted(),
  ).toEqual(WITH_ROWID);
});

test('a table comes after those that it refers to', () => {
  const db = migrated();
  const names = db.prepare("select name from sqlite_master where type = 'table' order by rowid").all();
  const order = names.map(({ name }) => String(name));
  const early = order.flatMap((name, index) =>
    db
      .prepare('select distinct "table" as parent from pragma_foreign_key_list(?)')
      .all(name)
      .filter(({ parent }) => order.indexOf(String(parent)) >= index)
      .map(({ parent }) => `${name} refers to ${parent}`),
  );
  expect(early).toEqual([]);
});

test('readiness knows every table, column, index and trigger that the migrations make', async () => {
  const db = migrated();
  const objects = db
    .prepare(
      "select type || ' ' || name as object from sqlite_master where name not like 'sqlite_%' order by type, name",
    )
    .all()
    .map(({ object }) => String(object));
  const columns = db
    .prepare(
      `select master.name || '.' || has.name as column from sqlite_master as master join pragma_table_xinfo(master.name) as has
        where master.type = 'table' and master.sql not like 'CREATE VIRTUAL%' and master.name not like 'search_words_%' order by 1`,
    )
    .all()
    .map(({ column }) => String(column));
  const text = `// Made from the migrations: npx vitest run --project node test/node/migrations.test.ts -u
export const SCHEMA = ${JSON.stringify({ objects, columns })};
`;
  await expect(text).toMatchFileSnapshot('../../src/health/schema.generated.ts');
});

test('the migrations make exactly the tables that the code declares', () => {
  const dir = mkdtempSync(join(tmpdir(), 'offizin-migrations-'));
  try {
    const copy = join(dir, 'migrations');
    cpSync(MIGRATIONS, copy, { recursive: true });
    const missing = generate(dir, copy);
    expect(missing).toEqual([]);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

/** A new database with all migrations. */
function migrated(): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  const names = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'));
  for (const name of names.toSorted()) db.exec(readFileSync(join(MIGRATIONS, name), 'utf8'));
  return db;
}

/** @returns the SQL of each migration that drizzle-kit finds lacking */
function generate(dir: string, migrations: string): string[] {
  const known = new Set(readdirSync(migrations));
  const configFile = join(dir, 'drizzle.config.json');
  // drizzle-kit reads `out` as relative to where it runs.
  writeFileSync(configFile, JSON.stringify({ ...drizzleConfig, out: relative(ROOT, migrations) }));
  const args = [join(ROOT, 'node_modules/drizzle-kit/bin.cjs'), 'generate', `--config=${relative(ROOT, configFile)}`];
  execFileSync(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  return readdirSync(migrations)
    .filter((name) => name.endsWith('.sql') && !known.has(name))
    .map((name) => readFileSync(join(migrations, name), 'utf8'));
}
