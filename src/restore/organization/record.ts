import * as z from 'zod';
import type { Context } from '../../platform/context';
import { type Held, listFiles, readHeld } from '../../platform/files';
import { TAR_END } from './tar';

/**
 * R2 key prefix of the records of organizations' files. A record has the state of a file. It is in the bucket, so that
 * a restore of the databases does not undo it.
 */
const RECORDS = 'exports/records/';
const RECORDS_MAX = 1_000;

export const exportSchema = z.object({
  v: z.literal(1).default(1),
  id: z.string(),
  org_id: z.string(),
  /** An age recipient. */
  public_key: z.string(),
  /** `sending`: the file is a complete backup that is being sent to the bucket of backups. */
  status: z.enum(['running', 'sending', 'ready', 'failed']).default('running'),
  /** The file contains everything that existed at this time (epoch ms). The file is begun only after this time. */
  fence: z.number(),
  /**
   * The number of the database to which the organization moves with this file. The organization is fenced meanwhile.
   * Null if it does not move.
   */
  move_to: z.int().nullable().default(null),
  fenced_at: z.number().default(0),
  /** Whether the file goes to the bucket of backups. It is then deleted here. */
  is_backup: z.boolean().default(false),
  /** Whether an owner began the file. A passphrase of the owner then opens its key. */
  is_own: z.boolean().default(false),
  /** The name of the last part that was sent to the bucket of backups. */
  sent: z.string().default(''),
  /** The reason why the bucket refused the next part (`BackupRefused.code`); otherwise null. */
  refused: z.string().nullable().default(null),
  /** The number of the pass. Each pass reads all rows again, and replaces the parts that have changed. */
  pass: z.int().default(1),
  has_changed: z.boolean().default(true),
  /** The result of `selectMark` before this pass; null in the first pass. */
  mark: z.string().nullable().default(null),
  /**
   * The next part: the index of its table (`TABLES` in parts.ts), its number, and the sort key of the last row before
   * it.
   */
  step: z.int().default(0),
  part: z.int().default(0),
  after: z
    .array(z.union([z.string(), z.number(), z.null()]))
    .nullable()
    .default(null),
  /** The totals of this pass so far: rows, PDFs, and the size of the tar archive in bytes. */
  rows: z.int().default(0),
  files: z.int().default(0),
  bytes: z.int().default(TAR_END.length),
  /** SHA-256 of the manifest, hex; null until the file is ready. */
  sha256: z.string().nullable().default(null),
  /** Until this time (epoch ms), only the invocation that set it may continue the file; 0 if any may. */
  lease_until: z.number().default(0),
  ended_at: z.number().nullable().default(null),
});
export type ExportRecord = z.infer<typeof exportSchema>;

/** The record of a new file. Its etag is null, because it is not stored yet. */
export function newExport(of: z.input<typeof exportSchema>): Held<ExportRecord> {
  return { record: exportSchema.parse(of), etag: null };
}

/** R2 key prefix of the parts. */
export function partsPrefix(id: string): string {
  return `exports/parts/${id}/`;
}

export function recordKey({ org_id, id }: Pick<ExportRecord, 'org_id' | 'id'>): string {
  return `${RECORDS}${org_id}/${id}`;
}

/** R2 key of the object that has the mark and the time of an organization's last backup. */
export function backedUpKey(orgId: string): string {
  return `backups/organizations/${orgId}`;
}

/** R2 key of the record of an organization's import. */
export function importKey(orgId: string): string {
  return `exports/imports/${orgId}`;
}

/** R2 key prefix of the records of organizations that are being ended. */
export const ENDS = 'exports/ends/';
export const endSchema = z.object({
  v: z.literal(1).default(1),
  org_id: z.string(),
  /** Empty for an unused test organization, which is erased without a file. */
  export_id: z.string().default(''),
  state: z.enum(['waiting', 'stopped', 'erasing', 'erased']),
  began_at: z.number(),
  /** The time when an owner confirmed that the file opens. */
  confirmed_at: z.number().nullable().default(null),
  erased_at: z.number().nullable().default(null),
});

/** Returns all records with R2 keys that begin with `prefix`. @throws AppError `backend_unreachable` */
export async function listHeld<T>(ctx: Context, prefix: string, schema: z.ZodType<T>): Promise<Held<T>[]> {
  const { keys } = await listFiles(ctx, { prefix, limit: RECORDS_MAX });
  const found = await Promise.all(keys.map((key) => readHeld(ctx, key, schema)));
  return found.filter((held) => held !== null);
}

/**
 * Returns the records of the files of one organization, or of all organizations. @throws AppError `backend_unreachable`
 */
export function listExportRecords(ctx: Context, orgId?: string): Promise<Held<ExportRecord>[]> {
  return listHeld(ctx, orgId === undefined ? RECORDS : `${RECORDS}${orgId}/`, exportSchema);
}
