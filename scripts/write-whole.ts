import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** What a file of JSON holds; null if there is none. Only `writeWhole` writes it, so it is never incomplete. */
export function readWhole<T>(path: string): T | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return null;
  }
}

/** Writes a file so that whoever is killed meanwhile leaves the one before or the whole new one. @param mode of a new file */
export function writeWhole(path: string, content: string | Uint8Array, mode?: number): void {
  const draft = `${path}.new`;
  writeFileSync(draft, content, { mode });
  renameSync(draft, path);
}
