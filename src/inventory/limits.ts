export const STOCK_MAX = 1_000_000_000;
export const OVERRIDES_BYTES_MAX = 8 * 1024;
