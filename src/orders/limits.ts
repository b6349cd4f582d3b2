/** The most lines that an order or an order request may have. */
export const LINES_MAX = 100;
/** The largest quantity of one line. */
export const QUANTITY_MAX = 9999;
/** The most characters of a one-line text, such as a name, a part of an address or a product id. */
export const TEXT_MAX = 200;
/** The most characters of the `external_reference` of an order request. */
export const REFERENCE_MAX = 200;
/** The most characters of the name of the platform or program that an order comes from. */
export const SOURCE_MAX = 100;
/** The most characters of a note. */
export const NOTE_MAX = 1000;
/** The most characters of the name of a shelf. */
export const SHELF_MAX = 10;
export const BAGS_MAX = 9;
export const PAYMENT_LINK_DAYS = 14;
/** The most characters of the name of the person who checked a weighing. */
export const CHECKED_BY_MAX = 60;

/**
 * The most characters of a batch number. A batch number in a scanned code has at most 20. A batch number that the
 * pharmacy itself assigned may be longer.
 */
export const BATCH_MAX = 40;
/** The most batch numbers that one call can send. */
export const BATCHES_MAX = 200;
/**
 * How long an erased order keeps the names of the customer and the prescriber, in ms. The time begins with the last
 * change of the order before the erasure. The names are kept only if packs of a known batch have left the pharmacy. The
 * law (§ 22 ApBetrO) requires five years.
 */
export const RESTRICTED_MS = 5 * 366 * 24 * 3_600_000;
/** The most orders in one file (CSV). */
export const DESK_FILE_MAX = 2000;
/** The most orders that staff can select for one step. */
export const BULK_MAX = 50;
/**
 * The most stops that one tour shows. If there are more stops, the tour shows those of the newest orders. The page
 * stays below 60 KB.
 */
export const TOUR_MAX = 70;
/** The highest number that is counted for a tab of the list of orders. */
export const DESK_COUNTED_MAX = 100;
/** The most characters of the text of a transfer (EPC069-12). */
export const TRANSFER_TEXT_MAX = 140;
/** Counting of the orders to pack stops at this number. */
export const TO_PACK_COUNTED_MAX = 100;
/** The most orders that are listed as waiting for packs: those whose packs are expected earliest. */
export const EXPECTED_LISTED_MAX = 200;
/** The most lines on one page about a supply in parts. */
export const SUPPLY_LINES_SHOWN = 60;
/** The number of days from today within which packs can be expected. */
export const EXPECTED_DAYS_MAX = 366;
/** The most notes that the page of an order or a request shows. The same limit applies to questions. */
export const NOTES_SHOWN = 50;
