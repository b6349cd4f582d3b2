/** Characters of an address. */
export const REPLY_TO_MAX = 200;
/** Of one e-mail; a CHECK holds it. */
export const EMAIL_ATTEMPTS_MAX = 3;
/** Before the second and the third attempt. */
export const EMAIL_RETRY_MS: readonly number[] = [5 * 60_000, 30 * 60_000];
/** How long the answer of the mail service is waited for, with room for clocks that differ. */
export const EMAIL_LEASE_MS = 90_000;
/** A subscription that stops again so soon after it recovered is told later. */
export const NOTICE_PAUSE_MS = 60 * 60_000;
/** Subscriptions that one invocation tells about, for one database. */
export const NOTICES_AT_ONCE = 40;
/** So many are sent in one invocation, for one database. */
export const EMAILS_AT_ONCE = 40;
