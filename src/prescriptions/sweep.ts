import { isHostTakenElsewhere } from '../directory/reserve';
import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import type { Statement } from '../platform/data/statements';
import { ATTEMPTS_MAX } from '../platform/limits';
import { mapConcurrent } from '../platform/map-concurrent';
import { type DueRow, enqueue } from '../platform/queue/enqueue';
import { nextAttemptUnanswered } from '../platform/queue/retry';
import { deletionsOf } from '../platform/switches';
import type { Claim } from '../signatures/result';
import { type FetchFailure, fetchPdf, isPassing, withoutQuery } from './fetch';
import { isBucketOfAll, isOwnBucket, keysFound, pagesWithin } from './installation';
import * as limits from './limits';
import { type StoredPdf, storePdf } from './storage';
import * as store from './store';
import { findOrphans, isOver, moveToTrash, originalKeyOf, putBack, TRASH_PREFIX } from './trash';

/** How long a row must be overdue before the sweep sends another message for it. */
const GRACE_MS = 5_000;
const DUE_MAX = 200;

/**
 * Sends queue messages again for prescriptions that wait to be fetched. If the last attempt of a prescription was
 * interrupted, its fetch is ended as failed.
 */
export async function sweepFetches(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const due = await ctx.db.rows(store.selectDueFetches(ctx.now() - GRACE_MS, DUE_MAX));
  const spent = due.filter(({ attempt }) => attempt >= ATTEMPTS_MAX);
  await ctx.db.run({ ended: spent.map((claim) => planAfterFailure(ctx, claim, 'interrupted').statement) });
  await enqueue(
    ctx,
    ctx.queues.prescriptionFetches,
    due.filter(({ attempt }) => attempt < ATTEMPTS_MAX),
  );
  if (due.length > 0) ctx.log('info', 'fetches_swept', { count: due.length });
}

/**
 * The lease of a check. It is longer than a whole check, which reads the file, checks the file for at most 15 s, and
 * stores the report.
 */
const CHECK_LEASE_MS = 30_000;

/**
 * Claims the check of a prescription's signatures, for the Worker that checks them.
 * @param deliveries how often the queue has delivered the message
 * @returns null if there is nothing to claim
 */
export async function beginCheck(ctx: Context, id: string, deliveries: number): Promise<Claim | null> {
  requireSystem(ctx);
  const now = ctx.now();
  const [claim] = await ctx.db.rows(store.claimCheck(id, { now, leaseUntil: now + CHECK_LEASE_MS, deliveries }));
  return claim?.fileKey ? { fileKey: claim.fileKey, attempt: claim.attempt } : null;
}

/**
 * Sends queue messages again for checks of signatures whose message was lost or whose attempt did not finish.
 * @param end ends a check whose last attempt did not finish
 * @throws Error if no Worker claims the waiting checks
 */
export async function sweepChecks(
  ctx: Context,
  end: (at: Context, row: store.PrescriptionRow) => Promise<void>,
): Promise<void> {
  requireSystem(ctx);
  const now = ctx.now();
  const due = await ctx.db.rows(store.selectDueChecks(now - GRACE_MS, DUE_MAX));
  if (due.length === 0) return;
  for (const row of due.filter(({ checkAttempts }) => checkAttempts >= limits.SIGNATURE_CHECKS_MAX))
    await end(ctx, row);
  const waiting = due.filter(({ checkAttempts }) => checkAttempts < limits.SIGNATURE_CHECKS_MAX);
  await enqueue(ctx, ctx.queues.signatureChecks, waiting);
  ctx.log('info', 'checks_swept', { count: due.length });
  if (waiting.some(({ nextCheckAt }) => (nextCheckAt ?? now) < now - limits.SIGNATURE_CHECKS_STUCK_MS))
    throw new Error('Signatures wait to be checked, and nobody does');
}

/** The most rows whose marks one run deletes. */
const FORGOTTEN_MAX = 1000;

/**
 * Deletes the marks of erased prescriptions that were approved more than `MARKS_KEPT_MS` ago. Nobody can redeem these
 * prescriptions any more.
 */
export async function sweepMarks(ctx: Context): Promise<void> {
  requireSystem(ctx);
  await ctx.db.run({ forgotten: store.forgetMarks(ctx.now() - limits.MARKS_KEPT_MS, FORGOTTEN_MAX) });
}

/** The most files that one run moves. Each of them is read, written and deleted. */
const MOVED_MAX = 200;

/**
 * Moves files for which no database has a row into the trash. Only this sweep moves such files. A request never does,
 * because a batch that seemed to fail may have been committed. Too many such files are probably due to a restore or a
 * wrong database. Then nothing is moved, and an error is logged until the rows are back, or the operator switches
 * `deletions` to `confirmed`.
 */
export async function sweepOrphanFiles(ctx: Context): Promise<void> {
  requireSystem(ctx);
  if (!(await isBucketOfAll(ctx))) return;
  const { seen, count, keys } = await findOrphans(ctx, MOVED_MAX);
  const isTooMany = count > Math.max(limits.UNEXPLAINED_MAX, seen * limits.UNEXPLAINED_SHARE_MAX);
  if (isTooMany && (await deletionsOf(ctx)) !== 'confirmed') {
    ctx.log('error', 'deletions_stopped', { code: 'too_many_orphans', count, total: seen });
    return;
  }
  const moved = await moveToTrash(ctx, keys, 'orphan');
  ctx.log('info', 'orphan_files_moved', { count: moved.length, total: seen });
}

/**
 * Moves files on the deletion list into the trash. A file is removed from the list only after it was moved, so that no
 * file is lost if a run is interrupted.
 */
export async function sweepFileDeletions(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const waiting = await ctx.db.rows(store.selectFileDeletions(MOVED_MAX));
  if (waiting.length === 0 || !(await isOwnBucket(ctx))) return;
  const moved = await moveToTrash(
    ctx,
    waiting.map(({ fileKey }) => fileKey),
    'given_up',
  );
  await ctx.db.run({ done: store.deleteFileDeletions(moved) });
  ctx.log('info', 'given_up_files_moved', { count: moved.length, total: waiting.length });
}

/** The page size of R2's list and delete, and the number of keys in one statement. */
const TRASH_PAGE = 1_000;
/** The most queries of one run. With one database, they are enough for 200,000 files, oldest first. */
const TRASH_QUERIES_MAX = 200;

/**
 * Deletes files that have been in the trash long enough. If a row refers to a file again after a restore, moves the
 * file back. The rows of all databases are checked before anything is deleted.
 */
export async function sweepTrash(ctx: Context): Promise<void> {
  requireSystem(ctx);
  if (!(await isBucketOfAll(ctx))) return;
  const pagesMax = pagesWithin(ctx, TRASH_QUERIES_MAX);
  const counts = { seen: 0, back: 0, deleted: 0 };
  let cursor: string | undefined;
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const options = { prefix: TRASH_PREFIX, limit: TRASH_PAGE, cursor, include: ['customMetadata' as const] };
    const page = await ctx.files.list(options);
    const { named, over } = await judge(ctx, page.objects);
    if (over.length > 0) await ctx.files.delete(over);
    counts.back += await putBack(ctx, named.slice(0, MOVED_MAX - counts.back));
    counts.deleted += over.length;
    counts.seen += page.objects.length;
    if (!page.truncated) break;
    cursor = page.cursor;
  }
  ctx.log('info', 'trash_files_deleted', { count: counts.deleted, total: counts.seen });
  if (counts.back > 0) ctx.log('warn', 'trash_files_put_back', { count: counts.back, total: counts.seen });
}

async function judge(ctx: Context, objects: readonly R2Object[]): Promise<{ named: string[]; over: string[] }> {
  const originals = objects.map(({ key }) => originalKeyOf(key));
  const known = await keysFound(ctx, originals, store.selectReferenced);
  const isNamed = ({ key }: R2Object) => known.has(originalKeyOf(key));
  return {
    named: objects.filter(isNamed).map(({ key }) => key),
    over: objects.filter((object) => !isNamed(object) && isOver(object, ctx.now())).map(({ key }) => key),
  };
}

/**
 * The lease of a fetch. It is longer than a whole batch takes: two rounds of fetches of 15 s each, and the writes
 * before and after them.
 */
const LEASE_MS = 60_000;
/** How many prescriptions are fetched at a time. Each fetch may need twice 10 MiB of the isolate's memory. */
const FETCHES_AT_ONCE = 2;

type Outcome = { pdf: StoredPdf } | { failure: FetchFailure };

/**
 * Fetches and stores the prescriptions that queue messages name. The caller acknowledges every message, also if a fetch
 * failed: a row stores that the fetch is due, and `sweepFetches` sends a message for the row again.
 * @param ids ids of prescriptions in the context's database
 */
export async function consumeFetches(ctx: Context, ids: readonly string[]): Promise<void> {
  requireSystem(ctx);
  const now = ctx.now();
  const claimed = await ctx.db.rows(store.claimFetches(ids, now, now + LEASE_MS));
  const done = await mapConcurrent(claimed, FETCHES_AT_ONCE, async (claim) =>
    recordFetch(ctx, claim, await fetchAndStore(ctx, claim)),
  );
  const stored = done.flatMap(({ fileKey }) => fileKey ?? []);
  await ctx.db.run({
    recorded: done.map(({ statement }) => statement),
    // If the prescription was erased during the fetch, no row refers to the file.
    unused: stored.length > 0 ? store.giveUpUnlessNamed({ fileKeys: stored, now: ctx.now() }) : undefined,
  });
  await enqueue(
    ctx,
    ctx.queues.prescriptionFetches,
    done.flatMap(({ message }) => message ?? []),
  );
  await enqueue(
    ctx,
    ctx.queues.signatureChecks,
    done.flatMap(({ toCheck }) => toCheck ?? []),
  );
}

async function fetchAndStore(ctx: Context, claim: store.ClaimedFetch): Promise<Outcome> {
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
  /** The key of the file that was stored. */
  fileKey?: string;
  message?: DueRow;
  toCheck?: DueRow;
}

function recordFetch(ctx: Context, claim: store.ClaimedFetch, outcome: Outcome): Plan {
  const now = ctx.now();
  if ('pdf' in outcome) {
    const found = { ...outcome.pdf, sourceUrl: claim.url ? withoutQuery(claim.url) : null, fetchFailure: null };
    const changes = { status: 'stored' as const, ...found, nextCheckAt: now, updatedAt: now };
    return { statement: store.finishFetch(claim, changes), fileKey: outcome.pdf.fileKey, toCheck: { id: claim.id } };
  }
  return planAfterFailure(ctx, claim, outcome.failure);
}

/**
 * Returns what follows a failed attempt: a statement that ends the fetch or schedules the next attempt. For a next
 * attempt, also returns the queue message that starts it.
 */
function planAfterFailure(ctx: Context, claim: { id: string; attempt: number }, failure: FetchFailure): Plan {
  const now = ctx.now();
  const nextAt = isPassing(failure) ? nextAttemptUnanswered(ctx, claim.attempt, now) : null;
  const changes = { fetchFailure: failure, updatedAt: now };
  if (nextAt === null) {
    return { statement: store.finishFetch(claim, { ...changes, status: 'fetch_failed' }) };
  }
  return {
    statement: store.finishFetch(claim, { ...changes, nextFetchAt: nextAt }),
    message: { id: claim.id, delaySeconds: Math.floor((nextAt - now) / 1000) },
  };
}
