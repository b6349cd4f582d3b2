/** The most lines of an order or an order request. */
export const LINES_MAX = 100;
/** The largest quantity of one line. */
export const QUANTITY_MAX = 9999;
/** The longest one-line text: a name, a part of an address, a product id. */
export const TEXT_MAX = 200;
/** The longest `external_reference` of an order request. */
export const REFERENCE_MAX = 200;
/** The longest name of the platform or program that an order comes from. */
export const SOURCE_MAX = 100;
/** The longest note. */
export const NOTE_MAX = 1000;
/** The longest name of a shelf. */
export const SHELF_MAX = 10;
export const BAGS_MAX = 9;
export const PAYMENT_LINK_DAYS = 14;
/** Longest name of who checked a weighing. */
export const CHECKED_BY_MAX = 60;

/** The longest batch, in characters. A batch in a code has 20 at most, but a pharmacy's own batch may be longer. */
export const BATCH_MAX = 40;
/** The most batches that one call books. */
export const BATCHES_MAX = 200;
/** For how many ms the names for a batch are kept by law (§ 22 ApBetrO): five years after the order last changed. */
export const RESTRICTED_MS = 5 * 366 * 24 * 3_600_000;
