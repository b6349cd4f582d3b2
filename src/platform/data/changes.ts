import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Value } from './statements';

/**
 * Change numbers: every write of a row gives it one above all others of its organization, in the order in which batches
 * commit. Whoever reads rows by them and goes on behind the last one misses no write, whatever the clocks of isolates say.
 *
 * A number is at least the row's time in microseconds, so that the same index finds where the changes since a time begin:
 * behind `changeAt` of a time stands every row that was changed later, and few others.
 *
 * An insert takes `nextChange`; of updates, triggers take care (migrations).
 */
const NUMBERS_EACH_MS = 1000;

/** The number of a row that is inserted. @param at its `updatedAt` */
export function nextChange(table: SQLiteTable, orgId: Value<string>, at: Value<number>): SQL {
  const last = sql`(select max(change_number) from ${table} where org_id = ${orgId})`;
  return sql`max(coalesce(${last}, 0) + 1, ${at} * ${sql.raw(String(NUMBERS_EACH_MS))})`;
}

/** Changes after a time have higher numbers. @param at epoch ms */
export function changeAt(at: number): number {
  return at * NUMBERS_EACH_MS;
}
