/** The longest period of one report, in days. */
export const PERIOD_DAYS_MAX = 366;
