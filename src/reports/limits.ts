/** The number of rows on a page of the audit log. */
export const AUDIT_PAGE_SIZE = 50;
/** The most rows in a file of the audit log. */
export const AUDIT_FILE_MAX = 10_000;
/** The most orders in the list of unpaid orders, which has the newest ones of the last `UNCOLLECTED_DAYS` days. */
export const UNCOLLECTED_MAX = 100;
export const UNCOLLECTED_DAYS = 30;
/** The most products that the page of figures names: those that earned most, and those that run low. */
export const TOP_PRODUCTS_SHOWN = 10;
export const LOW_STOCK_SHOWN = 20;
/** The most products in the file of a period. */
export const PRODUCTS_FILE_MAX = 5_000;
/** The most movements in one file. Each may name a person and an order. */
export const MOVEMENTS_FILE_MAX = 2_000;
/** The longest period of one report, in days. */
export const PERIOD_DAYS_MAX = 366;
/** The number of days of a report of the API if the call names no period. */
export const REPORT_DAYS_DEFAULT = 30;
/** The most products that run low in a report of the API. */
export const LOW_STOCK_LISTED_MAX = 100;
/** The most rows of each table that are counted for an organization. More would make the operator's list slow. */
export const TENANT_ROWS_COUNTED_MAX = 10_000;
