export const STOCK_MAX = 1_000_000_000;
export const OVERRIDES_BYTES_MAX = 8 * 1024;
/** Of the metadata within overrides: bytes of JSON, and how many objects and lists may stand within each other. */
export const METADATA_BYTES_MAX = 4 * 1024;
export const METADATA_DEPTH_MAX = 4;
/** A count may be sent so much later. */
export const COUNTED_DAYS_MAX = 30;
/** What a caller calls a movement of stock. */
export const REFERENCE_MAX = 100;
/** Of one bulk command. */
export const ITEMS_MAX = 500;
/** How many shops an item of it may name in a list. */
export const ITEM_SHOPS_MAX = 50;
/** And how many its items name together: each listing that comes or goes takes the database a tenth of a millisecond. */
export const COMMAND_SHOPS_MAX = 1_000;
/** Of a file that staff import: its bytes, its lines (forty commands), its columns, and the characters of one line. */
export const IMPORT_BYTES_MAX = 2 * 1024 * 1024;
export const IMPORT_LINES_MAX = 40 * ITEMS_MAX;
export const IMPORT_COLUMNS_MAX = 100;
export const IMPORT_LINE_LENGTH_MAX = 500;
/** So long an import and its report are kept, and so many of an organization. */
export const IMPORT_KEPT_DAYS = 7;
export const IMPORTS_MAX = 20;
