import { HOUR_MS } from '../platform/time';

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
/** The size at which the operator is warned to add another database before this one is full (docs/operating.md). */
export const DATABASE_BYTES_WARNING = 0.6 * DATABASE_BYTES_MAX;
/** The most shipping rules of an organization, and the most characters of a rule's text. */
export const SHIPPING_RULES_MAX = 50;
export const SHIPPING_RULE_TEXT_MAX = 200;
/** The most aliases that a shop has for its shipping options, and the most characters of an alias. */
export const ALIASES_MAX = 50;
export const ALIAS_LENGTH_MAX = 100;
/**
 * The fewest and the most days for which an owner may keep data. Orders: from five years (ApBetrO § 22 (1), with two
 * leap days) to thirty years (§ 22 (4)). Rejected requests: from a week, within which staff can look at a request
 * again, to ten years.
 */
export const RETENTION_DAYS = {
  requestRetentionDays: [7, 3653],
  orderRetentionDays: [1827, 10_958],
} as const satisfies Record<string, readonly [min: number, max: number]>;
/** The most days that the operator may set. */
export const OPERATOR_RETENTION_DAYS_MAX = 36_525;
/** The time between two checks that an active host still belongs to its shop. */
export const HOST_CHECK_MS = HOUR_MS;
/** The settings of a new organization. */
export const SETTINGS_DEFAULT = {
  lowStockThreshold: 5,
  requestRetentionDays: 90,
  /** ApBetrO § 22 requires five years. One more month leaves time to close the last year. */
  orderRetentionDays: 5 * 366 + 31,
  prescriptionValidDays: 90,
};
