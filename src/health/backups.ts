import * as z from 'zod';
import type { Context } from '../platform/context';
import { type Held, readHeld } from '../platform/files';

/** R2 key of the state of the backups. It is in the bucket, so that a restore of the databases does not undo it. */
export const BACKUPS = 'backups/state';

const schema = z.object({
  v: z.literal(1).default(1),
  /** When this deployment first used a bucket of backups, epoch ms. */
  since: z.number(),
  /**
   * `done_at` is the last time at which every changed organization was in the bucket of backups. `journal_at` is the
   * last time at which the whole journal was in it. Both are epoch ms.
   */
  done_at: z.number().nullable().default(null),
  journal_at: z.number().nullable().default(null),
  /** Number of organizations that the last round backed up. A round goes through all organizations. */
  done: z.int().default(0),
  /** Why the last run stopped (`BackupRefused.code`); null if nothing stopped it. */
  failure: z.string().nullable().default(null),
  /** When the next round through all organizations begins. */
  next_at: z.number().default(0),
  /** Whether the operator asked for the next round. */
  is_asked: z.boolean().default(false),
  round: z
    .object({
      began_at: z.number(),
      is_asked: z.boolean(),
      /** The number of the database with which the round continues. */
      shard: z.int(),
      /** The id of the last organization that the round has handled. */
      after: z.string(),
      /** Number of organizations that were backed up. */
      done: z.int(),
      /** Whether something could not be read or written, so that the round is not complete. */
      has_missed: z.boolean(),
    })
    .nullable()
    .default(null),
  /**
   * All objects of the journal up to the key `after` are copied. `copied` holds later objects that are copied, too: it
   * maps their keys to their etags.
   */
  journal: z
    .object({ after: z.string(), copied: z.record(z.string(), z.string()) })
    .default(() => ({ after: '', copied: {} })),
});
export type BackupState = z.infer<typeof schema>;

/**
 * Returns the state of the backups; a new state if none is stored.
 * @throws AppError `backend_unreachable`
 */
export async function readBackupState(ctx: Context): Promise<Held<BackupState>> {
  return (await readHeld(ctx, BACKUPS, schema)) ?? { record: schema.parse({ since: ctx.now() }), etag: null };
}
