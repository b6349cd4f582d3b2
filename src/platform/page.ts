/**
 * One page of a list that is read by cursor.
 * @param rows what was read: up to `size` rows and one more, which says that there is a next page
 * @param cursorOf names a row's place in the list
 * @returns the page, and the cursor after which the next one begins; null at the end
 */
export function pageOf<Row, Cursor>(rows: readonly Row[], size: number, cursorOf: (row: Row) => Cursor) {
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return { page, nextCursor: rows.length > size && last !== undefined ? cursorOf(last) : null };
}

/** A list in parts of at most `size`. */
export function inPages<T>(list: readonly T[], size: number): T[][] {
  const pages = Math.ceil(list.length / size);
  return Array.from({ length: pages }, (_, page) => list.slice(page * size, (page + 1) * size));
}

/**
 * Where a page begins of a list that goes by ids, the newest first, or by changes, the oldest first: behind an id (null: with the
 * newest), behind a change number, or with the changes since a time.
 */
export type Place = { before: string | null } | { changedAfter: number } | { updatedAfter: number };

/** Rows that one page looks through for a filter that no index has. */
export const LOOKED_MAX = 500;
