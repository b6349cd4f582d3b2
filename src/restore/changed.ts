import * as z from 'zod';
import type { Context } from '../platform/context';
import { listFiles, putText, readText } from '../platform/files';
import { changedPrefix } from './record';

/** What was changed in the time that is lost: ids, no more. */
const changedSchema = z.object({
  shard: z.int(),
  orgId: z.string(),
  orders: z.array(z.string()),
  requests: z.array(z.string()),
  /** The keys of prescriptions in R2. */
  files: z.array(z.string()),
  /** Those that were on the list of deletions. */
  givenUp: z.array(z.string()),
});
export type Changed = z.infer<typeof changedSchema>;

export const NOTHING = { orders: [], requests: [], files: [], givenUp: [] };

/** Objects of one page: each is a read of R2 and a batch of D1. */
const PAGE = 50;
/** One list of R2. */
const FILES_LISTED = 1_000;

/** @param place tells it from all others of the restore; written again, it replaces the one before */
export function writeChanged(ctx: Context, id: string, place: string, changed: Changed): Promise<void> {
  return putText(ctx, changedPrefix(id) + place, JSON.stringify(changed));
}

/** One page of what was changed. @param cursor `nextCursor` of the page before */
export async function readChanged(
  ctx: Context,
  id: string,
  cursor: string | undefined,
): Promise<{ changed: Changed[]; nextCursor: string | null }> {
  const prefix = changedPrefix(id);
  const startAfter = cursor === undefined ? undefined : prefix + cursor;
  const { keys, isTruncated } = await listFiles(ctx, { prefix, startAfter, limit: PAGE });
  const changed = await Promise.all(keys.map((key) => readOne(ctx, key)));
  return { changed, nextCursor: isTruncated ? (keys.at(-1)?.slice(prefix.length) ?? null) : null };
}

/** The keys of all prescriptions that were changed. */
export async function filesChanged(ctx: Context, id: string): Promise<ReadonlySet<string>> {
  const prefix = changedPrefix(id);
  const found = new Set<string>();
  let startAfter: string | undefined;
  do {
    const { keys, isTruncated } = await listFiles(ctx, { prefix, startAfter, limit: FILES_LISTED });
    const ofFiles = keys.filter((key) => key.includes('.prescriptions.'));
    const changed = await Promise.all(ofFiles.map((key) => readOne(ctx, key)));
    for (const file of changed.flatMap(({ files }) => files)) found.add(file);
    startAfter = isTruncated ? keys.at(-1) : undefined;
  } while (startAfter);
  return found;
}

async function readOne(ctx: Context, key: string): Promise<Changed> {
  return changedSchema.parse(JSON.parse((await readText(ctx, key)) ?? 'null'));
}
