export const STOCK_MAX = 1_000_000_000;
export const OVERRIDES_BYTES_MAX = 8 * 1024;
/** A count may be sent so much later. */
export const COUNTED_DAYS_MAX = 30;
/** What a caller calls a movement of stock. */
export const REFERENCE_MAX = 100;
