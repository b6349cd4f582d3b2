import * as z from 'zod';
import { requireOperator, requireSystem } from './access';
import type { Deletions } from './config';
import { conflict } from './conflict';
import type { Context } from './context';
import { OPTIMIZE } from './data/statements';
import { AppError, organizationUnavailable, unavailable } from './errors';
import { ifUnchanged } from './files';
import { onceFor } from './isolate-cache';
import { describeError } from './log';

/** What the operator switches without a deployment, in an object of the bucket: no restore of a database undoes it. */
interface Switches {
  /** What the sweeps may delete; `confirmed`: also more unexplained files than usual. */
  deletions: Deletions;
  /** `off`: nothing is taken from platforms. */
  intake: 'on' | 'off';
  /** `off` while databases are restored: nobody but the operator writes. Not there while they are on. */
  writes?: 'on' | 'off';
}

export const switchesSchema = z.strictObject({
  deletions: z.enum(['on', 'paused', 'confirmed']),
  intake: z.enum(['on', 'off']),
  writes: z.enum(['on', 'off']).optional(),
});

const KEY = 'operations/switches';
const INITIAL: Switches = { deletions: 'on', intake: 'on' };
/** So long an isolate uses what it has read. */
const READ_EVERY_MS = 10_000;
/** While one request reads, others use what the isolate knows; but nothing that is older than this. */
const KNOWN_MS_MAX = 2 * READ_EVERY_MS;
const WRITES_MAX = 4;

/** What an isolate knows of a bucket's switches. */
interface Known {
  switches: Switches;
  /** Epoch ms. */
  readAt: number;
  readingSince: number;
}

const knownOf = onceFor((_files: R2Bucket): { latest?: Known } => ({}));

/**
 * The switches as they stand, at most 10 s old, 20 s in an isolate that is just reading them. When the bucket cannot be read, as
 * they stood last; an isolate that never read them takes orders in and deletes nothing.
 */
export async function switchesOf(ctx: Context): Promise<Switches> {
  const memory = knownOf(ctx.files);
  const { latest } = memory;
  const now = ctx.now();
  const isWithin = (time: number, ms: number) => Math.abs(now - time) < ms;
  if (latest && isWithin(latest.readAt, READ_EVERY_MS)) return latest.switches;
  if (latest && isWithin(latest.readAt, KNOWN_MS_MAX) && isWithin(latest.readingSince, READ_EVERY_MS)) {
    return latest.switches;
  }
  if (latest) latest.readingSince = now;
  try {
    const { switches } = await read(ctx);
    memory.latest = { switches, readAt: now, readingSince: 0 };
    return switches;
  } catch (error) {
    ctx.log('error', 'switches_not_read', describeError(error));
    return latest?.switches ?? { deletions: 'paused', intake: 'on' };
  }
}

/** What may be deleted now: DELETIONS of the environment can only add a stop. */
export async function deletionsOf(ctx: Context): Promise<Deletions> {
  return ctx.config.deletions === 'paused' ? 'paused' : (await switchesOf(ctx)).deletions;
}

/** First line of every call by which platforms send something. @throws AppError `intake_off` */
export async function requireIntake(ctx: Context): Promise<void> {
  if ((await switchesOf(ctx)).intake === 'on') return;
  throw new AppError(
    'intake_off',
    'Nothing is taken in for some minutes. Nothing was stored; send the same request again.',
    {
      headers: { 'Retry-After': String(RETRY_INTAKE_SECONDS) },
    },
  );
}

const RETRY_INTAKE_SECONDS = 60;

/**
 * For every batch that a use case commits: what is written while databases are restored would be lost without a trace, or have a
 * number that was given before. @throws AppError `organization_unavailable`
 */
export async function requireWrites(ctx: Context): Promise<void> {
  if (ctx.actor.kind === 'operator' || !(await areWritesOff(ctx))) return;
  throw organizationUnavailable();
}

/** First line of all that the Worker does by itself: what left while databases are restored would leave again afterwards. */
export async function areWritesOff(ctx: Context): Promise<boolean> {
  return (await switchesOf(ctx)).writes === 'off';
}

/** The switches as the bucket has them. @throws AppError `backend_unreachable` */
export async function readSwitches(ctx: Context): Promise<Switches> {
  requireOperator(ctx);
  return (await read(ctx).catch(() => Promise.reject(unavailable()))).switches;
}

/**
 * Sets some of the switches, and leaves the others as they are, also when somebody sets them at the same moment. Other isolates
 * follow within 20 s.
 * @returns all of them @throws AppError `backend_unreachable`
 */
export async function setSwitches(ctx: Context, changes: Partial<Switches>): Promise<Switches> {
  requireOperator(ctx);
  for (let tries = 0; tries < WRITES_MAX; tries += 1) {
    const { switches, etag } = await read(ctx).catch(() => Promise.reject(unavailable()));
    const { writes, ...others } = { ...switches, ...changes };
    const changed: Switches = { ...others, ...(writes === 'off' && { writes }) };
    const put = await ctx.files
      .put(KEY, JSON.stringify(changed), { onlyIf: ifUnchanged(etag) })
      .catch(() => Promise.reject(unavailable()));
    if (put === null) continue;
    knownOf(ctx.files).latest = { switches: changed, readAt: ctx.now(), readingSince: 0 };
    ctx.log('warn', 'switched', {
      code: `deletions:${changed.deletions} intake:${changed.intake} writes:${writes ?? 'on'}`,
    });
    return changed;
  }
  throw conflict();
}

async function read(ctx: Context): Promise<{ switches: Switches; etag: string | null }> {
  const object = await ctx.files.get(KEY);
  if (object === null) return { switches: INITIAL, etag: null };
  return { switches: switchesSchema.parse(await object.json()), etag: object.etag };
}

/**
 * Lets SQLite's planner learn how the database's tables have grown: for a job that runs once a day. It looks at some hundred rows
 * of an index, no more.
 */
export async function optimizeDatabase(ctx: Context): Promise<void> {
  requireSystem(ctx);
  await ctx.db.run({ optimized: OPTIMIZE });
}
