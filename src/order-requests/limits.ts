/** The body as it is kept: JSON in UTF-8, without the PDF. */
export const PAYLOAD_BYTES_MAX = 64 * 1024;
/** What is kept of the members of a payload that are not the contract's. */
export const PLATFORM_DETAILS_MAX = 40;
export const PLATFORM_DETAIL_LENGTH_MAX = 2000;
/** What a platform may send to one request after its submission. */
export const SUPPLEMENTS_MAX = 20;
/** After the decision the body as it was sent is kept so long, to look into what a platform did. */
export const PAYLOAD_KEPT_DAYS = 30;
/** So far back a similar request counts as a possible duplicate. */
export const DUPLICATE_DAYS = 14;
