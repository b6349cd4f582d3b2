/** The most bytes of the stored body: JSON in UTF-8, without the PDF. */
export const PAYLOAD_BYTES_MAX = 64 * 1024;
/** At most this many members of a body are stored that the contract does not define. Members of the items count too. */
export const PLATFORM_DETAILS_MAX = 40;
export const PLATFORM_DETAIL_LENGTH_MAX = 2000;
/** The most supplements that a platform can send to one request. */
export const SUPPLEMENTS_MAX = 20;
/** For how many days after the decision the body is kept as submitted, to investigate what a platform sent. */
export const PAYLOAD_KEPT_DAYS = 30;
/** Days within which a similar request counts as a possible duplicate. */
export const DUPLICATE_DAYS = 14;
/** Days after which a pending request is rejected if nobody has decided. */
export const EXPIRES_DAYS = 30;
/**
 * A changed request expires no earlier than this many days after the change. Owners are warned this many days before
 * the expiry.
 */
export const EXPIRY_NOTICE_DAYS = 7;
