import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import drizzleConfig from '../../drizzle.config';

const ROOT = resolve(import.meta.dirname, '../..');
const MIGRATIONS = join(ROOT, 'migrations');

/** Each of them loses rows on D1: a rebuilt table takes the rows of its children along. */
const FORBIDDEN = [/\bDROP\s+TABLE\b/i, /\bON\s+DELETE\s+CASCADE\b/i, /\bforeign_keys\s*=\s*(OFF|0|false|no)\b/i];

test('no migration drops a table, cascades a delete or switches foreign keys off', () => {
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'));
  const found = files.flatMap((name) => {
    const sql = readFileSync(join(MIGRATIONS, name), 'utf8');
    return FORBIDDEN.filter((pattern) => pattern.test(sql)).map((pattern) => `${name}: ${pattern.source}`);
  });
  expect(files).not.toEqual([]);
  expect(found).toEqual([]);
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
