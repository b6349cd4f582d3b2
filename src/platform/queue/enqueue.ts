import type { Context } from '../context';
import { inPages } from '../data/page';
import { logged } from '../log';
import { MESSAGES_MAX, type Message } from './jobs';

export interface DueRow {
  id: string;
  /** How long the queue keeps the message before it delivers it, in whole seconds. */
  delaySeconds?: number;
}

/**
 * Sends queue messages for rows that are due. Call it after the rows are committed. It never throws, because the rows
 * hold the state, and the sweep finds every row whose message was lost.
 */
export async function enqueue(ctx: Context, queue: Queue<unknown>, due: readonly DueRow[]): Promise<void> {
  await logged(ctx, ['warn', 'enqueue_failed', { count: due.length }], async () => {
    for (const page of inPages(due, MESSAGES_MAX)) {
      const messages = page.map(({ id, delaySeconds = 0 }) => ({
        body: { v: 2, shard: ctx.db.shard, id } satisfies Message,
        delaySeconds,
      }));
      await queue.sendBatch(messages);
    }
  });
}
