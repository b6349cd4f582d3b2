import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * Returns the content of a JSON file; null if there is none. Only `writeWhole` writes it, so it is never incomplete.
 */
export function readWhole<T>(path: string): T | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return null;
  }
}

/**
 * Writes a file so that it has either the old or the whole new content, even if the process is killed. @param mode of a
 * new file
 */
export function writeWhole(path: string, content: string | Uint8Array, mode?: number): void {
  const draft = `${path}.new`;
  writeFileSync(draft, content, { mode });
  renameSync(draft, path);
}
