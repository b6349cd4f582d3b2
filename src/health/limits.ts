/** The cron runs every minute; after this time without a run it counts as stopped. */
export const CRON_SECONDS_MAX = 110;
/** How long after a deployment the first run of the cron may take. */
export const CRON_FIRST_SECONDS_MAX = 300;
/** A database without an answer after this time counts as unreachable. */
export const ANSWER_MS_MAX = 5_000;
/** The time after which an answer of a database counts as slow. */
export const ANSWER_MS_WARNING = 2_500;
/** The age of an undelivered webhook of an order at which the check warns: its receiver hangs or refuses. */
export const UNDELIVERED_SECONDS_WARNING = 90;
/** If a delivery was not tried this long after it was due, neither the queue nor the sweep works. */
export const OVERDUE_SECONDS_MAX = 300;
/**
 * If at least this many organizations have failing receivers, and at least this share of the newest deliveries to these
 * receivers was given up, the fault is in this service.
 */
export const FAILING_ORGANIZATIONS_MAX = 3;
export const EXHAUSTED_SHARE_MAX = 0.5;
/** How many reservations are read to check the stock of their products: those that end first. */
export const RESERVATIONS_LOOKED_AT = 500;
/** How many of the newest deliveries of a failing receiver are read. */
export const DELIVERIES_LOOKED_AT = 50;
export const PAUSED_HOURS_MAX = 24;
/** The number of hours without a complete backup after which the check warns. */
export const BACKUP_HOURS_MAX = 24;
/** For how many minutes a message counts after its queue has given it up. */
export const DEAD_LETTERS_MINUTES = 60;
/** For how many minutes a failed request counts. */
export const ERRORS_MINUTES = 5;
export const ERRORS_WARNING = { count: 5, share: 0.01 };
export const ERRORS_MAX = { count: 20, share: 0.25 };
/**
 * For how long a failed job is reported (`JOBS_MINUTES`), and after how long without a success it counts as failing.
 */
export const JOBS_MINUTES = 15;
export const JOBS_FAILING_MINUTES = 10;
/** The number of nights without a complete run of retention after which the check fails. */
export const NIGHTS_MAX = 3;
/**
 * If a directory entry is older than this, its organization exists, or the sweep has deleted the entry
 * (src/directory/reserve.ts).
 */
export const SETTLED_HOURS = 3;
/** If a directory entry is younger than this, its organization may not exist yet. */
export const RESERVED_SECONDS = 60;
