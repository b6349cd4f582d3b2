import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import type { Statement } from '../platform/db';
import { type DueRow, enqueue, rowIdsOf } from '../platform/enqueue';
import { mapConcurrent } from '../platform/map-concurrent';
import { nextAttemptAt } from '../platform/retry';
import { type FetchFailure, fetchPdf, isPassing, withoutQuery } from './fetch';
import { type StoredPdf, storePdf } from './storage';
import { type ClaimedFetch, claimFetches, finishFetch } from './store';
import { giveUpUnlessNamed } from './store-files';

/** Longer than a whole batch takes: two rounds of fetches at 15 s each, and the writes before and after. */
const LEASE_MS = 60_000;
/** Each fetch may need 10 MiB of the isolate's memory, twice. */
const FETCHES_AT_ONCE = 2;

type Outcome = { pdf: StoredPdf } | { failure: FetchFailure };

/**
 * Fetches the prescriptions of a batch of queue messages. Messages are only hints: the caller acknowledges all of them.
 */
export async function consumeFetches(ctx: Context, messages: readonly unknown[]): Promise<void> {
  requireSystem(ctx);
  const ids = rowIdsOf(ctx, messages);
  if (ids.length === 0) return;
  const now = ctx.now();
  const { claimed } = await ctx.db.run({ claimed: claimFetches(ctx.db, ids, now, now + LEASE_MS) });
  const done = await mapConcurrent(claimed, FETCHES_AT_ONCE, async (held) =>
    recordFetch(ctx, held, await fetchAndStore(ctx, held)),
  );
  const stored = done.flatMap(({ fileKey }) => fileKey ?? []);
  await ctx.db.run({
    recorded: done.map(({ statement }) => statement),
    // If the prescription was erased during the fetch, no row refers to the file.
    unused: stored.length > 0 ? giveUpUnlessNamed(ctx.db, stored, ctx.now()) : undefined,
  });
  await enqueue(
    ctx,
    ctx.queues.prescriptionFetches,
    done.flatMap(({ doorbell }) => doorbell ?? []),
  );
}

async function fetchAndStore(ctx: Context, held: ClaimedFetch): Promise<Outcome> {
  const fetched = await fetchPdf(ctx, held);
  if ('failure' in fetched) return fetched;
  try {
    return { pdf: await storePdf(ctx, fetched.bytes) };
  } catch {
    return { failure: 'storage' };
  }
}

interface Plan {
  statement: Statement;
  /** The file that was stored. */
  fileKey?: string;
  doorbell?: DueRow;
}

function recordFetch(ctx: Context, held: ClaimedFetch, outcome: Outcome): Plan {
  const now = ctx.now();
  if ('pdf' in outcome) {
    const sourceUrl = held.url ? withoutQuery(held.url) : null;
    const changes = { status: 'stored' as const, ...outcome.pdf, sourceUrl, fetchFailure: null, updatedAt: now };
    return { statement: finishFetch(ctx.db, held, changes), fileKey: outcome.pdf.fileKey };
  }
  return planAfterFailure(ctx, held, outcome.failure);
}

/** What follows a failed attempt: the next one with its queue message, or the end. */
export function planAfterFailure(ctx: Context, held: { id: string; attempt: number }, failure: FetchFailure): Plan {
  const now = ctx.now();
  const nextAt = isPassing(failure)
    ? nextAttemptAt({
        attempt: held.attempt,
        now,
        random: ctx.random(),
        scheduleSeconds: ctx.config.retryScheduleSeconds,
        httpStatus: null,
        retryAfter: null,
      })
    : null;
  const changes = { fetchFailure: failure, updatedAt: now };
  if (nextAt === null) {
    return { statement: finishFetch(ctx.db, held, { ...changes, status: 'fetch_failed' }) };
  }
  return {
    statement: finishFetch(ctx.db, held, { ...changes, nextFetchAt: nextAt }),
    doorbell: { id: held.id, delaySeconds: Math.floor((nextAt - now) / 1000) },
  };
}
