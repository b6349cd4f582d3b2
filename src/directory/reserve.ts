import type { Context } from '../platform/context';
import type { Statement } from '../platform/db';
import { insertEntry } from './store';
import type { DirectoryKind } from './tables';

/** What leads to an organization. */
export interface Entry {
  kind: DirectoryKind;
  key: string;
  orgId: string;
}

/**
 * Writes what leads to an organization into the directory, before the organization's own database has it: whatever ends in
 * between leaves a row that leads to nothing, never something that nothing leads to.
 * @returns statements for the batch that writes what the entry stands for: where that is the database of the directory, too,
 *   both are one batch
 */
export async function reserve(ctx: Context, entry: Entry): Promise<Statement[]> {
  const { shard } = ctx.db;
  const directory = shard === 0 ? ctx.db : ctx.databases.at(0);
  const write = insertEntry(directory, { ...entry, shard, createdAt: ctx.now() });
  if (shard === 0) return [write];
  await directory.run({ write });
  return [];
}
