/** How long a file of an organization can be fetched; also, how long its writing may take. */
export const FILE_DAYS = 7;
/** Rows of a part: their text has about this many bytes. */
export const ROWS_BYTES = 1024 ** 2;
/** PDFs of a part: their bytes together, unless one alone is larger, and their number. */
export const FILES_BYTES = 8 * 1024 ** 2;
export const FILES_MAX = 500;
