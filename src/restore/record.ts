import * as z from 'zod';
import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import { invalidField, notFound } from '../platform/errors/errors';
import { deleteFiles, listFiles, objectsIn, putText, readHeld } from '../platform/files';
import { DAY_MS } from '../platform/time';
import { KEPT_DAYS } from './limits';

/** R2 key prefix of the objects of restores. A restore of a database does not affect the bucket. */
const RESTORES = 'restores/';
const RECORDS = `${RESTORES}records/`;
const RECORDS_MAX = 1_000;

const floorSchema = z.object({
  /** The organization's highest event number. */
  events: z.int(),
  /** The organization's highest order number. */
  orders: z.int(),
  /** Whether the two numbers were read before the database was restored. */
  is_known: z.boolean(),
});
export type Floor = z.infer<typeof floorSchema>;

const recordSchema = z.object({
  v: z.literal(1),
  id: z.string(),
  /** The time to which the databases are restored, epoch ms. */
  at: z.number(),
  /** The highest numbers of each organization, by the id of the organization. */
  floors: z.record(z.string(), floorSchema),
  /** Whether the rows that changed after `at` have been copied. They are copied before the restore. */
  is_exported: z.boolean(),
  /** The numbers of the databases whose changed rows could not be copied, because the database could not be read. */
  unreadable: z.array(z.int()),
});
export type RestoreRecord = z.infer<typeof recordSchema>;

/** Key prefix of the encrypted copies of changed rows. */
export function rowsPrefix(id: string): string {
  return `${RESTORES}rows/${id}/`;
}

/** @throws AppError `not_found`, `backend_unreachable` */
export async function readRecord(ctx: Context, id: string): Promise<RestoreRecord> {
  const record = await findRecord(ctx, id);
  if (!record) throw notFound('not_found', 'There is no such restore. PUT begins one.');
  return record;
}

async function findRecord(ctx: Context, id: string): Promise<RestoreRecord | null> {
  return (await readHeld(ctx, RECORDS + id, recordSchema))?.record ?? null;
}

export function writeRecord(ctx: Context, record: RestoreRecord): Promise<void> {
  return putText(ctx, RECORDS + record.id, JSON.stringify(record));
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns the record of a restore that has begun, or a new record.
 * @throws AppError `validation_failed` for an id that is no UUID, or if the restore has begun with another time
 */
export async function openRecord(ctx: Context, { id, at }: Pick<RestoreRecord, 'id' | 'at'>): Promise<RestoreRecord> {
  if (!UUID.test(id)) throw invalidField('/id', 'invalid_id', 'Send a UUID.');
  const found = await findRecord(ctx, id);
  if (found && found.at !== at) throw invalidField('/at', 'other_time', 'This restore has begun with another time.');
  return found ?? { v: 1, id, at, floors: {}, is_exported: false, unreadable: [] };
}

/** Whether the copied rows show everything that the restore loses. */
export function isExact({ is_exported, unreadable }: RestoreRecord): boolean {
  return is_exported && unreadable.length === 0;
}

/**
 * Returns the records of all restores except `id`. This restore may have set back numbers that another restore had
 * raised.
 */
export async function earlierRecords(ctx: Context, id: string): Promise<RestoreRecord[]> {
  const { keys } = await listFiles(ctx, { prefix: RECORDS, limit: RECORDS_MAX });
  const others = keys.filter((key) => key !== RECORDS + id);
  const found = await Promise.all(others.map((key) => findRecord(ctx, key.slice(RECORDS.length))));
  return found.filter((record) => record !== null);
}

/** Deletes objects of restores, including copied rows, that are older than `KEPT_DAYS`. */
export async function sweepRestores(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const before = ctx.now() - KEPT_DAYS * DAY_MS;
  for await (const page of objectsIn(ctx, { prefix: RESTORES })) {
    const old = page.filter(({ uploaded }) => uploaded.getTime() < before).map(({ key }) => key);
    if (old.length === 0) continue;
    await deleteFiles(ctx, old);
    ctx.log('info', 'restores_swept', { count: old.length });
  }
}
