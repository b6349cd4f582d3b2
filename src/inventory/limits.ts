import { MINUTE_MS } from '../platform/time';

export const STOCK_MAX = 1_000_000_000;
export const OVERRIDES_BYTES_MAX = 8 * 1024;
/** Limits of the metadata in overrides: bytes of JSON, and depth of nested objects and lists. */
export const METADATA_BYTES_MAX = 4 * 1024;
export const METADATA_DEPTH_MAX = 4;
/** Days after which a count is refused as too old. */
export const COUNTED_DAYS_MAX = 30;
/** The most characters of a caller's reference for a stock movement. */
export const REFERENCE_MAX = 100;
/** The most items of a bulk command. */
export const ITEMS_MAX = 500;
/** The most shops that an item may name in a list. */
export const ITEM_SHOPS_MAX = 50;
/**
 * The most shops that all items of a command may name together. Each added or removed listing takes a tenth of a
 * millisecond.
 */
export const COMMAND_SHOPS_MAX = 1_000;
/** Limits of a file that staff import: bytes, lines, columns, and characters of a line. */
export const IMPORT_BYTES_MAX = 2 * 1024 * 1024;
export const IMPORT_LINES_MAX = 20_000;
export const IMPORT_COLUMNS_MAX = 100;
export const IMPORT_LINE_LENGTH_MAX = 500;
/** How many lines of a file one command processes. */
export const IMPORT_PART_LINES = 100;
/** How many days an import and its report are kept, and how many imports an organization keeps. */
export const IMPORT_KEPT_DAYS = 7;
export const IMPORTS_MAX = 20;
/**
 * A sent price matches the price of a unit or a pack if it differs by this factor at most. Only a matching price shows
 * whether the quantity of an item means units or packs.
 */
export const PRICE_FACTOR = 1.25;

/** The number of rows on a page of the inventory and of the catalog. */
export const INVENTORY_PAGE_SIZE = 50;
/** The most products in a file of the inventory. */
export const INVENTORY_FILE_MAX = 20_000;
/** The most reservations that the page of a product shows. They are the newest. */
export const RESERVATIONS_SHOWN = 50;
/** The most products in the list below an input field. */
export const PICKER_FOUND_MAX = 8;
/** The most movements on the page of a product. */
export const MOVEMENTS_SHOWN = 20;
/** How many ms the time of a count may be ahead of the service's clock. */
export const COUNTED_AHEAD_MS = MINUTE_MS;
/** The most imports that a page lists, the newest ones. */
export const IMPORTS_SHOWN = 5;
/** The most shops that a row of the inventory names. If more shops offer the product, the row still has their number. */
export const SHOPS_NAMED_MAX = 4;
/** The count of products that run low stops at this number. So does the count of products with missing quantities. */
export const SHORT_COUNTED_MAX = 500;
/** How many products a new test organization gets, and how much stock of each. */
export const TEST_PRODUCTS_MAX = 50;
export const TEST_STOCK = 100;
