import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { backup, type DatabaseSync } from 'node:sqlite';
import { applyMigrations, localNames, openDatabases } from '../database.ts';
import { StartError } from '../errors.ts';
import type { Databases } from './databases.ts';

/** Where the saved states of the local databases are, each in a folder of its time. */
const FOLDER = 'bookmarks';

/**
 * The databases of the local service, which may run. There is no Time Travel here: what `--save` has saved can be restored.
 * @param dir the directory that holds everything of the service
 */
export function localDatabases(dir: string): Databases {
  const folder = join(dir, FOLDER);
  const names = localNames();
  return {
    names,
    settleMs: 0,
    calls: {
      bookmark: [`copies each database to ${folder}`],
      restore: ['copies each database back, the newest copy that is not younger than the time'],
      migrate: ['applies the migrations that are missing'],
    },
    bookmark: async (name, at) => (at === undefined ? save(dir, name) : newestAt(folder, name, at)),
    restore: async (name, bookmark) =>
      withDatabase(dir, name, { isWritten: true }, (database) => putBack(database, bookmark)),
    migrate: async () => applyMigrations(dir),
  };
}

/** Saves all databases as they are now. @returns the time that `--at` takes */
export async function saveLocal(dir: string): Promise<string> {
  const { names } = localDatabases(dir);
  const now = new Date();
  for (const name of names) await save(dir, name, now);
  return now.toISOString();
}

async function save(dir: string, name: string, now = new Date()): Promise<string> {
  const folder = join(dir, FOLDER, now.toISOString().replaceAll(':', '-'));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.sqlite`);
  // Named when it is whole.
  await withDatabase(dir, name, {}, (database) => backup(database, `${path}.part`));
  renameSync(`${path}.part`, path);
  return path;
}

function newestAt(folder: string, name: string, at: Date): string {
  const times = existsSync(folder) ? readdirSync(folder).sort().reverse() : [];
  const limit = at.toISOString().replaceAll(':', '-');
  const found = times.map((time) => join(folder, time, `${name}.sqlite`)).filter(existsSync);
  const path = found.find((each) => (each.split('/').at(-2) ?? '') <= limit);
  if (path) return path;
  throw new StartError(
    `Nothing of ${name} was saved at or before ${at.toISOString()}. The local databases have no Time Travel: npm run restore -- --env local --save`,
  );
}

/**
 * Takes the place of what is there in one transaction, so that a service that runs sees the one state or the other. Its rows
 * are exchanged and not the file, which the service holds open.
 */
function putBack(database: DatabaseSync, bookmark: string): void {
  database.exec('pragma foreign_keys = off');
  // The tables of an index of FTS5 are copied as they are.
  database.enableDefensive(false);
  database.prepare('attach ? as saved').run(bookmark);
  // What an index of FTS5 keeps itself comes and goes with it.
  const isOurs =
    "name not like '\\_cf%' escape '\\' and name not like 'sqlite\\_%' escape '\\' and name not like 'search\\_words\\_%' escape '\\'";
  const copy = (name: string) => {
    database.exec(`delete from main."${name}"; insert into main."${name}" select * from saved."${name}"`);
  };
  const inOrder = "order by case type when 'table' then 0 when 'index' then 1 when 'view' then 2 else 3 end";
  const made = (schema: string, order: string) =>
    database
      .prepare(`select type, name, sql from ${schema}.sqlite_master where sql is not null and ${isOurs} ${order}`)
      .all() as { type: string; name: string; sql: string }[];
  database.exec('begin immediate');
  for (const { type, name } of made('main', `${inOrder} desc`)) database.exec(`drop ${type} if exists main."${name}"`);
  const saved = made('saved', inOrder);
  for (const { type, name, sql } of saved) {
    database.exec(sql);
    if (type !== 'table') continue;
    const isIndex = sql.startsWith('CREATE VIRTUAL');
    for (const each of isIndex ? ['config', 'data', 'idx'].map((part) => `${name}_${part}`) : [name]) copy(each);
  }
  database.exec('commit; detach saved');
}

async function withDatabase<T>(
  dir: string,
  name: string,
  options: { isWritten?: boolean },
  work: (database: DatabaseSync) => T | Promise<T>,
): Promise<T> {
  const databases = openDatabases(dir, options);
  try {
    const database = databases[localNames().indexOf(name)];
    if (!database) throw new StartError(`There is no database ${name}.`);
    return await work(database);
  } finally {
    for (const each of databases) each.close();
  }
}
