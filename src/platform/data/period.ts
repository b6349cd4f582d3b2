import { sql } from 'drizzle-orm';
import { firstIdAt } from '../ids';
import type { Condition, Value } from './statements';

/** Made after the one time, and before the other; epoch ms. */
export interface Period {
  createdAfter?: number;
  createdBefore?: number;
}

/** An id is made so much earlier than its row at most, or later. */
const ID_APART_MS = 60_000;

/**
 * Rows of a table with the columns `id` and `created_at` that were made in a period, and have a lower id than another one. Ids
 * begin with their time, so an index that ends with them finds the rows, and the time of each decides. One bound for each side:
 * of two, SQLite would walk the index from the farther one.
 */
export function madeWithin({ createdAfter, createdBefore }: Period, before: Value<string>): Condition {
  const conditions = [sql`id < ${idBefore(before, createdBefore)}`];
  if (createdAfter !== undefined) {
    conditions.push(sql`id > ${firstIdAt(createdAfter - ID_APART_MS)}`, sql`+created_at > ${createdAfter}`);
  }
  if (createdBefore !== undefined) conditions.push(sql`+created_at < ${createdBefore}`);
  return sql.join(conditions, sql` and `);
}

/** The lower of an id and one that no row made before the time has beyond it; both may be the bound of a list. */
export function idBefore<Id extends Value<string>>(id: Id, createdBefore: number | undefined): Id | string {
  if (createdBefore === undefined) return id;
  const bound = firstIdAt(createdBefore + ID_APART_MS);
  return typeof id === 'string' && id < bound ? id : bound;
}
