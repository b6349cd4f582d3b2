import { type Giving, outboxEntry } from '../platform/commit';
import type { Context } from '../platform/context';
import { enqueue } from '../platform/queue/enqueue';

/** Enqueues the fetching of prescriptions after the commit. @param rows the write that returns their ids */
export function dueFetches(rows: Giving<{ id: string }>) {
  return outboxEntry([rows], { afterCommit: start });
}

/** Enqueues the check of signatures after the commit. @param rows the write that returns the ids of stored files */
export function dueChecks(rows: Giving<{ id: string }>) {
  return outboxEntry([rows], { afterCommit: startChecks });
}

function startChecks(ctx: Context, rows: readonly { id: string }[]): Promise<void> {
  return enqueue(ctx, ctx.queues.signatureChecks, rows);
}

function start(ctx: Context, rows: readonly { id: string }[]): Promise<void> {
  return enqueue(ctx, ctx.queues.prescriptionFetches, rows);
}
