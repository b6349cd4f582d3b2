/** The cron runs every minute: later than this it has stopped. */
export const CRON_SECONDS_MAX = 110;
/** So long after a deployment the cron may not have run yet. */
export const CRON_FIRST_SECONDS_MAX = 300;
/** A database that has not answered by then counts as unreachable. */
export const ANSWER_MS_MAX = 5_000;
/** From then on its answers are slow. */
export const ANSWER_MS_WARNING = 2_500;
/** An order's webhook that has not arrived so long after its event: its receiver hangs or refuses. */
export const UNDELIVERED_SECONDS_WARNING = 90;
/** So long after it is due, nobody has tried a delivery: neither the queue nor the sweep works. */
export const OVERDUE_SECONDS_MAX = 300;
/** Receivers of so many organizations fail, with this share of what was last sent to them: the fault is on this side. */
export const FAILING_ORGANIZATIONS_MAX = 3;
export const EXHAUSTED_SHARE_MAX = 0.5;
/** How many of the newest deliveries of a failing receiver are looked at. */
export const DELIVERIES_LOOKED_AT = 50;
export const PAUSED_HOURS_MAX = 24;
/** Messages that a queue gave up, in an hour. */
export const DEAD_LETTERS_MINUTES = 60;
/** Failed requests, in five minutes. */
export const ERRORS_MINUTES = 5;
export const ERRORS_WARNING = { count: 5, share: 0.01 };
export const ERRORS_MAX = { count: 20, share: 0.25 };
/** A job that failed is told for so long, and is failing when it has failed for so long without a success between. */
export const JOBS_MINUTES = 15;
export const JOBS_FAILING_MINUTES = 10;
/** Nights without a whole round of retention. */
export const NIGHTS_MAX = 3;
/** An entry of the directory that is older has its organization, or was swept (src/directory/reserve.ts). */
export const SETTLED_HOURS = 3;
/** A younger one may not have its organization yet. */
export const RESERVED_SECONDS = 60;
