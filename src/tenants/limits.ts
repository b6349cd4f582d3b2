/** The most characters in the name of an organization or a shop. */
export const NAME_LENGTH_MAX = 200;
/** EPC069-12 (the QR code of a payment page) limits the name of the account holder to this length. */
export const RECIPIENT_LENGTH_MAX = 70;
export const DELIVERY_SERVICE_LENGTH_MAX = 60;
/** The most characters in the street and in the city of a shop. */
export const ADDRESS_LINE_LENGTH_MAX = 100;
export const POSTAL_CODE_LENGTH_MAX = 12;
export const PHONE_LENGTH_MAX = 40;
export const OPENING_HOURS_LENGTH_MAX = 200;
export const THRESHOLD_MAX = 1_000_000;
/** The most days for which a prescription may be accepted after its issue: ten years. */
export const PRESCRIPTION_VALID_DAYS_MAX = 3653;
/** The highest fee in cents that a platform may set, for a shop that has not chosen another limit. */
export const FEE_MAX_CENTS_DEFAULT = 2500;
/** The longest time, in minutes, for which a shop may reserve stock for a request: seven days. */
export const RESERVE_MINUTES_MAX = 10_080;
/** The highest fee of one order, in cents. */
export const FEE_CENTS_MAX = 100_000;
/** The most shops of an organization, and the most hosts of a shop. Only owners are limited, not the operator. */
export const SHOPS_MAX = 50;
export const HOSTS_MAX = 10;
/** The most pending hosts of one organization. Without this limit, an organization could fill the operator's list. */
export const PENDING_HOSTS_MAX = 10;
/** The most moved hosts that are listed for each database. */
export const MOVED_HOSTS_MAX = 100;
/**
 * The most bytes that D1 allows a database; the limit cannot be raised (developers.cloudflare.com/d1/platform/limits).
 */
export const DATABASE_BYTES_MAX = 10_000_000_000;
/** When a database has this size, the operator is warned to add another before it is full (docs/operating.md). */
export const DATABASE_BYTES_WARNING = 0.6 * DATABASE_BYTES_MAX;
