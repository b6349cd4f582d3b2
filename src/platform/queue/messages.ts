import * as z from 'zod';
import type { Context } from '../context';

/** `sendBatch` takes at most 100 messages. */
export const MESSAGES_MAX = 100;

/**
 * A message names a row and the number of its database, and nothing else. `v` is its version, so that two versions of the
 * Worker can run at the same time.
 */
const messageSchema = z.object({ v: z.literal(2), shard: z.int().nonnegative(), id: z.uuid() });
export type Message = z.infer<typeof messageSchema>;

/** The messages of a batch by the number of their database; malformed ones are dropped and logged. */
export function messagesByShard(ctx: Context, messages: readonly unknown[]): ReadonlyMap<number, string[]> {
  const byShard = Map.groupBy(wellFormed(ctx, messageSchema, messages), ({ shard }) => shard);
  return new Map([...byShard].map(([shard, of]) => [shard, of.map(({ id }) => id)]));
}

/** The messages of a batch that have a form, and the number of a database that is bound; the others are dropped and logged. */
export function wellFormed<Form extends { shard: number | null }>(
  ctx: Context,
  schema: z.ZodType<Form>,
  messages: readonly unknown[],
): Form[] {
  const known = messages.flatMap((message) => {
    const parsed = schema.safeParse(message);
    return parsed.success && (parsed.data.shard ?? 0) < ctx.databases.count ? [parsed.data] : [];
  });
  if (known.length < messages.length) ctx.log('warn', 'malformed_message', { count: messages.length - known.length });
  return known;
}
