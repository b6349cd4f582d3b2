import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { applyMigrations, BUSY_MS_MAX, databasePaths, localNames } from '../database.ts';
import { StartError } from '../errors.ts';
import type { Databases } from './databases.ts';

/** The folder of the saved states of the local databases. Each save has a subfolder with its time. */
const FOLDER = 'bookmarks';

/**
 * Returns the databases of the local service, which may be running. There is no Time Travel: only states that `--save`
 * has saved can be restored.
 * @param dir the directory with all data of the service
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
    restore: (name, bookmark) => copy(bookmark, pathOf(dir, name)),
    migrate: async () => applyMigrations(dir),
  };
}

/** Saves all databases as they are now. @returns the time to pass as `--at` */
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
  // The file gets its name once it is complete.
  await copy(pathOf(dir, name), `${path}.part`);
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

/** Copies a database. The target may be open in a service: each reader then sees either the old or the new state. */
async function copy(from: string, to: string): Promise<void> {
  using database = new DatabaseSync(from, { readOnly: true, timeout: BUSY_MS_MAX });
  const until = Date.now() + BUSY_MS_MAX;
  for (;;) {
    try {
      await backup(database, to);
      return;
    } catch (error) {
      // If another process writes to the target, Node does not wait. It fails before the first page, without an error
      // code of SQLite.
      if ((error as { errcode?: number }).errcode !== 0 || Date.now() > until) throw error;
      await setTimeout(10);
    }
  }
}

/** @throws StartError if there is no such database */
function pathOf(dir: string, name: string): string {
  const path = databasePaths(dir)[localNames().indexOf(name)];
  if (path && existsSync(path)) return path;
  throw new StartError(`There is no database ${name}.`);
}
