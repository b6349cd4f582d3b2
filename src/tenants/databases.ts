import { requireOperator } from '../platform/access';
import { type Context, onEachDatabase } from '../platform/context';
import { describeError } from '../platform/log';
import { DATABASE_BYTES_MAX, DATABASE_BYTES_WARNING } from './limits';
import { countOrganizations } from './store';

/** A database that has not answered by then counts as unreachable. */
const ANSWER_MS_MAX = 5_000;

/** One of the databases that are bound, and how full it is. */
export type DatabaseState = {
  /** Its number: 0 is `DB`, n is `DB_n`. */
  shard: number;
  /** How long it took to answer, or until that was given up. */
  durationMs: number;
} & (
  | {
      status: 'ok' | 'warning';
      sizeBytes: number;
      /** The share of what D1 allows, from 0 to 1. */
      used: number;
      organizations: number;
    }
  | { status: 'unreachable' }
);

/** Asks each database, all at once, one round trip each. */
export async function probeDatabases(ctx: Context): Promise<DatabaseState[]> {
  requireOperator(ctx);
  return Promise.all(onEachDatabase(ctx).map(probe));
}

async function probe(ctx: Context): Promise<DatabaseState> {
  const { db } = ctx;
  const { shard } = db;
  const startedAt = ctx.now();
  const isLate = ctx.wait(ANSWER_MS_MAX).then(() => Promise.reject(new Error(`No answer within ${ANSWER_MS_MAX} ms`)));
  try {
    const { counted } = await Promise.race([db.run({ counted: countOrganizations() }), isLate]);
    const sizeBytes = db.sizeBytes ?? 0;
    return {
      shard,
      status: sizeBytes < DATABASE_BYTES_WARNING ? 'ok' : 'warning',
      sizeBytes,
      used: sizeBytes / DATABASE_BYTES_MAX,
      organizations: counted[0]?.count ?? 0,
      durationMs: ctx.now() - startedAt,
    };
  } catch (error) {
    ctx.log('error', 'database_unreachable', { shard, ...describeError(error) });
    return { shard, status: 'unreachable', durationMs: ctx.now() - startedAt };
  }
}
