import { rateLimited } from '../../platform/rate-limit';

/**
 * How many password hashes an isolate takes on. Each is about 150 ms of the one thread that serves every organization
 * and 32 MiB of its 128: without a bound, a handful of sign-ins would hold everybody up.
 */
const AT_A_TIME = 2;
const WAITING_MAX = 8;
const RETRY_SECONDS = 5;
/** How often whoever waits looks whether it is their turn. */
const LOOK_EVERY_MS = 20;
/**
 * Who has not looked for this long is gone: the runtime ends a request whose client hung up without running another
 * line of it, so a place must not depend on being given back.
 */
const GONE_AFTER_MS = 2_000;

/**
 * The line, first come first served: when each was last seen, epoch ms. Values and no promises, since a promise of one
 * request may never be settled for another.
 */
const line = new Map<symbol, number>();

/**
 * Runs what hashes a password when it is its turn.
 * @throws AppError `rate_limited` with Retry-After when too many wait already
 */
export async function inPasswordLine<T>(work: () => Promise<T>): Promise<T> {
  forgetWhoIsGone();
  if (line.size >= AT_A_TIME + WAITING_MAX) throw rateLimited(RETRY_SECONDS);
  const place = Symbol('place');
  line.set(place, Date.now());
  try {
    // The hash itself holds the thread, so even the first in line lets other requests go on before it starts.
    do await pause();
    while (!isTurnOf(place));
    return await work();
  } finally {
    line.delete(place);
  }
}

function isTurnOf(place: symbol): boolean {
  line.set(place, Date.now());
  forgetWhoIsGone();
  return [...line.keys()].indexOf(place) < AT_A_TIME;
}

function forgetWhoIsGone(): void {
  const oldest = Date.now() - GONE_AFTER_MS;
  for (const [place, seen] of line) if (seen < oldest) line.delete(place);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}
