import type { Context } from './context';
import { ConstraintError, isGuardFailure } from './db';
import { AppError } from './errors';

const TRIES_MAX = 4;
/** The longest wait before the second try; each further one may wait twice as long. */
const FIRST_WAIT_MS_MAX = 30;

/**
 * Runs a use case that reads, decides and writes under a guard, and runs it again when another one wrote in between:
 * the next run decides on what is there then. Waits at random before each further try, since those who met once would
 * meet again.
 * @throws AppError `conflict` when others were faster four times
 */
export async function retryOnConflict<T>(ctx: Pick<Context, 'random' | 'wait'>, run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isLostRace(error)) throw error;
      if (tries >= TRIES_MAX) throw conflict();
    }
    await ctx.wait(ctx.random() * FIRST_WAIT_MS_MAX * 2 ** (tries - 1));
  }
}

/** Another write came first: a guard found something else than was read, or a unique row was there already. */
export function isLostRace(error: unknown): boolean {
  return isGuardFailure(error) || (error instanceof ConstraintError && error.kind === 'unique');
}

/** Nothing was written; the same request may find the way free a moment later. */
export function conflict(): AppError {
  return new AppError(
    'conflict',
    'Others changed the same thing at the same moment. Nothing was changed; send the request again.',
  );
}
