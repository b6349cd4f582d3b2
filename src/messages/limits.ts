import { HOUR_MS, MINUTE_MS } from '../platform/time';

/** The most characters of a reply address. */
export const REPLY_TO_MAX = 200;
/** The most attempts of one e-mail. A CHECK constraint enforces it. */
export const EMAIL_ATTEMPTS_MAX = 3;
/** Delays of an e-mail before the second and the third attempt. */
export const EMAIL_RETRY_MS: readonly number[] = [5 * MINUTE_MS, 30 * MINUTE_MS];
/** Minimum time between the notice that a subscription recovered and the notice that it stopped again. */
export const NOTICE_PAUSE_MS = HOUR_MS;
