import { DAY_MS, DAY_SECONDS, HOUR_MS, MINUTE_MS } from '../platform/time';

/** Seconds after which an open page is refreshed: the inbox, and the log of webhooks. */
export const INBOX_REFRESH_SECONDS = 15;
export const LOG_REFRESH_SECONDS = 5;
/** Ages from which a waiting request is marked as late and as very late. */
export const LATE_MS = 30 * MINUTE_MS;
export const OVERDUE_MS = 2 * HOUR_MS;
/** For how long the values of a form are kept while staff are on another page. */
export const TYPED_KEPT_MS = 30 * MINUTE_MS;
/** The number of orders on a page of their list. */
export const ORDERS_PAGE_SIZE = 50;
/** The most boxes to tick that a slip prints for a line. A line with more packs gets only one box. */
export const BOXES_MAX = 10;
/** The most lines of an import on one page. */
export const IMPORT_LINES_SHOWN = 100;
/** The longest period, in days, with figures by day. Longer periods have figures by week to keep the page small. */
export const DAYS_BY_DAY_MAX = 92;
/** The most hits of a search for a batch on one page. */
export const BATCH_HITS_SHOWN = 50;
/** How long a replaced secret or key stays valid, in ms. */
export const OVERLAPS = { day: DAY_MS, week: 7 * DAY_MS, none: 0 } as const;
/** If a receiver of webhooks takes longer than this, its page advises to answer sooner. */
export const RECEIVER_SLOW_MS = 5_000;
/** The most bytes of a form without a file. */
export const FORM_BYTES_MAX = 64 * 1024;
/** How long a secret is kept for the page that shows it. The redirect to this page follows at once. */
export const SECRET_SHOWN_MS = 2 * MINUTE_MS;
/** Seconds for which a browser keeps the device cookie. Each sign-in sets it anew. */
export const DEVICE_KEPT_SECONDS = 180 * DAY_SECONDS;
/** Seconds for which a browser keeps a person's choice of a language or of shortcuts. */
export const CHOICE_KEPT_SECONDS = 365 * DAY_SECONDS;
