import { DAY_MS } from '../platform/time';

/**
 * The number of days for which journal entries are kept. They are needed as long as old data can come back. Old data
 * come from an organization's file, which may be imported until the file is this old, or from D1's Time Travel, which
 * reaches back 30 days.
 */
export const JOURNAL_DAYS = 400;
/**
 * How long audit rows are kept, in ms. This is a day longer than the trigger requires, because the trigger reads the
 * clock of the database, which may differ from that of the service.
 */
export const AUDIT_KEPT_MS = 3_653 * DAY_MS;
/** The most rows of an entity's history. */
export const HISTORY_ROWS_MAX = 100;
