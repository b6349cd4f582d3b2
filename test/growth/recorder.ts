import { env } from 'cloudflare:workers';

/** A statement that the service sent to D1, and what it cost. */
export interface Sent {
  sql: string;
  params: readonly unknown[];
  /** The number of its round trip, from 1. */
  trip: number;
  rowsRead: number;
  rowsWritten: number;
}

interface Bound {
  statement: D1PreparedStatement;
  sql: string;
  params: readonly unknown[];
}

/** The database as a binding that keeps every statement sent through it. */
export function recordingDb(db: D1Database = env.DB): { DB: D1Database; sent: Sent[] } {
  const sent: Sent[] = [];
  let trips = 0;
  const bound = (sql: string, params: readonly unknown[]): Bound & { bind: (...values: unknown[]) => Bound } => ({
    statement: db.prepare(sql).bind(...params),
    sql,
    params,
    bind: (...values) => bound(sql, values),
  });
  const DB = {
    prepare: (sql: string) => bound(sql, []),
    batch: async (statements: Bound[]) => {
      trips += 1;
      const trip = trips;
      const results = await db.batch(statements.map(({ statement }) => statement));
      for (const [index, { sql, params }] of statements.entries()) {
        const { rows_read = 0, rows_written = 0 } = results[index]?.meta ?? {};
        sent.push({ sql, params, trip, rowsRead: rows_read, rowsWritten: rows_written });
      }
      return results;
    },
  } as unknown as D1Database;
  return { DB, sent };
}
