import type { Context } from '../context';
import { ATTEMPTS_MAX, RETRY_AFTER_SECONDS_MAX } from '../limits';

/** The largest share of a delay that is added to it at random. Nothing is subtracted. */
const JITTER_SHARE = 0.1;

export interface FailedAttempt {
  /** The number of the attempt that failed: 1, 2 or 3. */
  attempt: number;
  /** The time when the attempt ended, epoch ms. */
  now: number;
  /** A random number from 0 up to, but not including, 1. */
  random: number;
  /** The seconds before each attempt. The first number belongs to the first attempt. */
  scheduleSeconds: readonly number[];
  httpStatus: number | null;
  /** The response's `Retry-After`, if it had one. */
  retryAfter: string | null;
}

/** Like `nextAttemptAt`, for an attempt that got no response. */
export function nextAttemptUnanswered(ctx: Context, attempt: number, now: number): number | null {
  const { retryScheduleSeconds: scheduleSeconds } = ctx.config;
  return nextAttemptAt({ attempt, now, random: ctx.random(), scheduleSeconds, httpStatus: null, retryAfter: null });
}

/**
 * Returns when the next attempt is due, epoch ms. Null if there is none: after the third attempt, or after a response
 * with 410 Gone.
 */
export function nextAttemptAt(failed: FailedAttempt): number | null {
  if (failed.attempt >= ATTEMPTS_MAX || failed.httpStatus === 410) return null;
  const stepMs = (failed.scheduleSeconds[failed.attempt] ?? 0) * 1000;
  const planned = failed.now + Math.round(stepMs * (1 + JITTER_SHARE * failed.random));
  return Math.max(planned, askedToWaitUntil(failed) ?? 0);
}

/**
 * Returns the end of the wait for which a response with 429 or 503 asked, epoch ms. Null if it asked for none.
 * `Retry-After` is in seconds or a date (RFC 9110 §10.2.3). A wait of more than a day is shortened to a day.
 */
export function askedToWaitUntil({
  httpStatus,
  now,
  retryAfter,
}: Pick<FailedAttempt, 'httpStatus' | 'now' | 'retryAfter'>): number | null {
  if (!retryAfter || (httpStatus !== 429 && httpStatus !== 503)) return null;
  const at = /^\d+$/.test(retryAfter.trim()) ? now + Number(retryAfter) * 1000 : Date.parse(retryAfter);
  return at > now ? Math.min(at, now + RETRY_AFTER_SECONDS_MAX * 1000) : null;
}
