import { execFileSync } from 'node:child_process';
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
 * Tables that keep SQLite's rowid: two have an integer key, and rows of the others often have more than 1 KB, which costs a
 * table WITHOUT ROWID a page of 4 KB each.
 */
const WITH_ROWID = ['catalog_products', 'guards', 'installation', 'order_requests', 'orders'];

test('no migration drops a table, cascades a delete or switches foreign keys off', () => {
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'));
  const found = files.flatMap((name) => {
    const sql = readFileSync(join(MIGRATIONS, name), 'utf8');
    return FORBIDDEN.filter((pattern) => pattern.test(sql)).map((pattern) => `${name}: ${pattern.source}`);
  });
  expect(files).not.toEqual([]);
  expect(found).toEqual([]);
});

test('a table is WITHOUT ROWID, which Drizzle cannot say, unless its key is a number or its rows are large', () => {
  const tables = migrated()
    .prepare("select name, sql like '%) WITHOUT ROWID' as is_without from sqlite_master where type = 'table'")
    .all();
  expect(tables.length).toBeGreaterThan(WITH_ROWID.length);
  expect(tables.flatMap(({ name, is_without }) => (is_without ? [] : [name])).toSorted()).toEqual(WITH_ROWID);
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

test('what was in stock is on hand with what orders hold that have not left', () => {
  const db = migrated((name) => name < '0021');
  db.exec(`pragma foreign_keys = off;
    insert into organizations (id, name, low_stock_threshold, request_retention_days, order_retention_days, created_at, updated_at)
      values ('o', 'O', 5, 1, 1, 1, 1)`);
  const hold = db.prepare(`insert into inventory (org_id, p1_id, stock_quantity, stock_version, created_at, updated_at)
    values ('o', ?, ?, 3, 1, 1)`);
  for (const [product, stock] of [
    ['promised', 6],
    ['free', 2],
    ['none', 0],
    ['gone', 0],
  ] as const)
    hold.run(product, stock);
  const order =
    db.prepare(`insert into orders (id, org_id, number, shop_id, source, status, payment_status, on_hold, express,
      archived, total_cents, items, holds_stock, version, created_at, updated_at)
    values (?1, 'o', ?1, 's', 'shop', ?2, 'paid', 0, 0, 0, 0, ?3, ?4, 1, 1, 1)`);
  const items = JSON.stringify([
    { p1Id: 'promised', quantity: 3, priceCents: 1 },
    { p1Id: null, name: 'Beratung', quantity: 9, priceCents: 1 },
    { p1Id: 'none', quantity: 1, priceCents: 1 },
  ]);
  const orders = [
    ['awaiting_packing', 1],
    ['ready_pickup', 1],
    ['cancelled', 0],
    ['picked_up', 1],
    ['shipped', 1],
    ['returned', 1],
  ] as const;
  for (const [number, [status, holds]] of orders.entries()) order.run(number, status, items, holds);
  migrated((name) => name >= '0021', db);
  const stock = db.prepare(`select p1_id, stock_quantity, committed_quantity, shortage, stock_version,
      (select on_hand_delta from stock_movements as m where m.p1_id = i.p1_id) as counted,
      (select committed_delta from stock_movements as m where m.p1_id = i.p1_id) as promised
    from inventory as i order by p1_id`);
  const row = { shortage: 0, stock_version: 4 };
  expect(stock.all()).toEqual([
    { ...row, p1_id: 'free', stock_quantity: 2, committed_quantity: 0, counted: 2, promised: 0 },
    {
      ...row,
      p1_id: 'gone',
      stock_quantity: 0,
      committed_quantity: 0,
      stock_version: 3,
      counted: null,
      promised: null,
    },
    { ...row, p1_id: 'none', stock_quantity: 0, committed_quantity: 2, counted: 2, promised: 2 },
    { ...row, p1_id: 'promised', stock_quantity: 6, committed_quantity: 6, counted: 12, promised: 6 },
  ]);
});

test('what staff waited for before there were questions is an open question, and nothing else is', () => {
  const [before, since] = [(name: string) => name < '0018', (name: string) => name >= '0018'];
  const db = migrated(before);
  db.exec('pragma foreign_keys = off');
  const add = db.prepare(`insert into order_requests (id, status, needs_info, needs_info_note, updated_at,
      org_id, shop_id, integration_id, source, external_reference, fingerprint, payment_status, total_cents, items, created_at)
    values (?1, ?2, ?3, ?4, 7, 'o', 's', 'i', 'telemed', ?1, 'f', 'paid', 0, '[]', 1)`);
  add.run('waits', 'pending', 1, 'Welche Stärke?');
  add.run('is-new', 'pending', 0, null);
  add.run('is-decided', 'rejected', 0, null);
  migrated(since, db);
  const asked = db.prepare(
    'select id, org_id, order_request_id, code, text, asked_at, answered_at from request_questions',
  );
  const question = { org_id: 'o', order_request_id: 'waits', code: 'other', text: 'Welche Stärke?', answered_at: null };
  expect(asked.all()).toEqual([{ ...question, id: 'waits', asked_at: 7 }]);
  const codes = db.prepare('select id, needs_info_code as code from order_requests order by id').all();
  expect(codes.map(({ code }) => code)).toEqual([null, null, 'other']);
});

/** A database with migrations: a new one with all of them, unless told otherwise. */
function migrated(isMeant = (_name: string) => true, db = new DatabaseSync(':memory:')): DatabaseSync {
  const names = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'));
  for (const name of names.filter(isMeant).toSorted()) db.exec(readFileSync(join(MIGRATIONS, name), 'utf8'));
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
