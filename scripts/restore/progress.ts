import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { readWhole, writeWhole } from '../write-whole.ts';

/** How far a restore is: ids and bookmarks, no secrets. A file that git ignores, until the restore is done. */
export interface Progress {
  id: string;
  /** What was switched before, which the end puts back. */
  switches?: { intake: string; deletions: string };
  /** Where each database stood before: by it all can be undone. */
  bookmarks: Record<string, string>;
  /** The steps that are done; of `restore` each database. */
  done: string[];
}

export class ProgressFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  read(): Progress | null {
    return readWhole(this.path);
  }

  write(progress: Progress): void {
    mkdirSync(dirname(this.path), { recursive: true });
    writeWhole(this.path, JSON.stringify(progress, null, 2));
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}
