import { rateLimited } from '../../../platform/http/rate-limit';

/**
 * How many password hashes an isolate computes at a time. Each takes about 150 ms of the only thread, which all
 * organizations share, and 32 MiB of the 128 MiB. Without a limit, a few sign-ins would delay all other requests.
 */
const AT_A_TIME = 2;
const WAITING_MAX = 8;
const RETRY_SECONDS = 5;
/** How often a waiting request checks whether it may start. */
const LOOK_EVERY_MS = 20;
/**
 * A request that has not checked for this long is removed. When a client disconnects, the runtime stops its request
 * without running `finally`, so the request may never remove itself.
 */
const GONE_AFTER_MS = 2_000;

/**
 * The waiting and running requests, first come, first served, each with the time of its last check (epoch ms). It holds
 * values instead of promises, because a promise of one request may never settle for another one.
 */
const queue = new Map<symbol, number>();

/**
 * Runs `work`, which hashes a password, as soon as earlier requests allow.
 * @throws AppError `rate_limited` with Retry-After when too many are waiting
 */
export async function inPasswordQueue<T>(work: () => Promise<T>): Promise<T> {
  removeAbandoned();
  if (queue.size >= AT_A_TIME + WAITING_MAX) throw rateLimited(RETRY_SECONDS);
  const place = Symbol('place');
  queue.set(place, Date.now());
  try {
    // Computing the hash blocks the thread, so even the first request pauses once and lets other requests continue
    // before it starts.
    do await pause();
    while (!isTurnOf(place));
    return await work();
  } finally {
    queue.delete(place);
  }
}

function isTurnOf(place: symbol): boolean {
  queue.set(place, Date.now());
  removeAbandoned();
  return [...queue.keys()].indexOf(place) < AT_A_TIME;
}

function removeAbandoned(): void {
  const oldest = Date.now() - GONE_AFTER_MS;
  for (const [place, seen] of queue) if (seen < oldest) queue.delete(place);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}
