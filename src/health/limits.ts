/** The number of seconds without a run of the cron after which the cron counts as stopped. It runs every minute. */
export const CRON_SECONDS_MAX = 110;
/** The number of seconds after a deployment within which the cron must run for the first time. */
export const CRON_FIRST_SECONDS_MAX = 300;
/** The time in ms after which a database that has not answered counts as unreachable. */
export const ANSWER_MS_MAX = 5_000;
/** The time in ms after which an answer of a database counts as slow. */
export const ANSWER_MS_WARNING = 2_500;
/**
 * The age in seconds of an undelivered webhook from which the check warns: the receiver of the webhook does not answer,
 * or refuses it. Webhooks about products and stock do not count.
 */
export const UNDELIVERED_SECONDS_WARNING = 90;
/**
 * The number of seconds that a due delivery may wait for an attempt before the check fails. If a delivery waits longer,
 * neither the queue nor the sweep works.
 */
export const OVERDUE_SECONDS_MAX = 300;
/**
 * The number of organizations with failing receivers from which the fault may be in this service. The check fails if,
 * in addition, `EXHAUSTED_SHARE_MAX` is reached.
 */
export const FAILING_ORGANIZATIONS_MAX = 3;
/**
 * The share of given up deliveries, among the newest deliveries to failing receivers, from which the fault may be in
 * this service.
 */
export const EXHAUSTED_SHARE_MAX = 0.5;
/** The most reservations whose products are checked. They are the reservations that end first. */
export const RESERVATIONS_LOOKED_AT = 500;
/**
 * The most deliveries of one subscription that are read: of a failing one, the newest; of one with waiting deliveries,
 * those that are due first.
 */
export const DELIVERIES_LOOKED_AT = 50;
/** The number of hours with paused deletions after which the check warns. */
export const PAUSED_HOURS_MAX = 24;
/** The number of hours without a complete backup after which the check warns. */
export const BACKUP_HOURS_MAX = 24;
/** The number of minutes for which a message counts after its queue has given up the message. */
export const DEAD_LETTERS_MINUTES = 60;
/** The number of minutes for which a failed request counts. */
export const ERRORS_MINUTES = 5;
/** The check warns if both the number and the share of failed requests reach these values. */
export const ERRORS_WARNING = { count: 5, share: 0.01 };
/** The check fails if both the number and the share of failed requests reach these values. */
export const ERRORS_MAX = { count: 20, share: 0.25 };
/** The number of minutes for which a failed job is reported. */
export const JOBS_MINUTES = 15;
/** The number of minutes between the first and the last failure in a series from which the check fails. */
export const JOBS_FAILING_MINUTES = 10;
/** The number of nights without a complete run of retention after which the check fails. */
export const NIGHTS_MAX = 3;
/**
 * The age of a directory entry, in hours, from which its organization must exist. By then, the sweep has deleted each
 * entry without an organization (src/directory/reserve.ts).
 */
export const SETTLED_HOURS = 3;
/** The age of a directory entry, in seconds, up to which its organization may not exist yet. */
export const RESERVED_SECONDS = 60;
/** The hour of the day (UTC) from which the daily sign of life is sent to `ALERT_URL`. */
export const HEARTBEAT_FROM_HOUR = 6;
/** The hour of the day (UTC) until which retention must have finished. */
export const NIGHT_ENDS_HOUR = 5;
