import { PAGE_BYTES_MAX } from '../limits';

/** The page to read of an organization's list: the newest rows whose ids are below `before`, newest first. */
export interface PageBefore {
  orgId: string;
  before: string;
  limit: number;
}

/** The page to read of an organization's list: the rows above a place. The place is empty or 0 for the first page. */
export interface PageAfter<Place> {
  orgId: string;
  after: Place;
  limit: number;
}

/**
 * Returns one page of a list that is read by cursor.
 * @param rows up to `size` rows, and one more if there is a next page
 * @param cursorOf returns the cursor that stands for a row's position in the list
 * @returns the rows of the page, and the cursor of the next page, which is null on the last page
 */
export function pageOf<Row, Cursor>(rows: readonly Row[], size: number, cursorOf: (row: Row) => Cursor) {
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return { page, nextCursor: rows.length > size && last !== undefined ? cursorOf(last) : null };
}

/**
 * Splits rows into parts of at most a hundred rows. A part has at most a quarter of `PAGE_BYTES_MAX`, unless a single
 * row has more.
 */
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

/** Splits a list into parts of at most `size` entries. */
export function inPages<T>(list: readonly T[], size: number): T[][] {
  const pages = Math.ceil(list.length / size);
  return Array.from({ length: pages }, (_, page) => list.slice(page * size, (page + 1) * size));
}

/**
 * Where a page begins. In a list by id, the newest row is first, and `before` is the last id of the previous page (null
 * for the first page). In a list by change, the oldest change is first. There, the page begins after a change number,
 * or at a time.
 */
export type Place = { before: string | null } | { changedAfter: number } | { updatedAfter: number };

/** The most rows that a page scans for a filter without an index. */
export const LOOKED_MAX = 500;
