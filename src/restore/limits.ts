/**
 * Distance of the marker from the organization's highest event number, so that no cursor of the lost period is above
 * it.
 */
export const EVENT_GAP = 1_000_000;
/** Distance of the next order number from the highest known one. */
export const NUMBER_GAP = 1_000;
/**
 * As `NUMBER_GAP` if the database could not be read before the restore, so that up to 30 days of orders are unknown.
 */
export const NUMBER_GAP_UNKNOWN = 100_000;
/** Added to an order's version, so that it soon reaches no version that a caller has seen. */
export const VERSION_GAP = 1_000;
/** How long the objects of a restore stay in the bucket. */
export const KEPT_DAYS = 35;
