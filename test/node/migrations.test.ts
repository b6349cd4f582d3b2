import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import drizzleConfig from '../../drizzle.config';

const ROOT = resolve(import.meta.dirname, '../..');
const MIGRATIONS = join(ROOT, 'migrations');

/**
 * Each of them loses rows on D1: a rebuilt table takes the rows of its children along. The one exception rebuilds the
 * children first; the test below runs it with rows.
 */
const FORBIDDEN = [
  /\bDROP\s+TABLE\b(?! `(delivery_attempts|deliveries)`)/i,
  /\bON\s+DELETE\s+CASCADE\b/i,
  /\bforeign_keys\s*=\s*(OFF|0|false|no)\b/i,
];

test('no migration drops a table, cascades a delete or switches foreign keys off', () => {
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'));
  const found = files.flatMap((name) => {
    const sql = readFileSync(join(MIGRATIONS, name), 'utf8');
    return FORBIDDEN.filter((pattern) => pattern.test(sql)).map((pattern) => `${name}: ${pattern.source}`);
  });
  expect(files).not.toEqual([]);
  expect(found).toEqual([]);
});

test('the migration that rebuilds deliveries and their attempts keeps every row of both', () => {
  const db = new DatabaseSync(':memory:');
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'));
  const at = files.findIndex((name) => name.startsWith('0013_'));
  const run = (names: string[]) => {
    for (const name of names) db.exec(readFileSync(join(MIGRATIONS, name), 'utf8'));
  };
  db.exec('pragma foreign_keys = on');
  run(files.slice(0, at));
  db.exec(`insert into organizations (id, name, low_stock_threshold, request_retention_days, order_retention_days, created_at, updated_at)
      values ('o', 'Löwen', 5, 90, 90, 1, 1);
    insert into subscriptions (id, org_id, url, host, event_types, status, secret_ciphertext, created_at, updated_at)
      values ('s', 'o', 'https://a.example/', 'a.example', '[]', 'active', 'c', 1, 1);
    insert into events (seq, id, org_id, type, body, created_at)
      values (1, 'e1', 'o', 'order_created', '{}', 1), (2, 'e2', 'o', 'low_stock', '{}', 2);
    insert into deliveries (id, org_id, event_id, subscription_id, trigger, status, attempt_count, next_attempt_at,
      lease_until, created_at, finished_at)
      values ('d1', 'o', 'e1', 's', 'event', 'succeeded', 1, 0, 0, 1, 5), ('d2', 'o', 'e2', 's', 'event', 'pending', 2, 9, 0, 2, null);
    insert into delivery_attempts values ('d1', 1, 'event', 3, 4, 204, null, ''), ('d2', 2, 'retry', 5, 6, null, 'dns', null);`);
  const rowsOf = (table: string) =>
    db
      .prepare(`select * from ${table} order by 1`)
      .all()
      .map((row) => ({ ...row }));
  const before = { deliveries: rowsOf('deliveries'), attempts: rowsOf('delivery_attempts') };
  run(files.slice(at, at + 1));
  expect(rowsOf('deliveries')).toEqual(before.deliveries.map((row, priority) => ({ ...row, priority })));
  expect(rowsOf('delivery_attempts')).toEqual(before.attempts);
  expect(() => db.exec("delete from deliveries where id = 'd1'")).toThrow(/FOREIGN KEY/);
  expect(db.prepare('pragma foreign_key_check').all()).toEqual([]);
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
