/** The longest period that one report is about. */
export const PERIOD_DAYS_MAX = 366;
