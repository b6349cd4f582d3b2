/** What an order holds, and an order request as well. */
export const LINES_MAX = 100;
/** Pieces of one line. */
export const QUANTITY_MAX = 9999;
/** One line of text: a name, part of an address, the id of a product. */
export const TEXT_MAX = 200;
/** What the caller calls it. */
export const REFERENCE_MAX = 200;
/** The program that it comes from. */
export const SOURCE_MAX = 100;
/** What staff write about it. */
export const NOTE_MAX = 1000;
/** Name of a shelf. */
export const SHELF_MAX = 10;
export const BAGS_MAX = 9;
export const PAYMENT_LINK_DAYS = 14;
