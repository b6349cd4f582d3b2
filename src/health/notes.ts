import type { Context } from '../platform/context';
import { selectInstallation } from '../platform/data/databases';
import { organizationUnavailable } from '../platform/errors/errors';
import { newId } from '../platform/ids';
import { onceFor } from '../platform/isolate-cache';
import { logged } from '../platform/log';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../platform/time';
import { installationIds } from '../prescriptions/installation';
import { DEAD_LETTERS_MINUTES, ERRORS_MINUTES, JOBS_MINUTES } from './limits';

/**
 * The prefixes of notes that isolates leave for the checks. Notes are stored as metadata of empty objects in the
 * bucket, so that one list reads them and no database is needed.
 */
const ERRORS = 'operations/errors/';
const DEAD_LETTERS = 'operations/dead-letters/';
const JOBS = 'operations/jobs/';
const LISTED_MAX = 1_000;
const WRITE_EVERY_MS = 10_000;
const ON_PURPOSE = 503;

/** The number of requests of an isolate since a time, and how many of them failed. */
interface Counted {
  id: string;
  since: number;
  total: number;
  failed: number;
  writtenAt: number;
}

const countedOf = onceFor((_files: R2Bucket): { current?: Counted } => ({}));

/**
 * Counts a response of this isolate. 503 does not count as failed, because it is a deliberate refusal. Writes nothing
 * while no request has failed, otherwise one object at most every ten seconds.
 */
export function noteAnswer(ctx: Context, status: number): void {
  const memory = countedOf(ctx.files);
  const now = ctx.now();
  if (!memory.current || Math.abs(now - memory.current.since) >= ERRORS_MINUTES * MINUTE_MS) {
    memory.current = { id: newId(), since: now, total: 0, failed: 0, writtenAt: 0 };
  }
  const counted = memory.current;
  counted.total += 1;
  if (status >= 500 && status !== ON_PURPOSE) counted.failed += 1;
  if (counted.failed === 0 || now - counted.writtenAt < WRITE_EVERY_MS) return;
  counted.writtenAt = now;
  ctx.defer(note(ctx, `${ERRORS}${counted.id}`, { at: now, total: counted.total, failed: counted.failed }));
}

/** Records the number of messages that a queue has given up. */
export function noteDeadLetters(ctx: Context, count: number): Promise<void> {
  return note(ctx, `${DEAD_LETTERS}${newId()}`, { at: ctx.now(), count });
}

/** When each job last failed in this isolate, by job name. */
const failuresOf = onceFor((_files: R2Bucket): Map<string, number> => new Map());

/**
 * Records the outcome of a job's run in the bucket, in one object per job and database. It records each failure, and
 * the first success after a failure in this isolate. For a job that keeps succeeding, it writes nothing.
 */
export async function noteJob(
  ctx: Context,
  { job, shard }: { job: string; shard?: number | undefined },
  hasFailed: boolean,
): Promise<void> {
  const name = shard === undefined ? job : `${job} ${shard}`;
  const failures = failuresOf(ctx.files);
  const at = hasFailed ? ctx.now() : failures.get(name);
  if (at === undefined) return;
  if (!hasFailed) {
    failures.delete(name);
    // Without `since`, the next failure starts a new series.
    return note(ctx, JOBS + name, { at });
  }
  failures.set(name, at);
  const before = await ctx.files.head(JOBS + name).catch(() => null);
  const isOfLate = before && timeOf(before) > at - JOBS_MINUTES * MINUTE_MS;
  await note(ctx, JOBS + name, { at, since: Number((isOfLate && before.customMetadata?.since) || at) });
}

async function note(ctx: Context, key: string, values: Record<string, number>): Promise<void> {
  const customMetadata = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  // A failed write is ignored, because the log has the same facts.
  await ctx.files.put(key, '', { customMetadata }).catch(() => undefined);
}

export interface Noted {
  /** Totals of the isolates in which a request failed. */
  answers: { total: number; failed: number };
  deadLetters: number;
  jobs: FailedJob[];
}

/** A job that failed in the last `JOBS_MINUTES`. */
export interface FailedJob {
  /** Job name, followed by the number of its database if it has one. */
  name: string;
  /** When the job last failed, and when the current series of failures began; epoch ms. */
  at: number;
  since: number;
}

/** Returns the recent notes of all isolates. @throws R2's error */
export async function readNotes(ctx: Context): Promise<Noted> {
  const [errors, deadLetters, jobs] = await Promise.all([
    notesSince(ctx, ERRORS, ctx.now() - ERRORS_MINUTES * MINUTE_MS),
    notesSince(ctx, DEAD_LETTERS, ctx.now() - DEAD_LETTERS_MINUTES * MINUTE_MS),
    notesSince(ctx, JOBS, ctx.now() - JOBS_MINUTES * MINUTE_MS),
  ]);
  const sum = (notes: readonly R2Object[], name: string) =>
    notes.reduce((total, { customMetadata }) => total + Number(customMetadata?.[name] ?? 0), 0);
  return {
    answers: { total: sum(errors, 'total'), failed: sum(errors, 'failed') },
    deadLetters: sum(deadLetters, 'count'),
    jobs: jobs.map((object) => {
      const at = timeOf(object);
      return { name: object.key.slice(JOBS.length), at, since: Number(object.customMetadata?.since ?? at) };
    }),
  };
}

async function notesSince(ctx: Context, prefix: string, since: number): Promise<R2Object[]> {
  const { objects } = await ctx.files.list({ prefix, limit: LISTED_MAX, include: ['customMetadata'] });
  return objects.filter((object) => timeOf(object) > since);
}

/** Deletes notes that no check reads any more. */
export async function sweepNotes(ctx: Context): Promise<void> {
  for (const prefix of [ERRORS, DEAD_LETTERS, JOBS]) {
    const { objects } = await ctx.files.list({ prefix, limit: LISTED_MAX, include: ['customMetadata'] });
    const old = objects.filter((object) => timeOf(object) < ctx.now() - 2 * HOUR_MS).map(({ key }) => key);
    if (old.length > 0) await ctx.files.delete(old);
  }
}

function timeOf({ customMetadata }: R2Object): number {
  return Number(customMetadata?.at ?? 0);
}

const ASKED_EVERY_MS = 10 * SECOND_MS;

/**
 * The result of the last check of `DB` by this isolate. `isKept`: `DB` is the original database and is not checked
 * again. `isLost`: `DB` is not the original database and is checked again after ten seconds.
 */
const knownOf = onceFor((_files: R2Bucket): { isKept: boolean; isLost: boolean; askedAt: number } => ({
  isKept: false,
  isLost: false,
  askedAt: 0,
}));

/**
 * Throws if an empty database has replaced `DB`. Call this before a shop, key or person is refused as unknown, because
 * an empty database knows none of them. It costs one round trip per isolate.
 * @throws AppError `organization_unavailable`
 */
export async function assertNotLost(ctx: Context): Promise<void> {
  const known = knownOf(ctx.files);
  if (!known.isKept && Math.abs(ctx.now() - known.askedAt) >= ASKED_EVERY_MS) {
    known.askedAt = ctx.now();
    // After an error, the original refusal applies.
    await logged(ctx, ['error', 'directory_not_asked'], async () => {
      known.isKept = (await ctx.databases.at(0).rows(selectInstallation())).length > 0;
      // A new deployment has no installation id in the database or the bucket.
      known.isLost = !known.isKept && (await installationIds(ctx)).has(0);
    });
  }
  if (known.isLost) throw organizationUnavailable();
}
