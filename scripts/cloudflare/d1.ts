import { StartError } from '../errors.ts';
import type { Cloudflare } from './client.ts';

/** A database as Cloudflare tells it. */
export interface D1Database {
  uuid: string;
  name: string;
  /** Missing where it was made without one; it can never be changed. */
  jurisdiction?: string | null;
}

/** The database of this name, with its jurisdiction, or null. */
export async function findDatabase(cloudflare: Cloudflare, name: string): Promise<D1Database | null> {
  const named = await cloudflare.list<D1Database>(`${cloudflare.account}/d1/database?name=${encodeURIComponent(name)}`);
  const found = named.find((database) => database.name === name);
  return found ? cloudflare.read<D1Database>(`${cloudflare.account}/d1/database/${found.uuid}`) : null;
}

/** Makes one in the EU. */
export function createDatabase(cloudflare: Cloudflare, name: string): Promise<D1Database> {
  const body = { name, jurisdiction: 'eu' };
  return cloudflare.write('POST', `${cloudflare.account}/d1/database`, body, { uuid: `{id_of_${name}}`, ...body });
}

/**
 * Where a database stands now, or stood at a time of the last 30 days, as Time Travel takes it.
 * @param at ISO 8601
 * @throws StartError when nothing of that time is there
 */
export async function readBookmark(cloudflare: Cloudflare, uuid: string, at?: string): Promise<string> {
  const query = at === undefined ? '' : `?timestamp=${encodeURIComponent(at)}`;
  const path = `${cloudflare.account}/d1/database/${uuid}/time_travel/bookmark${query}`;
  const found = await cloudflare.read<{ bookmark: string }>(path);
  if (!found) throw new StartError(`GET ${path}: there is no such database.`);
  return found.bookmark;
}

/** Puts a database back. */
export async function restoreToBookmark(cloudflare: Cloudflare, uuid: string, bookmark: string): Promise<void> {
  const path = `${cloudflare.account}/d1/database/${uuid}/time_travel/restore?bookmark=${encodeURIComponent(bookmark)}`;
  await cloudflare.write('POST', path, undefined, {});
}
