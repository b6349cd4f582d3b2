/**
 * The marker that a restore inserts (a test event) has the organization's highest known event number plus this. It is
 * thereby above every cursor that was given out in the lost period.
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
/** The most bytes and the most PDFs in one part with PDFs. A single larger PDF is a part of its own. */
export const FILES_BYTES = 8 * 1024 ** 2;
export const FILES_MAX = 500;
