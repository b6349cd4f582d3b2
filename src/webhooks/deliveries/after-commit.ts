import { type Giving, outboxEntry } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { type DueRow, enqueue } from '../../platform/enqueue';

/** Released deliveries of one commit that are enqueued; the sweep finds the others. */
const RELEASED_MAX = 500;
/** Deliveries that are due once the batch is committed. @param rows the statement that writes them and returns their ids */
export function dueDeliveries(rows: Giving<{ id: string }>) {
  return outboxEntry([], rows, startDue);
}

/** As `dueDeliveries`, for deliveries that waited and may have a time before which none is tried. */
export function releasedDeliveries(rows: Giving<Released>) {
  return outboxEntry([], rows, startReleased);
}

function startDue(ctx: Context, rows: readonly { id: string }[]): Promise<void> {
  return enqueue(ctx, ctx.queues.webhookDeliveries, rows);
}

function startReleased(ctx: Context, rows: readonly Released[]): Promise<void> {
  return enqueue(ctx, ctx.queues.webhookDeliveries, messagesFor(rows, ctx.now()));
}

interface Released {
  id: string;
  /** Epoch ms. */
  nextAttemptAt: number;
}

/** Queue messages for deliveries that were released, the oldest first, none before its time. */
export function messagesFor(released: readonly Released[], now: number): DueRow[] {
  return released
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, RELEASED_MAX)
    .map(({ id, nextAttemptAt }) => ({ id, delaySeconds: Math.max(0, Math.ceil((nextAttemptAt - now) / 1000)) }));
}
