import { requireOperator } from '../../platform/access';
import type { Context } from '../../platform/context';
import { AppError, notFound } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { describeError } from '../../platform/log';
import { MINUTE_MS } from '../../platform/time';
import { requireBound } from '../placement';
import { selectEntries } from '../store';
import { Impossible, QUIET_MS, STEPS } from './steps';
import { insertMove, type Move, saveMove, selectMove, takeLease } from './store-moves';

/** An invocation that ends leaves its lease behind; no step lasts that long. */
const LEASE_MS = MINUTE_MS;
/** What one call does at most: each page is up to three queries, and D1 allows an invocation 1,000. */
const PAGES_MAX = 100;
/** How many pages may have to be done again. */
const PAGES_UNSAVED_MAX = 5;
const TIME_MAX_MS = 15_000;
/** A pharmacy is not kept waiting longer for a database that cannot be reached. */
const STUCK_MS = 10 * MINUTE_MS;
/** Before the switch nothing is lost by giving up. */
const MAY_GIVE_UP: readonly Move['step'][] = ['fence', 'wait', 'clear', 'copy', 'verify'];

/** How far the last move of an organization is, or where it lives when there was none. */
export interface MoveProgress {
  orgId: string;
  /** The number of the database where it lives now. */
  shard: number;
  /** Null when it was never moved. */
  move: Move | null;
}

/** Epoch ms before which the copying does not begin. */
export function copiesFrom({ step, fencedAt }: Move): number | null {
  return step === 'wait' && fencedAt !== null ? fencedAt + QUIET_MS : null;
}

/** @throws AppError `organization_not_found` */
export async function readMove(ctx: Context, orgId: string): Promise<MoveProgress> {
  requireOperator(ctx);
  const db = ctx.databases.at(0);
  const { entries, found } = await db.run({
    entries: selectEntries('organization', orgId),
    found: selectMove(orgId),
  });
  const [entry] = entries;
  if (!entry) throw notFound('organization_not_found', 'There is no such organization.');
  return { orgId, shard: entry.shard, move: found[0] ?? null };
}

/**
 * Moves an organization to another database: begins, or goes on for some seconds. Called again until it is done; the cron
 * goes on with it, too. Where the organization lives there already, nothing is done.
 * @throws AppError `organization_not_found`, `validation_failed`; `conflict` while it is moved elsewhere
 */
export async function moveOrganization(ctx: Context, orgId: string, shard: number): Promise<MoveProgress> {
  requireOperator(ctx);
  requireBound(ctx, shard);
  const before = await readMove(ctx, orgId);
  const isUnderWay = before.move !== null && before.move.finishedAt === null;
  if (!isUnderWay && before.shard === shard) return before;
  if (!isUnderWay) {
    const db = ctx.databases.at(0);
    await db.run({ begun: insertMove({ orgId, from: before.shard, to: shard, now: ctx.now() }) });
  }
  const { move } = await readMove(ctx, orgId);
  if (move?.toShard !== shard) {
    throw new AppError('conflict', 'The organization is being moved to another database. Wait until that has ended.');
  }
  await continueMove(ctx, orgId);
  return readMove(ctx, orgId);
}

/** Goes on with a move for some seconds, unless another invocation does. Never throws. */
export async function continueMove(ctx: Context, orgId: string): Promise<void> {
  const db = ctx.databases.at(0);
  const until = ctx.now() + TIME_MAX_MS;
  const at = { lease: newId(), now: ctx.now(), until: ctx.now() + LEASE_MS };
  try {
    const { taken } = await db.run({ taken: takeLease(orgId, at) });
    let [move] = taken;
    for (let pages = 1; move && move.finishedAt === null; pages += 1) {
      const progress = await attempt(ctx, move);
      const now = ctx.now();
      const isOver = progress === null || pages >= PAGES_MAX || now >= until;
      move = { ...move, ...progress, ...(progress && { updatedAt: now }), leaseUntil: isOver ? 0 : now + LEASE_MS };
      // A page that is done again, because the invocation ended before it was written down, changes nothing.
      if (!isOver && !progress.step && pages % PAGES_UNSAVED_MAX > 0) continue;
      const { saved } = await db.run({ saved: saveMove(move) });
      if (isOver || saved.length === 0) return;
    }
  } catch (error) {
    // The directory cannot be reached: when the lease has ended, somebody goes on.
    ctx.log('error', 'move_interrupted', { org_id: orgId, ...describeError(error) });
  }
}

/** Carries out one step. @returns what it changes; null while it has to wait, also for a database that cannot be reached */
async function attempt(ctx: Context, move: Move): Promise<Partial<Move> | null> {
  const { orgId, step, updatedAt } = move;
  try {
    const progress = await STEPS[step](ctx, move);
    if (progress?.step) ctx.log('info', 'move_step', { org_id: orgId, code: progress.step });
    return progress;
  } catch (error) {
    ctx.log('error', 'move_failed', { org_id: orgId, code: step, ...describeError(error) });
    const isPassing = error instanceof AppError && ctx.now() < updatedAt + STUCK_MS;
    if (isPassing || !MAY_GIVE_UP.includes(step)) return null;
    return { step: 'unfence', failure: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Impossible) return error.message;
  if (error instanceof AppError) return 'A database could not be reached for too long.';
  return 'A database refused the rows. Does the other one have the whole catalog?';
}
