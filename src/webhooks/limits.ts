/** The most subscriptions of an organization, not counting deleted ones (contract 6.1). */
export const SUBSCRIPTIONS_MAX = 5;
/** The most callbacks of integrations of an organization. */
export const CALLBACKS_MAX = 20;
/** Shops, and likewise platforms, in the filter of one subscription. */
export const FILTERED_MAX = 50;
export const TESTS_A_MINUTE = 5;
/** Timeout of a webhook post. */
export const POST_TIMEOUT_SECONDS = 10;
/** How much of a receiver's response is stored. */
export const EXCERPT_BYTES = 2048;
/** How far the pull feed goes back. */
export const FEED_DAYS = 30;
/**
 * How long events are kept: the feed's 30 days plus five days to investigate failures. Deliveries that still wait then
 * are deleted too.
 */
export const EVENTS_KEPT_DAYS = 35;
export const EVENTS_KEPT_MS = EVENTS_KEPT_DAYS * 86_400_000;
/** The lease of a claim: longer than posting and recording together take. */
export const LEASE_MS = 60_000;
/** How many first attempts of one commit start right after it, without the queue. */
export const FIRST_ATTEMPTS_MAX = 5;
/** When this many attempts of one subscription are under way, no first attempt starts right after a commit. */
export const UNDER_WAY_MAX = 20;
/** The most attempts of one subscription that the queue keeps under way; one less for events of products. */
export const QUEUED_UNDER_WAY_MAX = 2;
/** A subscription is put on hold after this many consecutive deliveries that ended without success. */
export const EXHAUSTED_IN_ROW_MAX = 5;
/** The most events that are delivered again when a subscription resumes. They failed in the streak that stopped it. */
export const GIVEN_UP_MAX = 200;
/** Minutes between two tries of a failing receiver: at first, and after `PROBE_SELDOM_AFTER_HOURS` on hold. */
export const PROBE_MINUTES = 15;
export const PROBE_SELDOM_MINUTES = 60;
export const PROBE_SELDOM_AFTER_HOURS = 6;
/** A subscription is disabled after it was on hold for a failing receiver for this long. */
export const DISABLED_AFTER_DAYS = 5;
/** The most `products_updated` events that one command creates. */
export const PRODUCT_CHUNKS_MAX = 8;
