/**
 * Distance of the marker from the organization's highest event number, so that no cursor of the lost period is above
 * it.
 */
export const EVENT_GAP = 1_000_000;
/** Distance of the next order number from the highest known one. */
export const NUMBER_GAP = 1_000;
/**
 * As `NUMBER_GAP` if the database could not be read before the restore, so that up to 30 days of orders are unknown.
 */
export const NUMBER_GAP_UNKNOWN = 100_000;
/** Added to an order's version, so that it soon reaches no version that a caller has seen. */
export const VERSION_GAP = 1_000;
/** How long the objects of a restore stay in the bucket. */
export const KEPT_DAYS = 35;

/** How long a file of an organization can be fetched; also, how long its writing may take. */
export const FILE_DAYS = 7;
/** Rows of a part: their text has about this many bytes. */
export const ROWS_BYTES = 1024 ** 2;
/** PDFs of a part: their bytes together, unless one alone is larger, and their number. */
export const FILES_BYTES = 8 * 1024 ** 2;
export const FILES_MAX = 500;
