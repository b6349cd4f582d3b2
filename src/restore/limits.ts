/** So far above the highest number of an organization's events the marker stands: no cursor of the lost time is above it. */
export const EVENT_GAP = 1_000_000;
/** So far above the highest order number the next order is numbered. */
export const NUMBER_GAP = 1_000;
/** The same where the database could not be read before it was restored, and up to 30 days of orders are unknown. */
export const NUMBER_GAP_UNKNOWN = 100_000;
/** A version that a caller has seen of an order is not reached again soon. */
export const VERSION_GAP = 1_000;
/** What a restore leaves in the bucket is kept as long as the journal. */
export const KEPT_DAYS = 35;
