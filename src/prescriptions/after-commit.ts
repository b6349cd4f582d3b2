import { type Giving, outboxEntry } from '../platform/commit';
import { enqueue } from '../platform/queue/enqueue';

/** Enqueues the fetching of prescriptions after the commit. @param rows the write that returns their ids */
export function dueFetches(rows: Giving<{ id: string }>) {
  return outboxEntry([rows], { afterCommit: (ctx, rows) => enqueue(ctx, ctx.queues.prescriptionFetches, rows) });
}

/** Enqueues the check of signatures after the commit. @param rows the write that returns the ids of stored files */
export function dueChecks(rows: Giving<{ id: string }>) {
  return outboxEntry([rows], { afterCommit: (ctx, rows) => enqueue(ctx, ctx.queues.signatureChecks, rows) });
}
