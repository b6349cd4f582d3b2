/** The most bytes of the stored body: JSON in UTF-8, without the PDF. */
export const PAYLOAD_BYTES_MAX = 64 * 1024;
/** How many members of a payload that the contract does not know are stored, those of its items included. */
export const PLATFORM_DETAILS_MAX = 40;
export const PLATFORM_DETAIL_LENGTH_MAX = 2000;
/** The most supplements that a platform can send to one request. */
export const SUPPLEMENTS_MAX = 20;
/** Days for which the body as submitted is kept after the decision, to investigate what a platform sent. */
export const PAYLOAD_KEPT_DAYS = 30;
/** Days within which a similar request counts as a possible duplicate. */
export const DUPLICATE_DAYS = 14;
/** Days after which a pending request that nobody decided about is rejected. */
export const EXPIRES_DAYS = 30;
/** Days for which a change of it postpones that, and before it owners are warned. */
export const EXPIRY_NOTICE_DAYS = 7;
