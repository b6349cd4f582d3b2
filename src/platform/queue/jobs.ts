import * as z from 'zod';
import { requireSystem } from '../access';
import { type Context, withDatabase } from '../context';
import { inPages } from '../data/page';
import { OPTIMIZE } from '../data/statements';
import { logged } from '../log';
import { mapConcurrent } from '../map-concurrent';

/** The number of a database; null for jobs that concern all databases. */
type Whose = number | null;

/**
 * The message that starts those jobs of one database that were due at one minute of the cron. Each database has its own
 * message, and so its own invocation with its own limits. A message may arrive twice, or late. `v` is the version of
 * the message's form.
 */
const messageSchema = z.object({
  v: z.literal(1),
  shard: z.int().nonnegative().nullable(),
  time: z.int().nonnegative(),
});
type JobsMessage = z.infer<typeof messageSchema>;

/**
 * Sends the messages that start due jobs: one message for each database, and another one if jobs that concern all
 * databases are due.
 * @param time the minute, epoch ms
 * @returns the databases whose message could not be sent; null stands for all databases together
 */
export async function askForJobs(
  ctx: Context,
  time: number,
  { isForAllDue }: { isForAllDue: boolean },
): Promise<Whose[]> {
  const ofEach = Array.from({ length: ctx.databases.count }, (_, shard) => shard);
  const shards: Whose[] = isForAllDue ? [...ofEach, null] : ofEach;
  const unsent = await Promise.all(
    Array.from(inPages(shards, MESSAGES_MAX), async (batch) => {
      const messages = batch.map((shard) => ({ body: { v: 1, shard, time } satisfies JobsMessage }));
      const said = ['error', 'jobs_not_enqueued', { count: batch.length }] as const;
      return (await logged(ctx, said, () => ctx.queues.jobs.sendBatch(messages).then(() => []))) ?? batch;
    }),
  );
  return unsent.flat();
}

/** Returns the parsed messages. Malformed messages are dropped and logged. */
export function jobsAskedFor(ctx: Context, messages: readonly unknown[]): JobsMessage[] {
  return wellFormed(ctx, messageSchema, messages);
}

/**
 * How many databases run their jobs at once. An invocation has six connections, and a database that does not answer
 * holds only one of them.
 */
const AT_ONCE = 6;
/** The number of queries after which no further database is begun. D1 allows 1,000 in an invocation. */
const STATEMENTS_MAX = 500;

/**
 * Runs due jobs in the invocation of the cron itself, because the queue cannot be reached. It runs the jobs of as many
 * databases as the limits of the invocation allow. Each call starts at a random database, so that all databases get
 * their turn.
 */
export async function onAsManyAsFit(
  ctx: Context,
  shards: readonly number[],
  work: (at: Context) => Promise<void>,
): Promise<void> {
  const first = Math.floor(ctx.random() * shards.length);
  const inTurn = [...shards.slice(first), ...shards.slice(0, first)];
  let left = 0;
  await mapConcurrent(inTurn, AT_ONCE, async (shard) => {
    if (ctx.db.meter.statements >= STATEMENTS_MAX) left += 1;
    else await work(withDatabase(ctx, ctx.databases.at(shard)));
  });
  if (left > 0) ctx.log('error', 'jobs_left', { count: left, total: shards.length });
}

/** Says whether a job is due at a minute of the cron trigger, which runs every minute. All times are UTC. */
export type When = (time: Date) => boolean;

export const everyMinute: When = () => true;

/** Returns the schedule of a job that runs once an hour, at this minute. */
export function hourlyAt(minute: number): When {
  return (time) => time.getUTCMinutes() === minute;
}

/** Returns the schedule of a job that runs once a day, at this time (UTC). */
export function dailyAt(hour: number, minute: number): When {
  return (time) => time.getUTCHours() === hour && time.getUTCMinutes() === minute;
}

/**
 * Returns the schedule of a job that runs every minute from the full hour `fromHour` until the full hour `untilHour`,
 * which is not included.
 */
export function everyMinuteBetween(fromHour: number, untilHour: number): When {
  return (time) => time.getUTCHours() >= fromHour && time.getUTCHours() < untilHour;
}

/** Returns a schedule with only those minutes of another schedule that are on a Sunday (UTC). */
export function onSundays(when: When): When {
  return (time) => time.getUTCDay() === 0 && when(time);
}

/** The most messages that `sendBatch` takes. */
export const MESSAGES_MAX = 100;

/**
 * A message that names a row and the number of its database, and nothing else. `v` is the version of its form, so that
 * two versions of the Worker can run at the same time.
 */
const idMessageSchema = z.object({ v: z.literal(2), shard: z.int().nonnegative(), id: z.uuid() });
export type Message = z.infer<typeof idMessageSchema>;

/**
 * Returns the row ids in a batch of messages, by the number of their database. Malformed messages are dropped and
 * logged.
 */
export function messagesByShard(ctx: Context, messages: readonly unknown[]): ReadonlyMap<number, string[]> {
  const byShard = Map.groupBy(wellFormed(ctx, idMessageSchema, messages), ({ shard }) => shard);
  return new Map([...byShard].map(([shard, of]) => [shard, of.map(({ id }) => id)]));
}

/** Returns the messages of a batch that match the schema and name a bound database. Others are dropped and logged. */
function wellFormed<Form extends { shard: number | null }>(
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

/** Updates the statistics of SQLite's planner. It runs once a day, and reads at most some hundred rows of an index. */
export async function optimizeDatabase(ctx: Context): Promise<void> {
  requireSystem(ctx);
  await ctx.db.run({ optimized: OPTIMIZE });
}
