/** The most characters of the fields of a product, in the catalog and in an organization's inventory. */
export const P1_ID_MAX = 100;
export const NAME_MAX = 200;
export const SLUG_MAX = 100;
export const DESCRIPTION_MAX = 4000;
export const CATEGORY_MAX = 100;
/** The largest step of a quantity, in the unit of the product. */
export const UNIT_STEP_MAX = 1000;
/** Limits of a file with the catalog: bytes, columns, and characters of a record. */
export const IMPORT_BYTES_MAX = 64 * 1024 * 1024;
export const IMPORT_COLUMNS_MAX = 100;
export const IMPORT_RECORD_LENGTH_MAX = 256 * 1024;
/** The most refused lines that the answer to an import names. */
export const IMPORT_REFUSALS_MAX = 1_000;
