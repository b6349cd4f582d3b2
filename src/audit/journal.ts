import * as z from 'zod';
import type { Context } from '../platform/context';
import { AppError } from '../platform/errors';
import { deleteFiles, listFiles, putText, readText } from '../platform/files';
import { newId } from '../platform/ids';
import { describeError } from '../platform/log';

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
  const key = `${JOURNAL_PREFIX}${new Date(ctx.now()).toISOString().slice(0, 10)}/${newId()}`;
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

/** A 409 with its own code. A lost race (`conflict`) does not count: the batch may have been committed before. */
function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.kind === 'conflict' && error.code !== 'conflict';
}

async function takeBack(ctx: Context, key: string): Promise<void> {
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

/**
 * One page of the journal, oldest first.
 * @param from.cursor `nextCursor` of the page before; from.sinceDay `yyyy-mm-dd`, for the first page
 */
export async function readJournal(
  ctx: Context,
  from: { cursor?: string; sinceDay?: string },
  limit: number,
): Promise<JournalPage> {
  const startAfter = from.cursor ?? (from.sinceDay && `${JOURNAL_PREFIX}${from.sinceDay}/`);
  const { keys, isTruncated } = await listFiles(ctx, { prefix: JOURNAL_PREFIX, startAfter, limit });
  const entries: JournalPage['entries'] = [];
  for (const key of keys) entries.push(entryOf(await readText(ctx, key)));
  return { entries, nextCursor: isTruncated ? (keys.at(-1) ?? null) : null };
}

function entryOf(text: string | null): JournaledErasure | null {
  const read = entrySchema.safeParse(parsed(text));
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
