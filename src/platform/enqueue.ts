import * as z from 'zod';
import type { Context } from './context';
import { describeError } from './log';

/** `sendBatch` takes at most 100 messages. */
const MESSAGES_MAX = 100;

/**
 * A message names a row and the number of its database, and nothing else. `v` is its version, so that two versions of the
 * Worker can run at the same time.
 */
const messageSchema = z.object({ v: z.literal(2), shard: z.int().nonnegative(), id: z.uuid() });
type Message = z.infer<typeof messageSchema>;

export interface DueRow {
  id: string;
  /** Whole seconds; the message is not delivered earlier. */
  delaySeconds?: number;
}

/**
 * Sends queue messages for rows that are due; call it after their commit. Never throws: the state is in the rows, and
 * the sweep finds every row whose message was lost.
 */
export async function enqueue(ctx: Context, queue: Queue<unknown>, due: readonly DueRow[]): Promise<void> {
  try {
    for (let start = 0; start < due.length; start += MESSAGES_MAX) {
      const messages = due.slice(start, start + MESSAGES_MAX).map(({ id, delaySeconds = 0 }) => ({
        body: { v: 2, shard: ctx.db.shard, id } satisfies Message,
        delaySeconds,
      }));
      await queue.sendBatch(messages);
    }
  } catch (error) {
    ctx.log('warn', 'enqueue_failed', { count: due.length, ...describeError(error) });
  }
}

/** The messages of a batch by the number of their database; malformed ones are dropped and logged. */
export function messagesByShard(ctx: Context, messages: readonly unknown[]): ReadonlyMap<number, string[]> {
  const known = messages.flatMap((message) => {
    const parsed = messageSchema.safeParse(message);
    return parsed.success && parsed.data.shard < ctx.databases.count ? [parsed.data] : [];
  });
  if (known.length < messages.length) ctx.log('warn', 'malformed_message', { count: messages.length - known.length });
  const byShard = Map.groupBy(known, ({ shard }) => shard);
  return new Map([...byShard].map(([shard, of]) => [shard, of.map(({ id }) => id)]));
}
