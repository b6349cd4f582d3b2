import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { readWhole, writeWhole } from '../write-whole.ts';

/**
 * The progress of a restore: ids and bookmarks, no secrets. It is in a file that git ignores, until the restore is
 * done.
 */
export interface Progress {
  id: string;
  /** The switches before the restore. The last steps set them again. */
  switches?: { intake: string; deletions: string };
  /** A bookmark of each database before the restore. With these, everything can be undone. */
  bookmarks: Record<string, string>;
  /** The steps that are done. The step `restore` has an entry for each database. */
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
