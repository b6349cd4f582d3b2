import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Where wrangler keeps D1, below the directory that a service stores its state in. */
const D1 = 'state/v3/d1/miniflare-D1DatabaseObject';

/**
 * Opens the local D1 database of a service by its file, for what no API tells; the service may run.
 * @param dir the directory that holds everything of the service
 * @returns null if there is none yet
 */
export function openDatabase(dir: string, { isWritten = false } = {}): DatabaseSync | null {
  const path = join(dir, D1);
  const files = existsSync(path) ? readdirSync(path) : [];
  const [file, ...others] = files.filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite');
  if (others.length > 0) throw new Error(`There are several databases in ${path}.`);
  return file ? new DatabaseSync(join(path, file), { readOnly: !isWritten }) : null;
}
