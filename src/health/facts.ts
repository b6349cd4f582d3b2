import type { Deletions } from '../platform/config';
import { type Context, onEachDatabase, withDatabase } from '../platform/context';
import { AppError } from '../platform/errors';
import { describeError } from '../platform/log';
import { deletionsOf } from '../platform/switches';
import { HOUR_MS, SECOND_MS } from '../platform/time';
import { installationIds } from '../prescriptions/service';
import { type Canaries, readCanaries } from './canaries';
import { ANSWER_MS_MAX, RESERVED_SECONDS, SETTLED_HOURS } from './limits';
import { type Noted, readNotes } from './notes';
import { SCHEMA } from './schema.generated';
import { type Read, readState } from './state';
import { type Figures, selectFigures, selectMissing } from './store';

/** One of the databases that are bound. */
export interface DatabaseFacts {
  /** Its number: 0 is `DB`, n is `DB_n`. */
  shard: number;
  /** How long it took to answer, or until that was given up. */
  durationMs: number;
  /** Null when it did not answer. */
  answer: {
    sizeBytes: number;
    /** Columns and indexes that it lacks. */
    missing: string[];
    /** Null when it lacks so much that it cannot say. */
    figures: Figures | null;
    /** It was never set up. */
    isEmpty?: boolean;
  } | null;
}

/** What the bucket says. */
export interface BucketFacts {
  read: Read;
  canaries: Canaries;
  noted: Noted;
  /** The ids of the databases that it belongs to, by their numbers. */
  installations: ReadonlyMap<number, string>;
}

export interface Facts {
  now: number;
  databases: DatabaseFacts[];
  /** Null when it cannot be read. */
  bucket: BucketFacts | null;
  deletions: Deletions;
}

/** Asks each database, one round trip each, and the bucket, all at once. Never throws: who does not answer is a fact. */
export async function gatherFacts(ctx: Context): Promise<Facts> {
  const [databases, bucket, deletions] = await Promise.all([
    // They say themselves which they are (directory.ts): two queries each, of the 1,000 that D1 allows an invocation.
    Promise.all(onEachDatabase(ctx).map((at) => askDatabase(withDatabase(at, ctx.databases.unasked(at.db.shard))))),
    askBucket(ctx),
    deletionsOf(ctx),
  ]);
  return { now: ctx.now(), databases, bucket, deletions };
}

async function askDatabase(ctx: Context): Promise<DatabaseFacts> {
  const { shard } = ctx.db;
  const startedAt = ctx.now();
  const isLate = ctx.wait(ANSWER_MS_MAX).then(() => Promise.reject(new Error(`No answer within ${ANSWER_MS_MAX} ms`)));
  try {
    const answer = await Promise.race([answerOf(ctx), isLate]);
    return { shard, durationMs: ctx.now() - startedAt, answer };
  } catch (error) {
    ctx.log('error', 'database_unreachable', { shard, d1_failure: ctx.db.meter.failure, ...describeError(error) });
    return { shard, durationMs: ctx.now() - startedAt, answer: null };
  }
}

/** A database without the tables that every other one has. */
const EMPTY = {
  sizeBytes: 0,
  missing: ['organizations', 'installation'].map((name) => `table ${name}`),
  figures: null,
  isEmpty: true,
};

async function answerOf({ db, now }: Context): Promise<NonNullable<DatabaseFacts['answer']>> {
  const missing = selectMissing(SCHEMA);
  const time = now();
  const figures = selectFigures({
    now: time,
    reserved: time - RESERVED_SECONDS * SECOND_MS,
    settled: time - SETTLED_HOURS * HOUR_MS,
  });
  const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name);
  try {
    const found = await db.run({ missing, figures });
    return { sizeBytes: db.sizeBytes ?? 0, missing: namesOf(found.missing), figures: found.figures[0] ?? null };
  } catch (error) {
    if (error instanceof AppError && error.code === 'organization_unavailable') return EMPTY;
    // It was not reached; every other error is one of the statement: the tables that it names are not there.
    if (error instanceof AppError) throw error;
    const found = await db.run({ missing });
    return { sizeBytes: db.sizeBytes ?? 0, missing: namesOf(found.missing), figures: null };
  }
}

async function askBucket(ctx: Context): Promise<BucketFacts | null> {
  try {
    const [read, canaries, noted, installations] = await Promise.all([
      readState(ctx),
      readCanaries(ctx),
      readNotes(ctx),
      installationIds(ctx),
    ]);
    return { read, canaries, noted, installations };
  } catch (error) {
    ctx.log('error', 'bucket_unreachable', describeError(error));
    return null;
  }
}
