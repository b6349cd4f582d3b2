import { type Giving, outboxEntry } from '../platform/commit';
import { enqueue } from '../platform/queue/enqueue';

/**
 * Returns a batch entry that enqueues the fetching of prescriptions after the commit.
 * @param rows the write that returns the ids of the prescriptions
 */
export function dueFetches(rows: Giving<{ id: string }>) {
  return outboxEntry([rows], { afterCommit: (ctx, rows) => enqueue(ctx, ctx.queues.prescriptionFetches, rows) });
}

/**
 * Returns a batch entry that enqueues the check of signatures after the commit.
 * @param rows the write that returns the ids of prescriptions whose file is stored
 */
export function dueChecks(rows: Giving<{ id: string }>) {
  return outboxEntry([rows], { afterCommit: (ctx, rows) => enqueue(ctx, ctx.queues.signatureChecks, rows) });
}
