import { eq, isNull, sql } from 'drizzle-orm';
import { onceFor } from '../isolate-cache';
import { log } from '../log';
import { installation } from '../tables';
import { pick } from './columns';
import { type Database, type Meter, openDatabase, type Resident } from './db';
import { orm } from './statements';

/** The bound D1 databases: `DB` is number 0, `DB_1` is number 1, and so on. All have the same tables. */
export interface Databases {
  readonly count: number;
  /**
   * Opens a database for work that belongs to no single organization: the directory, sweeps, queue messages, lists of
   * the operator.
   * @param shard the number of the database, below `count`
   */
  at(shard: number): Database;
  /**
   * Like `at`, but batches do not check that the database has the number `shard`. It is for code that makes this check
   * itself (prescriptions/installation.ts).
   */
  unasked(shard: number): Database;
  /**
   * Opens the database of one organization. If there are several databases, each batch checks that the organization is
   * still on this one.
   */
  of(shard: number, resident: Resident): Database;
}

export function openDatabases(env: Env): Databases {
  const { all, plain } = boundTo(env);
  const meter: Meter = { roundTrips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
  return {
    count: all.length,
    at: (shard) => openDatabase(all, shard, { meter }),
    unasked: (shard) => openDatabase(plain, shard, { meter }),
    of: (shard, resident) => openDatabase(all, shard, { meter, resident: all.length > 1 ? resident : undefined }),
  };
}

/**
 * Returns the bound databases, by number. If there are several, the databases in `all` check the number that is stored
 * in them. Those in `plain` never do.
 * @throws Error if a binding is missing, because the number of an organization's database must not change
 */
const boundTo = onceFor((env: Env): { all: readonly D1Database[]; plain: readonly D1Database[] } => {
  const names = Object.keys(env).filter((name) => /^DB(_\d+)?$/.test(name));
  const plain = names.map((_, shard) => {
    const name = shard === 0 ? 'DB' : `DB_${shard}`;
    const d1 = (env as unknown as Record<string, D1Database | undefined>)[name];
    if (!d1) throw new Error(`The databases must be DB, DB_1, DB_2 and so on: ${name} is missing`);
    return d1;
  });
  return { all: plain.length > 1 ? plain.map(numbered) : plain, plain };
});

/** The databases whose stored number this isolate has checked, each with its number. */
const told = new WeakMap<D1Database, number>();

const OTHER_NUMBER = 'misconfigured';
const READ_NUMBER = `select iif(coalesce(number, ?1) = ?1, number, json_extract('{}', '${OTHER_NUMBER}')) as number
  from (select (select shard from installation) as number)`;

/**
 * Returns a wrapper of one of several databases. Its batches check the number that is stored in the database. Until the
 * isolate has seen the right number, each batch begins with a statement for this check.
 * If the stored number differs from `shard`, the binding leads to the wrong database. Then the batch is rolled back,
 * and `misconfigured` is logged. A database gets its number with its first organization (directory/reserve.ts), or from
 * the hourly sweep.
 */
function numbered(d1: D1Database, shard: number): D1Database {
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

export function selectInstallation() {
  return orm.select(pick(installation, ['id', 'shard', 'confirmedAt'])).from(installation);
}

/**
 * Returns the statement that gives a database its id and number, if it has none. If two calls do so at the same time,
 * the first one wins.
 */
export function insertInstallation({ id, shard, now }: { id: string; shard: number; now: number }) {
  return orm
    .insert(installation)
    .values({ singleton: 1, id, shard, createdAt: now, confirmedAt: null })
    .onConflictDoNothing();
}

export function confirmInstallation(id: string, now: number) {
  return orm
    .update(installation)
    .set({ confirmedAt: now })
    .where(sql`${eq(installation.id, id)} and ${isNull(installation.confirmedAt)}`);
}
