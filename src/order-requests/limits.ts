/** The most bytes of the stored body: JSON in UTF-8, without the PDF. */
export const PAYLOAD_BYTES_MAX = 64 * 1024;
/** The most stored members of a body that the contract does not define. Members of items count too. */
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
/** The most prescriptions of one body. */
export const PRESCRIPTIONS_MAX = 5;
/** The number of requests on a page of the inbox. The page has at most 15 KB when it is sent. */
export const INBOX_PAGE_SIZE = 50;
/** The most requests of a status that are counted. The inbox refreshes often, and a larger number helps nobody. */
export const TAB_COUNTED_MAX = 1000;
/** The most waiting requests that are counted. */
export const WAITING_COUNTED_MAX = 100;
/** Staff must acknowledge a line with more packs than this, even if all were requested. */
export const PACKS_UNTICKED_MAX = 5;
/**
 * If the total amounts of a line cannot be compared, staff must acknowledge a line with fewer packs than requested, or
 * with at least this many times as many packs.
 */
export const PACKS_FACTOR = 2;
/** The most cents by which a price may differ from the product's without a warning. */
export const PRICE_OFF_CENTS_MAX = 100;
/** The largest share of the product's price by which a price may differ from it without a warning. */
export const PRICE_OFF_SHARE_MAX = 0.1;
/** The most earlier orders of a person that a request shows. The same limit applies to earlier requests. */
export const EARLIER_SHOWN = 10;
/**
 * How many results of each kind a search shows. `HITS_OF_EACH_SHOWN` is for the tab with all kinds, `HITS_OF_ONE_SHOWN`
 * for the tab of a single kind.
 */
export const HITS_OF_EACH_SHOWN = 6;
export const HITS_OF_ONE_SHOWN = 50;
/** The hits of a search are counted up to this number. */
export const HITS_COUNTED_MAX = 100;
/** How many of the newest requests of the organization are searched for duplicates. */
export const DUPLICATES_AMONG_MAX = 500;
/** How many cents a sent total may be off by rounding, for each piece and for each line. */
export const ROUNDING_CENTS = { piece: 0.5, line: 1 } as const;
