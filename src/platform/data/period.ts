import { sql } from 'drizzle-orm';
import { firstIdAt } from '../ids';
import type { Condition, Value } from './statements';

/** A period in which rows were created, in epoch ms. Rows that were created at one of the two bounds are not in it. */
export interface Period {
  createdAfter?: number;
  createdBefore?: number;
}

/** The largest difference between the time in a row's id and the row's `created_at`, in ms. */
const ID_APART_MS = 60_000;

/**
 * Condition: the row was created in the period, and its id is below `before`. The table needs the columns `id` and
 * `created_at`.
 * Ids begin with their time, so that an index which ends with the id finds the rows. `created_at` then decides exactly.
 * The id has only one bound on each side, because SQLite would use the looser one of two.
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
 * Returns an upper bound for the ids of a list. It is the lower one of the given id and an id above every row that was
 * created before the time. If the given id is a placeholder, the id for the time is returned.
 */
export function idBefore<Id extends Value<string>>(id: Id, createdBefore: number | undefined): Id | string {
  if (createdBefore === undefined) return id;
  const bound = firstIdAt(createdBefore + ID_APART_MS);
  return typeof id === 'string' && id < bound ? id : bound;
}
