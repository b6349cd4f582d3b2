import * as z from 'zod';
import type { Context } from '../platform/context';
import { AppError } from '../platform/errors';
import { deleteFiles, listFiles, putText, readText } from '../platform/files';
import { newId } from '../platform/ids';
import { describeError } from '../platform/log';
import { requireWrites } from '../platform/switches';

/**
 * A record of erasures outside the database: after a restore of D1 it says whose data has to be erased again
 * (src/order-requests/erasure/replay.ts). Holds only ids.
 */
const entrySchema = z.object({
  v: z.literal(1),
  org_id: z.string(),
  kind: z.enum(['customer', 'order_request', 'order', 'retention']),
  customer_ids: z.array(z.string()),
  order_request_ids: z.array(z.string()),
  order_ids: z.array(z.string()),
});

export interface ErasureEntry {
  orgId: string;
  kind: z.infer<typeof entrySchema>['kind'];
  customerIds?: readonly string[];
  requestIds?: readonly string[];
  orderIds?: readonly string[];
}

export type JournaledErasure = Required<ErasureEntry>;

export const JOURNAL_PREFIX = 'journal/';

/** `journal/<day>/<id>`: of an erasure; with `.hold` or `.access` behind it, of a note (journal-notes.ts). */
export function journalKey(ctx: Context, kind?: string): string {
  const day = new Date(ctx.now()).toISOString().slice(0, 10);
  return `${JOURNAL_PREFIX}${day}/${newId()}${kind ? `.${kind}` : ''}`;
}

/**
 * Runs an erasure with its journal entry. The entry is written before the batch, since an erasure that is committed must
 * never be missing from the journal. One that was refused is taken back; when it is not known whether the batch was
 * committed (the process died, D1 did not answer), the entry stays: somebody who may do so asked for exactly that, and
 * nothing stood in the way when it was written.
 * @param work gets the function that writes the entry; called again, it replaces the entry
 * @throws AppError `backend_unreachable` when R2 cannot be reached: nothing is erased then
 */
export async function journaling<T>(
  ctx: Context,
  work: (write: (entry: ErasureEntry) => Promise<void>) => Promise<T>,
): Promise<T> {
  await requireWrites(ctx);
  const key = journalKey(ctx);
  let isWritten = false;
  try {
    return await work(async (entry) => {
      await putText(ctx, key, textOf(entry));
      isWritten = true;
    });
  } catch (error) {
    if (isWritten && isRefusal(error)) await takeBack(ctx, key);
    throw error;
  }
}

/**
 * A 409 with its own code: nothing was written. A lost race (`conflict`) and a 404 do not count: the batch may have been
 * committed before.
 */
export function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.kind === 'conflict' && error.code !== 'conflict';
}

export async function takeBack(ctx: Context, key: string): Promise<void> {
  try {
    await deleteFiles(ctx, [key]);
  } catch (error) {
    ctx.log('error', 'journal_not_taken_back', describeError(error));
  }
}

function textOf({ orgId, kind, customerIds, requestIds, orderIds }: ErasureEntry): string {
  return JSON.stringify({
    v: 1,
    org_id: orgId,
    kind,
    customer_ids: customerIds ?? [],
    order_request_ids: requestIds ?? [],
    order_ids: orderIds ?? [],
  });
}

interface JournalPage {
  /** Null for an entry that cannot be read. */
  entries: (JournaledErasure | null)[];
  /** The key after which the next page begins, null at the end. */
  nextCursor: string | null;
}

/** Where a page begins: `cursor` is `nextCursor` of the page before; `sinceDay` (`yyyy-mm-dd`) is for the first one. */
export interface JournalStart {
  cursor?: string;
  sinceDay?: string;
}

/** One page of the journal's erasures, oldest first. */
export async function readJournal(ctx: Context, from: JournalStart, limit: number): Promise<JournalPage> {
  const { stored, nextCursor } = await readStored(ctx, from, limit, '');
  return { entries: stored.map(erasureOf), nextCursor };
}

/** Keys of one list of R2; those of another kind are passed over. */
const LISTED = 500;

/** One page of the journal's entries of a kind, parsed; undefined where one is no JSON. */
export async function readStored(ctx: Context, from: JournalStart, limit: number, kind: string) {
  const startAfter = from.cursor ?? (from.sinceDay && `${JOURNAL_PREFIX}${from.sinceDay}/`);
  const { keys, isTruncated } = await listFiles(ctx, { prefix: JOURNAL_PREFIX, startAfter, limit: LISTED });
  const matching = keys.filter((key) => kindOf(key) === kind);
  const page = matching.slice(0, limit);
  const stored: unknown[] = [];
  for (const key of page) stored.push(parsed(await readText(ctx, key)));
  const last = matching.length > limit ? page.at(-1) : isTruncated ? keys.at(-1) : undefined;
  return { stored, nextCursor: last ?? null };
}

function kindOf(key: string): string {
  const dot = key.lastIndexOf('.');
  return dot < 0 ? '' : key.slice(dot + 1);
}

function erasureOf(stored: unknown): JournaledErasure | null {
  const read = entrySchema.safeParse(stored);
  if (!read.success) return null;
  const { org_id, kind, customer_ids, order_request_ids, order_ids } = read.data;
  return { orgId: org_id, kind, customerIds: customer_ids, requestIds: order_request_ids, orderIds: order_ids };
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
