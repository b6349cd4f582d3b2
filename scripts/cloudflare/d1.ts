import { StartError } from '../errors.ts';
import type { Cloudflare } from './client.ts';

/** A database in the form that Cloudflare returns. */
export interface D1Database {
  uuid: string;
  name: string;
  /** Missing if the database was created without a jurisdiction. It can never be changed. */
  jurisdiction?: string | null;
}

/** Returns the database with this name, including its jurisdiction; null if there is none. */
export async function findDatabase(cloudflare: Cloudflare, name: string): Promise<D1Database | null> {
  const named = await cloudflare.list<D1Database>(`${cloudflare.account}/d1/database?name=${encodeURIComponent(name)}`);
  const found = named.find((database) => database.name === name);
  return found ? cloudflare.read<D1Database>(`${cloudflare.account}/d1/database/${found.uuid}`) : null;
}

/** Creates a database in the EU. */
export function createDatabase(cloudflare: Cloudflare, name: string): Promise<D1Database> {
  const body = { name, jurisdiction: 'eu' };
  return cloudflare.write('POST', `${cloudflare.account}/d1/database`, body, { uuid: `{id_of_${name}}`, ...body });
}

/**
 * Returns a Time Travel bookmark of a database: of its current state, or of its state at a time in the last 30 days.
 * @param at ISO 8601
 * @throws StartError if there is no bookmark for that time
 */
export async function readBookmark(cloudflare: Cloudflare, uuid: string, at?: string): Promise<string> {
  const query = at === undefined ? '' : `?timestamp=${encodeURIComponent(at)}`;
  const path = `${cloudflare.account}/d1/database/${uuid}/time_travel/bookmark${query}`;
  const found = await cloudflare.read<{ bookmark: string }>(path);
  if (!found) throw new StartError(`GET ${path}: there is no such database.`);
  return found.bookmark;
}

/** Restores a database to a bookmark. */
export async function restoreToBookmark(cloudflare: Cloudflare, uuid: string, bookmark: string): Promise<void> {
  const path = `${cloudflare.account}/d1/database/${uuid}/time_travel/restore?bookmark=${encodeURIComponent(bookmark)}`;
  await cloudflare.write('POST', path, undefined, {});
}
