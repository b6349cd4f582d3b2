import * as z from 'zod';
import type { Context } from './context';
import { describeError } from './log';

/** `sendBatch` takes at most 100 messages. */
const MESSAGES_MAX = 100;

/**
 * A message holds a row's id and nothing else. `v` is its version, so that two versions of the Worker can run at the
 * same time.
 */
const messageSchema = z.object({ v: z.literal(1), id: z.uuid() });

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
        body: { v: 1, id } satisfies z.infer<typeof messageSchema>,
        delaySeconds,
      }));
      await queue.sendBatch(messages);
    }
  } catch (error) {
    ctx.log('warn', 'enqueue_failed', { count: due.length, ...describeError(error) });
  }
}

/** The row ids in a batch of messages; malformed messages are dropped and logged. */
export function rowIdsOf(ctx: Context, messages: readonly unknown[]): string[] {
  const ids = messages.flatMap((message) => {
    const parsed = messageSchema.safeParse(message);
    return parsed.success ? [parsed.data.id] : [];
  });
  if (ids.length < messages.length) ctx.log('warn', 'malformed_message', { count: messages.length - ids.length });
  return ids;
}
