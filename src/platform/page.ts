/** A page ends at so many bytes, though more rows were asked for: what one organization stores must not hold up the others. */
export const PAGE_BYTES_MAX = 2 * 1024 ** 2;

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

/** Rows in parts of at most a hundred that come to a quarter of a page, for what is read part by part; a wider row is one alone. */
export function inParts<Row extends { octets: number }>(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = [];
  let octets = 0;
  for (const row of rows) {
    octets += row.octets;
    const part = parts.at(-1);
    if (part && part.length < 100 && octets <= PAGE_BYTES_MAX / 4) part.push(row);
    else {
      parts.push([row]);
      octets = row.octets;
    }
  }
  return parts;
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
