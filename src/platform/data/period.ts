import { sql } from 'drizzle-orm';
import { firstIdAt } from '../ids';
import type { Condition, Value } from './statements';

/** Creation times, epoch ms, both bounds exclusive. */
export interface Period {
  createdAfter?: number;
  createdBefore?: number;
}

/** The most by which the times of an id and of its row differ. */
const ID_APART_MS = 60_000;

/**
 * Rows of a table with the columns `id` and `created_at` that were made in a period and have an id below `before`. Ids
 * begin with their time, so an index that ends with the id finds the rows, and `created_at` decides. Each side has one
 * bound: of two, SQLite would use the farther one.
 */
export function madeWithin({ createdAfter, createdBefore }: Period, before: Value<string>): Condition {
  const conditions = [sql`id < ${idBefore(before, createdBefore)}`];
  if (createdAfter !== undefined) {
    conditions.push(sql`id > ${firstIdAt(createdAfter - ID_APART_MS)}`, sql`+created_at > ${createdAfter}`);
  }
  if (createdBefore !== undefined) conditions.push(sql`+created_at < ${createdBefore}`);
  return sql.join(conditions, sql` and `);
}

/** The lower of an id and the highest id that a row made before the time can have, as the upper bound of a list. */
export function idBefore<Id extends Value<string>>(id: Id, createdBefore: number | undefined): Id | string {
  if (createdBefore === undefined) return id;
  const bound = firstIdAt(createdBefore + ID_APART_MS);
  return typeof id === 'string' && id < bound ? id : bound;
}
