import * as z from 'zod';
import type { Context } from '../platform/context';
import { ifUnchanged } from '../platform/files';

/** R2 key of how far the backups are. In the bucket, so that a restore of the databases does not undo it. */
const KEY = 'backups/state';

const schema = z.object({
  v: z.literal(1),
  /** Since when there is a bucket for them, epoch ms. */
  since: z.number(),
  /** When each organization that had changed, and the journal, were last all there; epoch ms. */
  done_at: z.number().nullable(),
  journal_at: z.number().nullable(),
  /** Number of organizations that the last round backed up. */
  done: z.int(),
  /** Why the last run stopped (`BackupRefused.code`); null if nothing stopped it. */
  failure: z.string().nullable(),
  /** When the next round through all organizations begins. */
  next_at: z.number(),
  /** The operator asked for the next round. */
  is_asked: z.boolean(),
  round: z
    .object({
      began_at: z.number(),
      is_asked: z.boolean(),
      /** The database and the organization after which it goes on. */
      shard: z.int(),
      after: z.string(),
      /** Number of organizations that were backed up. */
      done: z.int(),
      /** Something could not be read or written: it is no whole round. */
      has_missed: z.boolean(),
    })
    .nullable(),
  /** All keys up to `after` are copied, and behind it these, by key with their etags. */
  journal: z.object({ after: z.string(), copied: z.record(z.string(), z.string()) }),
});
export type BackupState = z.infer<typeof schema>;

/** @throws R2's error */
export async function readBackupState(ctx: Context): Promise<{ state: BackupState; etag: string | null }> {
  const object = await ctx.files.get(KEY);
  if (object) return { state: schema.parse(await object.json()), etag: object.etag };
  const none = { done_at: null, journal_at: null, done: 0, failure: null, next_at: 0, is_asked: false, round: null };
  return { state: { v: 1, since: ctx.now(), ...none, journal: { after: '', copied: {} } }, etag: null };
}

/** @returns false, without writing, if somebody else has written since it was read @throws R2's error */
export async function writeBackupState(ctx: Context, state: BackupState, etag: string | null): Promise<boolean> {
  return (await ctx.files.put(KEY, JSON.stringify(state), { onlyIf: ifUnchanged(etag) })) !== null;
}
