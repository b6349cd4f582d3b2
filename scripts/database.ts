import { createHash, createHmac } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from './errors.ts';
import { ROOT } from './paths.ts';

/** The folder in which wrangler stores D1, below a service's state directory. */
const D1 = 'state/v3/d1/miniflare-D1DatabaseObject';
/** Miniflare derives the names of the database files from this key. */
const UNIQUE_KEY = 'miniflare-D1DatabaseObject';
const MIGRATIONS = join(ROOT, 'migrations');
/** The longest time in ms to wait for a lock of another connection, such as that of the running service. */
export const BUSY_MS_MAX = 10_000;
/** The table as wrangler creates it, so that `wrangler d1 migrations list --local` shows the same migrations. */
const APPLIED = `create table if not exists d1_migrations (id integer primary key autoincrement, name text unique,
  applied_at timestamp default current_timestamp not null)`;

/**
 * Opens the files of a service's local D1 databases, for data that no API returns. The service may be running.
 * @param dir the directory with all data of the service
 * @returns `DB`, `DB_1` and so on, in this order
 * @throws Error if there are no databases yet
 */
export function openDatabases(dir: string, { isWritten = false } = {}): DatabaseSync[] {
  return databasePaths(dir).map((path) => {
    if (!existsSync(path)) throw new Error(`There is no database ${path}.`);
    return new DatabaseSync(path, { readOnly: !isWritten, timeout: BUSY_MS_MAX });
  });
}

/**
 * Applies to each local database the migrations that it lacks. wrangler can do this, too, but needs eight seconds of
 * CPU for each database. Call it only while the service is down.
 * @throws StartError if a migration fails, or if a database has a migration that no longer exists
 */
export function applyMigrations(dir: string): void {
  const names = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'));
  mkdirSync(join(dir, D1), { recursive: true });
  for (const path of databasePaths(dir)) {
    using database = new DatabaseSync(path);
    database.exec(APPLIED);
    const applied = database.prepare('select name from d1_migrations').all();
    const isKnown = new Set(applied.map(({ name }) => String(name)));
    if ([...isKnown].some((name) => !names.includes(name))) {
      throw new StartError('The local data was made by other migrations. To begin anew: npm start -- --fresh');
    }
    const lacking = names.filter((each) => !isKnown.has(each)).sort();
    for (const name of lacking) apply(database, name);
    // Analyzes all tables, not only those that this connection has read.
    if (lacking.length > 0) database.exec('pragma optimize = 0x10002');
  }
}

/** Applies a migration as D1 does: the whole file in one transaction. */
function apply(database: DatabaseSync, name: string): void {
  try {
    database.exec('begin');
    database.exec(readFileSync(join(MIGRATIONS, name), 'utf8'));
    database.prepare('insert into d1_migrations (name) values (?)').run(name);
    database.exec('commit');
  } catch (error) {
    throw new StartError(`The migration ${name} failed: ${error instanceof Error ? error.message : error}`);
  }
}

/** The bindings of the local databases, in the order of their numbers. */
export function localNames(): string[] {
  return databasePaths('').map((_, number) => (number === 0 ? 'DB' : `DB_${number}`));
}

/** The files of the databases that wrangler.toml binds for local development, in the order of their numbers. */
export function databasePaths(dir: string): string[] {
  const [local = ''] = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8').split(/^\[env\./m);
  const bound = [...local.matchAll(/^binding = "DB(?:_(\d+))?"$[^[]*?^database_id = "([^"]+)"$/gm)];
  if (bound.length === 0) throw new Error('wrangler.toml binds no database.');
  return bound
    .map(([, number = '0', id = '']) => ({ number: Number(number), path: join(dir, D1, fileOf(id)) }))
    .sort((a, b) => a.number - b.number)
    .map(({ path }) => path);
}

/**
 * Returns the file name that Miniflare gives the Durable Object of a database. The object's name is the database's id.
 */
function fileOf(databaseId: string): string {
  const key = createHash('sha256').update(UNIQUE_KEY).digest();
  const hmac = (data: string | Buffer) => createHmac('sha256', key).update(data).digest().subarray(0, 16);
  const name = hmac(databaseId);
  return `${Buffer.concat([name, hmac(name)]).toString('hex')}.sqlite`;
}
