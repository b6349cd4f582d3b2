/** Of an organization, deleted ones not counted (contract 6.1). */
export const SUBSCRIPTIONS_MAX = 5;
export const TESTS_A_MINUTE = 5;
/** So long a receiver may take to answer. */
export const POST_TIMEOUT_SECONDS = 10;
/** What is kept of a receiver's answer. */
export const EXCERPT_BYTES = 2048;
export const REDELIVERED_AT_ONCE = 500;
/** How far the pull feed goes back. */
export const FEED_DAYS = 30;
/** As long as the feed, and five days more to look into what went wrong. Longer than this nothing waits for a receiver. */
export const EVENTS_KEPT_DAYS = 35;
