/**
 * Distance of the marker (a test event that a restore inserts) from the organization's highest event number, so that no
 * cursor of the lost period is above it.
 */
export const EVENT_GAP = 1_000_000;
/** Distance of the next order number from the highest known one. */
export const NUMBER_GAP = 1_000;
/**
 * As `NUMBER_GAP`, for a database that could not be read before the restore: up to 30 days of orders are then unknown.
 */
export const NUMBER_GAP_UNKNOWN = 100_000;
/** After a restore, an order's version is raised by this, above all versions that callers have seen. */
export const VERSION_GAP = 1_000;
/** How long the objects of a restore stay in the bucket. */
export const KEPT_DAYS = 35;

/** The number of days for which a file of an organization can be fetched, and for which its writing may take. */
export const FILE_DAYS = 7;
/** A part with rows ends when their text has this number of bytes. */
export const ROWS_BYTES = 1024 ** 2;
/** The most bytes and the most PDFs of a part. A single larger PDF is a part of its own. */
export const FILES_BYTES = 8 * 1024 ** 2;
export const FILES_MAX = 500;
