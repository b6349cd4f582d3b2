import { isHostTakenElsewhere } from '../directory/service';
import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import type { Statement } from '../platform/data/db';
import { mapConcurrent } from '../platform/map-concurrent';
import { type DueRow, enqueue } from '../platform/queue/enqueue';
import { nextAttemptAt } from '../platform/queue/retry';
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
 * Fetches the prescriptions that the queue messages of one database name. Messages are only hints: the caller
 * acknowledges all of them.
 */
export async function consumeFetches(ctx: Context, ids: readonly string[]): Promise<void> {
  requireSystem(ctx);
  const now = ctx.now();
  const { claimed } = await ctx.db.run({ claimed: claimFetches(ids, now, now + LEASE_MS) });
  const done = await mapConcurrent(claimed, FETCHES_AT_ONCE, async (claim) =>
    recordFetch(ctx, claim, await fetchAndStore(ctx, claim)),
  );
  const stored = done.flatMap(({ fileKey }) => fileKey ?? []);
  await ctx.db.run({
    recorded: done.map(({ statement }) => statement),
    // If the prescription was erased during the fetch, no row refers to the file.
    unused: stored.length > 0 ? giveUpUnlessNamed({ fileKeys: stored, now: ctx.now() }) : undefined,
  });
  await enqueue(
    ctx,
    ctx.queues.prescriptionFetches,
    done.flatMap(({ message }) => message ?? []),
  );
}

async function fetchAndStore(ctx: Context, claim: ClaimedFetch): Promise<Outcome> {
  try {
    const isOwnHost = claim.isOwnHost === 1 || (claim.host !== null && (await isHostTakenElsewhere(ctx, claim.host)));
    const fetched = await fetchPdf(ctx, claim.url, isOwnHost);
    if ('failure' in fetched) return fetched;
    return { pdf: await storePdf(ctx, fetched.bytes, claim) };
  } catch {
    return { failure: 'storage' };
  }
}

interface Plan {
  statement: Statement;
  /** The file that was stored. */
  fileKey?: string;
  message?: DueRow;
}

function recordFetch(ctx: Context, claim: ClaimedFetch, outcome: Outcome): Plan {
  const now = ctx.now();
  if ('pdf' in outcome) {
    const sourceUrl = claim.url ? withoutQuery(claim.url) : null;
    const changes = { status: 'stored' as const, ...outcome.pdf, sourceUrl, fetchFailure: null, updatedAt: now };
    return { statement: finishFetch(claim, changes), fileKey: outcome.pdf.fileKey };
  }
  return planAfterFailure(ctx, claim, outcome.failure);
}

/** What follows a failed attempt: the next one with its queue message, or the end. */
export function planAfterFailure(ctx: Context, claim: { id: string; attempt: number }, failure: FetchFailure): Plan {
  const now = ctx.now();
  const nextAt = isPassing(failure)
    ? nextAttemptAt({
        attempt: claim.attempt,
        now,
        random: ctx.random(),
        scheduleSeconds: ctx.config.retryScheduleSeconds,
        httpStatus: null,
        retryAfter: null,
      })
    : null;
  const changes = { fetchFailure: failure, updatedAt: now };
  if (nextAt === null) {
    return { statement: finishFetch(claim, { ...changes, status: 'fetch_failed' }) };
  }
  return {
    statement: finishFetch(claim, { ...changes, nextFetchAt: nextAt }),
    message: { id: claim.id, delaySeconds: Math.floor((nextAt - now) / 1000) },
  };
}
