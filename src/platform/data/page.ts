import { sql } from 'drizzle-orm';
import { firstIdAt } from '../ids';
import { PAGE_BYTES_MAX } from '../limits';
import type { Condition, Value } from './statements';

/** The page to read of an organization's list: the newest rows whose ids are below `before`, newest first. */
export interface PageBefore {
  orgId: string;
  before: string;
  limit: number;
}

/** A page to read of a list: at most `limit` rows after a place. For the first page, `after` is an empty text or 0. */
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

/** Splits a list into parts of at most `size` entries. Entries are taken from the list when their part is asked for. */
export function* inPages<T>(list: Iterable<T>, size: number): Iterable<T[]> {
  let page: T[] = [];
  for (const each of list) {
    page.push(each);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/**
 * Where a page begins. In a list by id, the newest row is first, and `before` is the last id of the previous page (null
 * for the first page). In a list by change, the oldest change is first. There, the page begins after a change number,
 * or at a time.
 */
export type Place = { before: string | null } | { changedAfter: number } | { updatedAfter: number };

/** The most rows that a page scans for a filter without an index. */
export const LOOKED_MAX = 500;

/** A period in which rows were created, in epoch ms. Rows that were created at one of the two bounds are not in it. */
export interface Period {
  createdAfter?: number;
  createdBefore?: number;
}

/** The largest difference between the time in a row's id and the row's `created_at`, in ms. */
const ID_APART_MS = 60_000;

/**
 * Condition: the row was created in the period, and its id is below `before`. The table needs the columns `id` and
 * `created_at`. Ids begin with their time, so an index that ends with the id finds the rows. `created_at` then decides
 * exactly. The condition has only one upper bound for the id. If there were two, SQLite would use the higher one.
 */
export function madeWithin({ createdAfter, createdBefore }: Period, before: Value<string>): Condition {
  const conditions = [sql`id < ${idBefore(before, createdBefore)}`];
  if (createdAfter !== undefined) {
    conditions.push(sql`id > ${firstIdAt(createdAfter - ID_APART_MS)}`, sql`+created_at > ${createdAfter}`);
  }
  if (createdBefore !== undefined) conditions.push(sql`+created_at < ${createdBefore}`);
  return sql.join(conditions, sql` and `);
}

/**
 * Returns the lower of two upper bounds for ids: `id`, and a bound above the ids of all rows that were created before
 * `createdBefore`. Returns the second one if `id` is a placeholder, which cannot be compared.
 */
export function idBefore<Id extends Value<string>>(id: Id, createdBefore: number | undefined): Id | string {
  if (createdBefore === undefined) return id;
  const bound = firstIdAt(createdBefore + ID_APART_MS);
  return typeof id === 'string' && id < bound ? id : bound;
}
