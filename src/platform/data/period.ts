import { sql } from 'drizzle-orm';
import { firstIdAt } from '../ids';
import type { Condition } from './statements';

/** Made after the one time, and before the other; epoch ms. */
export interface Period {
  createdAfter?: number;
  createdBefore?: number;
}

/** An id is made so much earlier than its row at most, or later. */
const ID_APART_MS = 60_000;

/**
 * Rows of a table with the columns `id` and `created_at` that were made in a period. Ids begin with their time, so an index that
 * ends with them finds the rows, and the time of each decides.
 */
export function madeWithin({ createdAfter, createdBefore }: Period): Condition {
  const conditions = [
    ...(createdAfter === undefined
      ? []
      : [sql`id > ${firstIdAt(createdAfter - ID_APART_MS)}`, sql`+created_at > ${createdAfter}`]),
    ...(createdBefore === undefined
      ? []
      : [sql`id < ${firstIdAt(createdBefore + ID_APART_MS)}`, sql`+created_at < ${createdBefore}`]),
  ];
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}
