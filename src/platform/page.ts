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

export type Place = { before: string | null } | { changedAfter: number } | { updatedAfter: number };
