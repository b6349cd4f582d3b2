/** Decoded size of one PDF. */
export const PDF_BYTES_MAX = 10 * 1024 * 1024;
