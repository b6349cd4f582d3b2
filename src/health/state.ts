import * as z from 'zod';
import type { Context } from '../platform/context';
import { ifUnchanged } from '../platform/files';

/** What stands in the bucket between two runs of the cron: a dead database must not silence an alarm. */
const KEY = 'operations/watch';

const noticeSchema = z.object({
  /** The same in each post of it. */
  id: z.string(),
  type: z.enum(['alert_began', 'alert_ended', 'heartbeat']),
  check: z.string().nullable(),
  status: z.enum(['ok', 'warning', 'failing']),
  code: z.string().nullable(),
  figure: z.number().nullable(),
  since: z.number(),
  at: z.number(),
});

const stateSchema = z.object({
  v: z.literal(1),
  /** When the deployment was first seen. */
  since: z.number(),
  /** When the cron last began. */
  ranAt: z.number().nullable(),
  /** Since when deletions are paused. */
  pausedSince: z.number().nullable(),
  /** The day of the last heartbeat. */
  heartbeatDay: z.string().nullable(),
  /** The checks that were told to be other than `ok`. */
  told: z.record(z.string(), z.object({ status: z.enum(['warning', 'failing']), since: z.number() })),
  /** What has to be posted, the oldest first, and until when somebody does. */
  waiting: z.array(noticeSchema),
  postingUntil: z.number(),
});

export type Notice = z.infer<typeof noticeSchema>;
export type WatchState = z.infer<typeof stateSchema>;

/** A state as it was read; null is none. */
export interface Read {
  state: WatchState;
  etag: string | null;
}

/** @throws R2's error */
export async function readState(ctx: Context): Promise<Read> {
  const object = await ctx.files.get(KEY);
  const read = object && stateSchema.safeParse(await object.json());
  if (object && read?.success) return { state: read.data, etag: object.etag };
  const now = ctx.now();
  const none = { ranAt: null, pausedSince: null, heartbeatDay: null, told: {}, waiting: [], postingUntil: 0 };
  return { state: { v: 1, since: now, ...none }, etag: object?.etag ?? null };
}

/** @returns false where somebody has written since it was read: what they wrote stays @throws R2's error */
export async function writeState(ctx: Context, { etag }: Read, state: WatchState): Promise<boolean> {
  return (await ctx.files.put(KEY, JSON.stringify(state), { onlyIf: ifUnchanged(etag) })) !== null;
}
