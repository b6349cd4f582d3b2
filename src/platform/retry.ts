import { DAY_SECONDS } from './time';

/** Attempts of a webhook delivery (contract 6.7) and of fetching a prescription. */
export const ATTEMPTS_MAX = 3;

/** At most this share of the delay is added; nothing is subtracted. */
const JITTER_SHARE = 0.1;
/** The longest delay that a receiver may ask for, and that a queue supports. */
const RETRY_AFTER_SECONDS_MAX = DAY_SECONDS;

export interface FailedAttempt {
  /** 1, 2 or 3. */
  attempt: number;
  /** When the attempt ended, epoch ms. */
  now: number;
  /** From 0 up to, but not including, 1. */
  random: number;
  /** Seconds before each attempt. */
  scheduleSeconds: readonly number[];
  httpStatus: number | null;
  /** The response's `Retry-After`, if it had one. */
  retryAfter: string | null;
}

/** When the next attempt is due, epoch ms; null when there is none (third attempt, or 410 Gone). */
export function nextAttemptAt(failed: FailedAttempt): number | null {
  if (failed.attempt >= ATTEMPTS_MAX || failed.httpStatus === 410) return null;
  const stepMs = (failed.scheduleSeconds[failed.attempt] ?? 0) * 1000;
  const planned = failed.now + Math.round(stepMs * (1 + JITTER_SHARE * failed.random));
  const asked = failed.httpStatus === 429 || failed.httpStatus === 503 ? askedFor(failed) : 0;
  return Math.max(planned, asked);
}

/** `Retry-After` in seconds or as a date (RFC 9110 §10.2.3), converted to epoch ms. */
function askedFor({ now, retryAfter }: FailedAttempt): number {
  if (!retryAfter) return 0;
  const at = /^\d+$/.test(retryAfter.trim()) ? now + Number(retryAfter) * 1000 : Date.parse(retryAfter);
  return Number.isNaN(at) ? 0 : Math.min(at, now + RETRY_AFTER_SECONDS_MAX * 1000);
}
