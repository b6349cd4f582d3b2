import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file so that whoever is killed meanwhile leaves the one before or the whole new one. @param mode of a new file */
export function writeWhole(path: string, content: string | Uint8Array, mode?: number): void {
  const draft = `${path}.new`;
  writeFileSync(draft, content, { mode });
  renameSync(draft, path);
}
