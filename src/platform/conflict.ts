import type { Context } from './context';
import { ConstraintError, isGuardFailure } from './data/db';
import { AppError } from './errors/errors';

const TRIES_MAX = 4;
/** The longest wait before the second try, in ms. The longest wait doubles before each further try. */
const FIRST_WAIT_MS_MAX = 30;

/**
 * Runs a use case that reads, decides and writes only if nothing that it read has changed. If another write came first,
 * runs it again, so that it decides on the new state. Waits a random time before each further run, so that two requests
 * do not collide again.
 * @throws AppError `conflict` if another write came first `triesMax` times
 */
export async function retryOnConflict<T>(
  ctx: Pick<Context, 'random' | 'wait'>,
  run: () => Promise<T>,
  triesMax = TRIES_MAX,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isLostRace(error)) throw error;
      if (tries >= triesMax) throw conflict();
    }
    await ctx.wait(ctx.random() * FIRST_WAIT_MS_MAX * 2 ** (tries - 1));
  }
}

/** Whether another write came first: a guard (`GuardedWrite`) failed, or a row violated a unique index. */
export function isLostRace(error: unknown): boolean {
  return isGuardFailure(error) || (error instanceof ConstraintError && error.kind === 'unique');
}

/**
 * Returns the error for a use case that failed because other writes always came first. Nothing was written. The same
 * request may succeed a moment later.
 */
export function conflict(): AppError {
  return new AppError(
    'conflict',
    'Other requests changed the same data at the same time. Nothing was changed; send the request again.',
  );
}
