import { requireOperator } from '../platform/access';
import { type Context, onEachDatabase } from '../platform/context';
import { newIdPrefix } from '../platform/ids';
import { logged } from '../platform/log';
import { markerOf as newMarker } from '../webhooks/outbox';
import { GIVEN_UP, listCopied } from './export';
import { EVENT_GAP, NUMBER_GAP, NUMBER_GAP_UNKNOWN } from './limits';
import { earlierRecords, type Floor, openRecord, type RestoreRecord, readRecord, writeRecord } from './record';
import {
  endSignIns,
  insertGivenUp,
  insertMarkers,
  type Mark,
  type Row,
  raiseNumberFloors,
  selectHighest,
  touchOrders,
  touchRequests,
} from './store';

/**
 * Returns the record of a restore. Call it before any database is restored: it records the highest event number and
 * order number of each organization. Safe to repeat. The numbers of the first call stay. A database that cannot be read
 * is skipped and logged.
 * @param input.at the time to restore to; epoch ms
 * @throws AppError `validation_failed`, `backend_unreachable`
 */
export async function beginRestore(ctx: Context, input: { id: string; at: number }): Promise<RestoreRecord> {
  requireOperator(ctx);
  const record = await openRecord(ctx, input);
  for (const at of onEachDatabase(ctx)) {
    const said = ['error', 'database_failed', { shard: at.db.shard }] as const;
    await logged(ctx, said, () => noteFloors(at, record, { isKnown: true }));
  }
  await writeRecord(ctx, record);
  return record;
}

async function noteFloors(at: Context, { id, floors }: RestoreRecord, { isKnown }: { isKnown: boolean }) {
  const earlier = await earlierRecords(at, id);
  for (const { orgId, events, orders } of await at.db.rows(selectHighest())) {
    const marks = earlier.flatMap(({ floors: { [orgId]: floor } }) => (floor ? [markOf(orgId, floor)] : []));
    floors[orgId] ??= {
      events: Math.max(events, ...marks.map(({ seq }) => seq)),
      orders: Math.max(orders, ...marks.map(({ number }) => number)),
      is_known: isKnown,
    };
  }
}

function markOf(orgId: string, { events, orders, is_known }: Floor): Mark {
  const numbers = is_known ? NUMBER_GAP : NUMBER_GAP_UNKNOWN;
  return { org_id: orgId, seq: events + EVENT_GAP, number: orders + numbers };
}

/**
 * The most copied pages that one call of `markRestored` handles. For each page, the call reads at most one object of R2
 * and runs at most one statement on D1.
 */
const PAGES = 50;

interface Marked {
  organizations: number;
  /** The number of orders and order requests that this call listed as changed. */
  touched: number;
  nextCursor: string | null;
}

/**
 * Ends a restore, after the databases are restored. New events and orders get numbers above all earlier ones, so that
 * nobody takes them for events and orders of the lost period. Everybody has to sign in again. Orders and requests that
 * changed in the lost period are listed as changed, some pages of copied rows in each call. Safe to repeat.
 * @param cursor `nextCursor` of the previous call
 * @throws AppError `not_found`, `backend_unreachable`
 */
export async function markRestored(ctx: Context, id: string, cursor?: string): Promise<Marked> {
  requireOperator(ctx);
  const record = await readRecord(ctx, id);
  if (cursor === undefined) await markAll(ctx, record);
  const { pages, nextCursor } = await listCopied(ctx, id, { cursor, limit: PAGES });
  const databases = onEachDatabase(ctx);
  let touched = 0;
  for (const { shard, orgId, table, read } of pages) {
    const { db } = databases[shard] ?? ctx;
    if (table === GIVEN_UP) await db.rows(insertGivenUp(textsOf('fileKey', await read()), ctx.now()));
    const touch = TOUCH[table];
    if (touch) touched += (await db.rows(touch(orgId, textsOf('id', await read()), ctx.now()))).meta.changes;
  }
  return { organizations: Object.keys(record.floors).length, touched, nextCursor };
}

const TOUCH: Readonly<Record<string, typeof touchOrders | typeof touchRequests>> = {
  orders: touchOrders,
  order_requests: touchRequests,
};

function textsOf(column: string, rows: readonly Row[]): string[] {
  return rows.map((row) => String(row[column]));
}

async function markAll(ctx: Context, record: RestoreRecord): Promise<void> {
  const databases = onEachDatabase(ctx);
  for (const at of databases) await noteFloors(at, record, { isKnown: false });
  await writeRecord(ctx, record);
  const marks = Object.entries(record.floors).map(([orgId, floor]) => markOf(orgId, floor));
  for (const { db } of databases) {
    await db.run({
      markers: insertMarkers(marks, { idPrefix: newIdPrefix(), ...newMarker(ctx) }),
      numbers: raiseNumberFloors(marks),
      signIns: endSignIns(),
    });
  }
}
