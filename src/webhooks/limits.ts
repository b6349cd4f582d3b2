/** Of an organization, deleted ones not counted (contract 6.1). */
export const SUBSCRIPTIONS_MAX = 5;
/** Integrations of an organization that have a callback. */
export const CALLBACKS_MAX = 20;
/** Shops, and platforms, that a subscription may be limited to. */
export const FILTERED_MAX = 50;
export const TESTS_A_MINUTE = 5;
/** Timeout of a webhook post. */
export const POST_TIMEOUT_SECONDS = 10;
/** What is kept of a receiver's answer. */
export const EXCERPT_BYTES = 2048;
/** How far the pull feed goes back. */
export const FEED_DAYS = 30;
/** As long as the feed, and five days more to look into what went wrong. Longer than this nothing waits for a receiver. */
export const EVENTS_KEPT_DAYS = 35;
export const EVENTS_KEPT_MS = EVENTS_KEPT_DAYS * 86_400_000;
/** How long a claim may post and record: longer than both together take. */
export const LEASE_MS = 60_000;
/** First attempts of one commit that start with it. */
export const FIRST_ATTEMPTS_MAX = 5;
/** Attempts of one subscription under way at once, beyond which no first attempt starts with the commit. */
export const UNDER_WAY_MAX = 20;
/** Attempts of one subscription that the queue may add while so many are under way, one of them for products. */
export const QUEUED_UNDER_WAY_MAX = 2;
/** After so many deliveries in a row that ended without success, a subscription is put on hold. */
export const EXHAUSTED_IN_ROW_MAX = 5;
/** So many deliveries of the failures that stopped a subscription are made anew when it goes on: more than there can be. */
export const GIVEN_UP_MAX = 200;
/** How often a failing receiver is tried: at first, and after so many hours on hold. */
export const PROBE_MINUTES = 15;
export const PROBE_SELDOM_MINUTES = 60;
export const PROBE_SELDOM_AFTER_HOURS = 6;
/** A receiver that failed for so long is not tried any more. */
export const DISABLED_AFTER_DAYS = 5;
/** How many events a command makes at most of the products that it changes together. */
export const PRODUCT_CHUNKS_MAX = 8;
