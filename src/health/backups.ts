import * as z from 'zod';
import type { Context } from '../platform/context';
import { type Held, readHeld } from '../platform/files';

/** R2 key of how far the backups are. In the bucket, so that a restore of the databases does not undo it. */
export const BACKUPS = 'backups/state';

const schema = z.object({
  v: z.literal(1).default(1),
  /** Since when there is a bucket for them, epoch ms. */
  since: z.number(),
  /** When each organization that had changed, and the journal, were last all there; epoch ms. */
  done_at: z.number().nullable().default(null),
  journal_at: z.number().nullable().default(null),
  /** Number of organizations that the last round backed up. */
  done: z.int().default(0),
  /** Why the last run stopped (`BackupRefused.code`); null if nothing stopped it. */
  failure: z.string().nullable().default(null),
  /** When the next round through all organizations begins. */
  next_at: z.number().default(0),
  /** The operator asked for the next round. */
  is_asked: z.boolean().default(false),
  round: z
    .object({
      began_at: z.number(),
      is_asked: z.boolean(),
      /** The database on which it goes on. */
      shard: z.int(),
      /** The last organization that it has dealt with. */
      after: z.string(),
      /** Number of organizations that were backed up. */
      done: z.int(),
      /** Something could not be read or written: it is no whole round. */
      has_missed: z.boolean(),
    })
    .nullable()
    .default(null),
  /** All keys up to `after` are copied, and behind it these, by key with their etags. */
  journal: z
    .object({ after: z.string(), copied: z.record(z.string(), z.string()) })
    .default(() => ({ after: '', copied: {} })),
});
export type BackupState = z.infer<typeof schema>;

/** @throws AppError `backend_unreachable` */
export async function readBackupState(ctx: Context): Promise<Held<BackupState>> {
  return (await readHeld(ctx, BACKUPS, schema)) ?? { record: schema.parse({ since: ctx.now() }), etag: null };
}
