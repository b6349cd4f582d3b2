import { log } from '../log';

/** The databases that have told this isolate their number. */
const told = new WeakMap<D1Database, number>();

const OTHER_NUMBER = 'misconfigured';
const READ_NUMBER = `select iif(coalesce(number, ?1) = ?1, number, json_extract('{}', '${OTHER_NUMBER}')) as number
  from (select (select shard from installation) as number)`;

/**
 * One of several databases. Until it has told the isolate its number, a statement stands before each of its batches that
 * undoes it where the number is another one: the binding then leads to the wrong database, and `misconfigured` is logged.
 * A database gets its number with its first organization (directory/reserve.ts), at the latest from the hourly sweep.
 */
export function numbered(d1: D1Database, shard: number): D1Database {
  // SAFETY: `openDatabase` calls only `prepare` and `batch`.
  return {
    prepare: (query: string) => d1.prepare(query),
    batch: (statements: D1PreparedStatement[]) =>
      told.get(d1) === shard ? d1.batch(statements) : asked(d1, shard, statements),
  } as unknown as D1Database;
}

async function asked(d1: D1Database, shard: number, statements: D1PreparedStatement[]): Promise<D1Result[]> {
  try {
    const [first, ...results] = await d1.batch<{ number: number | null }>([
      d1.prepare(READ_NUMBER).bind(shard),
      ...statements,
    ]);
    if (first?.results[0]?.number === shard) told.set(d1, shard);
    return results;
  } catch (error) {
    if (error instanceof Error && error.message.includes(`'${OTHER_NUMBER}'`)) log('error', 'misconfigured', { shard });
    throw error;
  }
}
