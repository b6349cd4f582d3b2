import { DAY_MS } from '../platform/time';

/** The most subscriptions of an organization, without deleted ones (contract 6.1). */
export const SUBSCRIPTIONS_MAX = 5;
/** The most callbacks that all integrations of an organization have together. */
export const CALLBACKS_MAX = 20;
/** The most shops in the filter of one subscription, and the most platforms. */
export const FILTERED_MAX = 50;
export const TESTS_A_MINUTE = 5;
/** The time within which a receiver must answer a post. */
export const POST_TIMEOUT_SECONDS = 10;
/** At most this many bytes of a receiver's response are stored. */
export const EXCERPT_BYTES = 2048;
/** Events stay in the pull feed for this many days. */
export const FEED_DAYS = 30;
/**
 * Events are kept for this many days: 30 days in the feed, and five more to investigate failures. Deliveries that still
 * wait are then deleted, too.
 */
export const EVENTS_KEPT_DAYS = 35;
export const EVENTS_KEPT_MS = EVENTS_KEPT_DAYS * 86_400_000;
/**
 * For how long the claim of a delivery is valid. An attempt takes less time, from the post until the result is
 * recorded.
 */
export const LEASE_MS = 60_000;
/** The most first attempts that start right after one commit, without the queue. */
export const FIRST_ATTEMPTS_MAX = 5;
/** If a subscription has this many attempts under way, no first attempt of it starts right after a commit. */
export const UNDER_WAY_MAX = 20;
/** The most attempts of one subscription that the queue keeps under way. All but one may be for product events. */
export const QUEUED_UNDER_WAY_MAX = 2;
/** A subscription is put on hold when this many of its deliveries in a row have ended without success. */
export const EXHAUSTED_IN_ROW_MAX = 5;
/**
 * When a subscription resumes, the events that were given up in its failure streak are delivered again: at most this
 * many.
 */
export const GIVEN_UP_MAX = 200;
/**
 * Minutes between two tries of a failing receiver. After `PROBE_SELDOM_AFTER_HOURS` on hold, `PROBE_SELDOM_MINUTES`
 * apply instead.
 */
export const PROBE_MINUTES = 15;
export const PROBE_SELDOM_MINUTES = 60;
export const PROBE_SELDOM_AFTER_HOURS = 6;
/** A subscription is disabled when it has been on hold for a failing receiver for this many days. */
export const DISABLED_AFTER_DAYS = 5;
/** One command creates at most this many `products_updated` events. */
export const PRODUCT_CHUNKS_MAX = 8;
/** The number of deliveries on a page of the log. */
export const LOG_PAGE_SIZE = 50;
/** The progress of a recovery is shown for this long. */
export const PROGRESS_SHOWN_MS = DAY_MS;
/**
 * The most kinds of failures that the page of a subscription shows, and the most changes of the subscription's status.
 */
export const FAILURES_SHOWN = 4;
export const STATUS_CHANGES_SHOWN = 12;
/** Waiting deliveries are counted up to this number. */
export const DELIVERIES_COUNTED_MAX = 1_000;
/**
 * Before a recovery, missed events are counted: at most this many with a failed delivery, and at most this many without
 * a delivery.
 */
export const RECOVERED_COUNTED_MAX = 10_000;
