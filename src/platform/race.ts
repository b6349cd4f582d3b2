import { ConstraintError, isGuardFailure } from './db';

const TRIES_MAX = 4;

/**
 * Runs a use case that reads, decides and writes under a guard, and runs it again when another one wrote in between:
 * the second run decides on what is there now.
 */
export async function againOnRace<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      const isRace = isGuardFailure(error) || (error instanceof ConstraintError && error.kind === 'unique');
      if (!isRace || tries >= TRIES_MAX) throw error;
    }
  }
}
