import { bindings } from '../support/world';

/** What Cloudflare allows one invocation on Workers Paid (docs/operating.md); of a queue, one call of `sendBatch`. */
export const LIMITS = {
  queries: 1_000,
  subrequests: 10_000,
  messages: 100,
  bytes: 256_000,
} as const;
/** What Cloudflare adds to each message. */
const METADATA_BYTES = 100;

/** What one invocation used. Each statement of a batch counts as a query: whether D1 counts so is not documented. */
export interface Used {
  queries: number;
  subrequests: number;
  /** By the number of the database. */
  queriesOf: Map<number, number>;
  /** The numbers of the databases that were asked for more than the checks want to know. */
  worked: Set<number>;
  /** The bodies of each call of `sendBatch` of the queue `jobs`. */
  batches: unknown[][];
  bytesMost: number;
}

/**
 * The bindings of a deployment with many databases, as an invocation in a new isolate gets them. The databases answer as those
 * that have nothing to do; nothing is stored.
 */
export function fleet(count: number, changed: Partial<Env> = {}): { env: Env; used: Used } {
  const used: Used = { queries: 0, subrequests: 0, queriesOf: new Map(), worked: new Set(), batches: [], bytesMost: 0 };
  const databases = Object.fromEntries(
    Array.from({ length: count }, (_, shard) => [shard === 0 ? 'DB' : `DB_${shard}`, idleDatabase(shard, used)]),
  );
  const others = { FILES: bucketOf(count, used), JOBS: jobsQueue(used) };
  return { env: bindings({ DB_1: undefined }, databases, others, changed), used };
}

function idleDatabase(shard: number, used: Used): D1Database {
  const meta = { changes: 0, rows_read: 0, rows_written: 0, size_after: 0 };
  const answer = (sql: string) => {
    if (sql.includes('as number)')) return [{ number: shard }];
    return sql.endsWith('from "installation"') ? [{ id: idOf(shard), shard, confirmed_at: 1 }] : [];
  };
  const statement = (sql: string) => ({ sql, bind: () => statement(sql) });
  const batch = async (statements: { sql: string }[]) => {
    used.subrequests += 1;
    used.queries += statements.length;
    used.queriesOf.set(shard, (used.queriesOf.get(shard) ?? 0) + statements.length);
    if (!statements.some(({ sql }) => sql.includes('pragma_table_xinfo'))) used.worked.add(shard);
    return statements.map(({ sql }) => ({ success: true, meta, results: answer(sql) }));
  };
  return { prepare: statement, batch } as unknown as D1Database;
}

const idOf = (shard: number) => `installation of ${shard}`;

/** Knows the id of every database, and has more old files, in their place and in the trash, than a run can look through. */
function bucketOf(count: number, used: Used): R2Bucket {
  const keyOf = (shard: number) => (shard === 0 ? 'installation' : `installation-${shard}`);
  const ids = new Map(Array.from({ length: count }, (_, shard) => [keyOf(shard), idOf(shard)]));
  const counted =
    <A extends unknown[], R>(act: (...args: A) => R) =>
    async (...args: A) => {
      used.subrequests += 1;
      return act(...args);
    };
  return {
    get: counted((key: string) => (ids.has(key) ? { text: async () => ids.get(key) } : null)),
    list: counted(({ prefix = '' }: R2ListOptions) => {
      const isOfFiles = /^(prescriptions|trash)\//.test(prefix);
      const keys = isOfFiles ? [`${prefix}2026-01-01/a-file`] : [...ids.keys()].filter((key) => key.startsWith(prefix));
      return { objects: keys.map((key) => ({ key, uploaded: new Date(0) })), truncated: isOfFiles, cursor: 'next' };
    }),
    put: counted(() => ({})),
    delete: counted(() => undefined),
  } as unknown as R2Bucket;
}

function jobsQueue(used: Used): Queue<unknown> {
  const sendBatch = async (messages: { body: unknown }[]) => {
    used.subrequests += 1;
    const bytes = messages.reduce((sum, { body }) => sum + JSON.stringify(body).length + METADATA_BYTES, 0);
    used.bytesMost = Math.max(used.bytesMost, bytes);
    used.batches.push(messages.map(({ body }) => body));
  };
  return { sendBatch } as unknown as Queue<unknown>;
}
