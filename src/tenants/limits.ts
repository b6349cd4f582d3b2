/** Of an organization and of a shop. */
export const NAME_LENGTH_MAX = 200;
/** EPC069-12, the code on a payment page, takes no longer name of an account holder. */
export const RECIPIENT_LENGTH_MAX = 70;
export const DELIVERY_SERVICE_LENGTH_MAX = 60;
export const THRESHOLD_MAX = 1_000_000;
/** What owners may open, and add to a shop, by themselves; the operator is not held to it. */
export const SHOPS_MAX = 50;
export const HOSTS_MAX = 10;
/** Hosts of one organization that wait for the operator at a time: nobody fills the operator's list. */
export const PENDING_HOSTS_MAX = 10;
