import * as z from 'zod';
import type { Deletions } from '../platform/config';
import { type Context, onEachDatabase, withDatabase } from '../platform/context';
import { AppError } from '../platform/errors/errors';
import { type Held, readHeld, writeHeld } from '../platform/files';
import { describeError, logged } from '../platform/log';
import { fingerprintsOf } from '../platform/mac';
import { deletionsOf } from '../platform/switches';
import { HOUR_MS, SECOND_MS } from '../platform/time';
import { installationIds } from '../prescriptions/installation';
import { type TrustLists, trustListsIn } from '../signatures/trust/kept';
import { type BackupState, readBackupState } from './backups';
import { ANSWER_MS_MAX, RESERVED_SECONDS, SETTLED_HOURS } from './limits';
import { type Noted, readNotes } from './notes';
import { SCHEMA } from './schema.generated';
import { type Figures, selectFigures, selectMissing } from './store';

/** The facts of one bound database. */
export interface DatabaseFacts {
  /** The number of the database: 0 is `DB`, n is `DB_n`. */
  shard: number;
  /** How many ms the answer took, or how long the check waited for it. */
  durationMs: number;
  /** Null if the database did not answer. */
  answer: {
    sizeBytes: number;
    /** Names of the columns and other objects (tables, indexes, triggers) that the database lacks. */
    missing: string[];
    /** Null if missing tables or columns make the query fail. */
    figures: Figures | null;
    /** True if the database was never set up. */
    isEmpty?: boolean;
  } | null;
}

/** What the checks read from the bucket. */
export interface BucketFacts {
  read: Held<WatchState>;
  canaries: Canaries;
  noted: Noted;
  /** The ids of the databases that the bucket belongs to, by database number. */
  installations: ReadonlyMap<number, string>;
  trustLists: TrustLists;
  /** Null without a bucket for backups. */
  backup: BackupState | null;
}

export interface Facts {
  now: number;
  databases: DatabaseFacts[];
  /** Null if the bucket cannot be read. */
  bucket: BucketFacts | null;
  deletions: Deletions;
}

/** Queries each database (one round trip each) and the bucket concurrently. Never throws: a failed query gives null. */
export async function gatherFacts(ctx: Context): Promise<Facts> {
  const [databases, bucket, deletions] = await Promise.all([
    // Each database returns its own installation id. For each database, this costs two of the 1,000 queries that D1
    // allows per invocation.
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

/** The facts of a database without tables. */
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
    // An AppError means that the database was not reached. Any other error means that the statement failed because
    // tables are missing.
    if (error instanceof AppError) throw error;
    const found = await db.run({ missing });
    return { sizeBytes: db.sizeBytes ?? 0, missing: namesOf(found.missing), figures: null };
  }
}

async function askBucket(ctx: Context): Promise<BucketFacts | null> {
  const facts = await logged(ctx, ['error', 'bucket_unreachable'], async () => {
    const [read, canaries, noted, installations, trustLists, backup] = await Promise.all([
      readState(ctx),
      readCanaries(ctx),
      readNotes(ctx),
      installationIds(ctx),
      trustListsIn(ctx.files),
      ctx.config.backup ? readBackupState(ctx) : null,
    ]);
    return { read, canaries, noted, installations, trustLists, backup: backup?.record ?? null };
  });
  return facts ?? null;
}

export type CheckStatus = 'ok' | 'warning' | 'failing';

export interface Check {
  status: CheckStatus;
  /** The figure that decides the status; null if unknown. */
  figure: number | null;
  /** The fault, if the name of the check does not identify it. */
  code?: string;
  /** The number of the affected database. */
  shard?: number;
  /**
   * Names of the affected secrets, columns and other objects of a database, jobs, or trusted lists. For backups, it is
   * the failure.
   */
  names?: readonly string[];
}

/**
 * Checks that each known database is bound and is still the same one, and that databases and directory have the same
 * organizations. The figure is the number of organizations that are missing in a database or in the directory.
 * @param installations the ids of the databases in the bucket; undefined if it cannot be read
 */
export function directoryCheck(
  databases: readonly DatabaseFacts[],
  installations: ReadonlyMap<number, string> = new Map(),
): Check {
  const entries = databases[0]?.answer?.figures?.entries ?? [];
  const isMoving = databases.some(({ answer }) => (answer?.figures?.moving ?? 0) > 0);
  for (const { shard, answer } of databases) {
    const figures = answer?.figures;
    const listed = entries.find((each) => each.shard === shard) ?? { count: 0, settled: 0 };
    const known = installations.get(shard);
    if (answer?.isEmpty && known !== undefined) {
      return { status: 'failing', figure: listed.count, code: 'database_exchanged', shard };
    }
    if (!figures) continue;
    const isOther = known !== undefined && figures.installation !== known;
    if (isOther || (figures.organizations === 0 && listed.count > 0)) {
      return {
        status: 'failing',
        figure: Math.max(0, listed.count - figures.organizations),
        code: 'database_exchanged',
        shard,
      };
    }
    // An organization that is being moved is briefly in both databases.
    if (isMoving) continue;
    const missing = listed.settled - figures.settled;
    if (missing > 0) return { status: 'failing', figure: missing, code: 'organizations_missing', shard };
    const unlisted = databases[0]?.answer?.figures ? figures.active - listed.count : 0;
    if (unlisted > 0) return { status: 'failing', figure: unlisted, code: 'entries_missing', shard };
  }
  const unbound = [...installations.keys()].find((shard) => shard >= databases.length);
  if (unbound !== undefined) return { status: 'failing', figure: 0, code: 'database_not_bound', shard: unbound };
  return { status: 'ok', figure: 0 };
}

/** R2 key of the fingerprints of all root secrets ever seen in this deployment, by the secret's id. */
const KEY = 'operations/canaries';
const knownSchema = z.record(z.string(), z.string());

interface Canaries {
  /**
   * True if a root secret differs from the one that was seen before under its id. Also true if all root secrets are new
   * although this deployment has seen others before.
   */
  areWrong: boolean;
  /** The fingerprints to store: all known ones and the new ones. Null if none is new, or the root secrets are wrong. */
  anew: Held<Record<string, string>> | null;
}

/** Compares the root secrets with those that the deployment had before. @throws AppError `backend_unreachable` */
async function readCanaries(ctx: Context): Promise<Canaries> {
  const held = await readHeld(ctx, KEY, knownSchema);
  const known = held?.record;
  const roots = Object.entries(await fingerprintsOf(ctx.config.roots));
  const seen = roots.filter(([id]) => known?.[id] !== undefined);
  // New roots are accepted only if at least one root is already known.
  const isRight = !known || (seen.length > 0 && seen.every(([id, fingerprint]) => known[id] === fingerprint));
  const isNew = isRight && seen.length < roots.length;
  const all = { ...known, ...Object.fromEntries(roots) };
  return { areWrong: !isRight, anew: isNew ? { record: all, etag: held?.etag ?? null } : null };
}

/** Stores new fingerprints. @throws AppError `backend_unreachable` */
export async function keepCanaries(ctx: Context, { anew }: Canaries): Promise<void> {
  if (anew) await writeHeld(ctx, KEY, anew);
}

/**
 * R2 key of the state that the cron keeps from run to run. It is in the bucket, so that a dead database cannot silence
 * an alert.
 */
export const WATCH = 'operations/watch';

const noticeSchema = z.object({
  /** Id of the notice. It stays the same when the notice is posted again. */
  id: z.string(),
  type: z.enum(['alert_began', 'alert_ended', 'heartbeat']),
  check: z.string().nullable(),
  status: z.enum(['ok', 'warning', 'failing']),
  code: z.string().nullable(),
  figure: z.number().nullable(),
  since: z.number(),
  at: z.number(),
});

const stateSchema = z.object({
  v: z.literal(1).default(1),
  /** When the deployment was first seen. */
  since: z.number(),
  /** When the cron last began. */
  ranAt: z.number().nullable().default(null),
  /** Since when deletions are paused. */
  pausedSince: z.number().nullable().default(null),
  /** The day of the last heartbeat. */
  heartbeatDay: z.string().nullable().default(null),
  /** The checks that were last reported as not `ok`. */
  told: z.record(z.string(), z.object({ status: z.enum(['warning', 'failing']), since: z.number() })).default({}),
  /** Notices to post, oldest first, and the time until which an invocation is posting them. */
  waiting: z.array(noticeSchema).default([]),
  postingUntil: z.number().default(0),
});

export type Notice = z.infer<typeof noticeSchema>;
export type WatchState = z.infer<typeof stateSchema>;

/** Returns the state; a new one if no valid state is stored. @throws AppError `backend_unreachable` */
export async function readState(ctx: Context): Promise<Held<WatchState>> {
  const held = await readHeld(ctx, WATCH, stateSchema.nullable().catch(null));
  return { record: held?.record ?? stateSchema.parse({ since: ctx.now() }), etag: held?.etag ?? null };
}
