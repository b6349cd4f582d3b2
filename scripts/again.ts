const TRIES_MAX = 4;
const FIRST_WAIT_MS = 1_000;

/**
 * Does something up to four times, with 1, 2 and 4 seconds between.
 * @param isFleeting whether another try may end otherwise; null: it threw
 * @returns what the last try gave @throws what the last try threw
 */
export async function again<T>(
  act: () => Promise<T>,
  isFleeting: (got: T | null) => boolean,
  wait: (ms: number) => Promise<void>,
): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    const isLast = tried === TRIES_MAX;
    try {
      const got = await act();
      if (isLast || !isFleeting(got)) return got;
    } catch (error) {
      if (isLast || !isFleeting(null)) throw error;
    }
    await wait(FIRST_WAIT_MS * 2 ** (tried - 1));
  }
}
