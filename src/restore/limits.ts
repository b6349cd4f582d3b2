import { DAY_MS, HOUR_MS, SECOND_MS } from '../platform/time';

/**
 * After a restore, an organization's next event (the marker, a test event) has its highest known event number plus
 * this. That is above every cursor that was given out in the lost period.
 */
export const EVENT_GAP = 1_000_000;
/** After a restore, the next order number is the highest known number plus this. */
export const NUMBER_GAP = 1_000;
/**
 * As `NUMBER_GAP`, for a database that could not be read before the restore. It may have lost up to 30 days of orders,
 * whose numbers are unknown.
 */
export const NUMBER_GAP_UNKNOWN = 100_000;
/** A restore raises the version of an order by this, so that it is above all versions that callers have seen. */
export const VERSION_GAP = 1_000;
/** How long the objects of a restore stay in the bucket. */
export const KEPT_DAYS = 35;

/** For this many days, the file of an organization can be fetched. Writing it may take as many days. */
export const FILE_DAYS = 7;
/** A part with rows is complete as soon as their text has this many bytes. */
export const ROWS_BYTES = 1024 ** 2;
/** The most bytes and the most PDFs in one part with PDFs. A PDF with more bytes is the only one in its part. */
export const FILES_BYTES = 8 * 1024 ** 2;
export const FILES_MAX = 500;
/**
 * All data of an organization that leaves are erased `CONFIRMED_DAYS` days after an owner has confirmed that the file
 * opens. If nobody confirms this, they are erased `UNCONFIRMED_DAYS` days after the start.
 */
export const CONFIRMED_DAYS = 30;
export const UNCONFIRMED_DAYS = 90;
/** Days between two reminders of the owners. */
export const REMINDED_DAYS = 30;
/**
 * Days for which an erased organization is watched. D1 can be restored to a time up to 30 days ago. Rows that such a
 * restore brings back are erased again.
 */
export const WATCHED_DAYS = 35;
/** A test organization is erased after this many days without use. */
export const UNUSED_TEST_DAYS = 365;
/** The shortest time from the start of a complete round of backups until the start of the next one. */
export const BACKUP_ROUND_MS = 20 * HOUR_MS;
/** An organization without changes is backed up again after this time, before its last backup might be deleted. */
export const BACKUP_UNCHANGED_MS = 14 * DAY_MS;
/** The fewest and the most characters of a passphrase. Anybody who has the file can try short ones. */
export const PASSPHRASE_MIN = 16;
export const PASSPHRASE_MAX = 200;
/**
 * The time for which webhook posts, writes and sweeps may still run after their organization was fenced (closed for its
 * move). Its file is written after this time.
 */
export const MOVE_QUIET_MS = 120 * SECOND_MS;
