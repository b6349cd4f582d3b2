/** The number of seconds without a run after which the cron counts as stopped. The cron runs every minute. */
export const CRON_SECONDS_MAX = 110;
/** The number of seconds after a deployment within which the cron must run for the first time. */
export const CRON_FIRST_SECONDS_MAX = 300;
/** The time in ms after which a database that has not answered counts as unreachable. */
export const ANSWER_MS_MAX = 5_000;
/** The time in ms after which an answer of a database counts as slow. */
export const ANSWER_MS_WARNING = 2_500;
/**
 * The check warns if a webhook is undelivered for this many seconds, because its receiver does not answer or refuses
 * it. Webhooks about products and stock do not count.
 */
export const UNDELIVERED_SECONDS_WARNING = 90;
/**
 * The number of seconds that a due delivery may wait for an attempt before the check fails. If a delivery waits longer,
 * neither the queue nor the sweep works.
 */
export const OVERDUE_SECONDS_MAX = 300;
/**
 * The check fails if at least this many organizations have failing receivers and `EXHAUSTED_SHARE_MAX` is reached. The
 * fault may then be in this service.
 */
export const FAILING_ORGANIZATIONS_MAX = 3;
/**
 * The check fails if at least this share of the newest deliveries to failing receivers was given up, and
 * `FAILING_ORGANIZATIONS_MAX` is reached as well.
 */
export const EXHAUSTED_SHARE_MAX = 0.5;
/** The most reservations that are read. Their products are checked. The reservations that end first are read first. */
export const RESERVATIONS_LOOKED_AT = 500;
/**
 * The most deliveries that are read for each subscription: the waiting deliveries that are due first. For a failing
 * receiver, the same number of its newest deliveries is read too.
 */
export const DELIVERIES_LOOKED_AT = 50;
/** The check warns if deletions have been paused for this many hours. */
export const PAUSED_HOURS_MAX = 24;
/** The check warns if no backup has been complete for this many hours. */
export const BACKUP_HOURS_MAX = 24;
/** For this many minutes, the check counts a message that its queue has given up. */
export const DEAD_LETTERS_MINUTES = 60;
/** For this many minutes, the check counts a failed request. */
export const ERRORS_MINUTES = 5;
/** The check warns if both the number and the share of failed requests reach these values. */
export const ERRORS_WARNING = { count: 5, share: 0.01 };
/** The check fails if both the number and the share of failed requests reach these values. */
export const ERRORS_MAX = { count: 20, share: 0.25 };
/** The number of minutes for which a failed job is reported. */
export const JOBS_MINUTES = 15;
/** The check fails if the first and the last failure in a job's series are this many minutes apart. */
export const JOBS_FAILING_MINUTES = 10;
/** The check fails if retention has not run completely for this many nights. */
export const NIGHTS_MAX = 3;
/**
 * A directory entry that is older than this many hours must have an organization. By then, the sweep has deleted each
 * entry without one (src/directory/reserve.ts).
 */
export const SETTLED_HOURS = 3;
/** A directory entry that is younger than this many seconds may have no organization yet. */
export const RESERVED_SECONDS = 60;
/** The hour of the day (UTC) from which the daily sign of life is sent to `ALERT_URL`. */
export const HEARTBEAT_FROM_HOUR = 6;
/** The hour of the day (UTC) until which retention must have finished. */
export const NIGHT_ENDS_HOUR = 5;
