/** The body as it is kept: JSON in UTF-8, without the PDF. */
export const PAYLOAD_BYTES_MAX = 64 * 1024;
/** So far back a similar request counts as a possible duplicate. */
export const DUPLICATE_DAYS = 14;
