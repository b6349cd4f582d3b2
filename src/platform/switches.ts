import * as z from 'zod';
import { requireOperator } from './access';
import type { Deletions } from './config';
import { conflict } from './conflict';
import type { Context } from './context';
import { AppError, organizationUnavailable } from './errors/errors';
import { type Held, readHeld, writeHeld } from './files';
import { onceFor } from './isolate-cache';
import { RETRY_INTAKE_SECONDS } from './limits';
import { describeError } from './log';

/**
 * The switches that the operator sets without a deployment. They are stored in the bucket, so that they survive a
 * restore of a database.
 */
export const switchesSchema = z.strictObject({
  /** Which deletions sweeps may make. `confirmed` allows deletions even if more files than usual have no row. */
  deletions: z.enum(['on', 'paused', 'confirmed']),
  /** With `off`, order requests of platforms are refused. */
  intake: z.enum(['on', 'off']),
  /** `off` while databases are restored: then only the operator can write. Absent at all other times. */
  writes: z.enum(['on', 'off']).optional(),
});
type Switches = z.infer<typeof switchesSchema>;

const KEY = 'operations/switches';
const INITIAL: Switches = { deletions: 'on', intake: 'on' };
/** How long an isolate keeps the switches that it has read, in ms. */
const READ_EVERY_MS = 10_000;
/** How old cached switches may be while another request reads them anew, in ms. */
const KNOWN_MS_MAX = 2 * READ_EVERY_MS;
const WRITES_MAX = 4;

/** The cached switches of one bucket. */
interface Known {
  switches: Switches;
  /** The time when the switches were read, epoch ms. */
  readAt: number;
  readingSince: number;
}

const knownOf = onceFor((_files: R2Bucket): { latest?: Known } => ({}));

/**
 * Returns the switches, at most 10 s old. While another request of the isolate reads them, they may be 20 s old. If the
 * bucket cannot be read, returns the last known switches. An isolate that has never read them accepts orders and
 * deletes nothing.
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
    const { record: switches } = await read(ctx);
    memory.latest = { switches, readAt: now, readingSince: 0 };
    return switches;
  } catch (error) {
    ctx.log('error', 'switches_not_read', describeError(error));
    return latest?.switches ?? { deletions: 'paused', intake: 'on' };
  }
}

/**
 * Returns which deletions are allowed now. The variable DELETIONS can stop them, but cannot allow more than the switch.
 */
export async function deletionsOf(ctx: Context): Promise<Deletions> {
  return ctx.config.deletions === 'paused' ? 'paused' : (await switchesOf(ctx)).deletions;
}

/**
 * Refuses data of platforms while the intake is switched off. Every call by which platforms send data begins with this
 * check.
 * @throws AppError `intake_off`
 */
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

/**
 * Refuses writes during a restore. `commit` calls it for every batch. Otherwise such a write could be lost, or use an
 * order number a second time.
 * @throws AppError `organization_unavailable`
 */
export async function requireWrites(ctx: Context): Promise<void> {
  if (ctx.actor.kind === 'operator' || !(await areWritesOff(ctx))) return;
  throw organizationUnavailable();
}

/**
 * Whether writes are switched off for a restore. All jobs and queue consumers check this first. Whatever they sent
 * during a restore would be sent again after it.
 */
export async function areWritesOff(ctx: Context): Promise<boolean> {
  return (await switchesOf(ctx)).writes === 'off';
}

/** Reads the switches from the bucket. @throws AppError `backend_unreachable` */
export async function readSwitches(ctx: Context): Promise<Switches> {
  requireOperator(ctx);
  return (await read(ctx)).record;
}

/**
 * Sets some switches and keeps the others, even if several calls do so at the same time. Other isolates follow within
 * 20 s.
 * @returns all switches
 * @throws AppError `backend_unreachable`, `conflict` if other calls always came first
 */
export async function setSwitches(ctx: Context, changes: Partial<Switches>): Promise<Switches> {
  requireOperator(ctx);
  for (let tries = 0; tries < WRITES_MAX; tries += 1) {
    const { record, etag } = await read(ctx);
    const { writes, ...others } = { ...record, ...changes };
    const changed: Switches = { ...others, ...(writes === 'off' && { writes }) };
    if (!(await writeHeld(ctx, KEY, { record: changed, etag }))) continue;
    knownOf(ctx.files).latest = { switches: changed, readAt: ctx.now(), readingSince: 0 };
    ctx.log('warn', 'switched', {
      code: `deletions:${changed.deletions} intake:${changed.intake} writes:${writes ?? 'on'}`,
    });
    return changed;
  }
  throw conflict();
}

async function read(ctx: Context): Promise<Held<Switches>> {
  return (await readHeld(ctx, KEY, switchesSchema)) ?? { record: INITIAL, etag: null };
}
