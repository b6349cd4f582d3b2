const TRIES_MAX = 4;
const FIRST_WAIT_MS = 1_000;

/**
 * Calls `act` up to four times, with waits of 1, 2 and 4 seconds in between.
 * @param isFleeting returns whether another try may have another result. Gets null if the try threw an error
 * @returns the result of the last try
 * @throws the error of the last try
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
