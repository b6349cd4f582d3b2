import * as z from 'zod';
import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import { AppError, unavailable } from '../platform/errors/errors';
import { deleteFiles, listFiles, putText, readText } from '../platform/files';
import { jsonOrNothing } from '../platform/http/json';
import { newId } from '../platform/ids';
import { describeError, logged } from '../platform/log';
import { requireWrites } from '../platform/switches';
import { DAY_MS } from '../platform/time';
import { JOURNAL_DAYS } from './limits';

/**
 * An entry of the journal about an erasure. The journal is stored in R2, outside the database. After a restore of D1,
 * the data with these ids is erased again (src/order-requests/erasure/replay.ts). An entry holds only ids.
 */
const entrySchema = z
  .object({
    v: z.literal(1),
    org_id: z.string(),
    kind: z.enum(['customer', 'order_request', 'order', 'retention']),
    customer_ids: z.array(z.string()),
    order_request_ids: z.array(z.string()),
    order_ids: z.array(z.string()),
  })
  .transform(({ org_id: orgId, customer_ids, order_request_ids, order_ids, kind }) => {
    return { orgId, kind, customerIds: customer_ids, requestIds: order_request_ids, orderIds: order_ids };
  });

export type JournaledErasure = z.infer<typeof entrySchema>;
type Ids = { readonly [Name in 'customerIds' | 'requestIds' | 'orderIds']?: readonly string[] };
type ErasureEntry = Pick<JournaledErasure, 'orgId' | 'kind'> & Ids;

export const JOURNAL_PREFIX = 'journal/';

/**
 * Returns the R2 key of a new entry. It is `journal/<day>/<id>` for an erasure. For a note, `.hold` or `.access`
 * follows.
 */
function journalKey(ctx: Context, kind?: string): string {
  const day = new Date(ctx.now()).toISOString().slice(0, 10);
  return `${JOURNAL_PREFIX}${day}/${newId()}${kind ? `.${kind}` : ''}`;
}

/**
 * Runs an erasure with its journal entry. The entry is written before the batch, because a committed erasure must never
 * be missing from the journal. It is deleted if the erasure was refused. If it is unknown whether the batch was
 * committed (the process died, D1 did not answer), the entry stays. A restore may then repeat the erasure, which an
 * authorized person requested and which was allowed when the entry was written.
 * @param work gets the function that writes the entry; a second call of that function replaces the entry
 * @throws AppError `backend_unreachable` if R2 cannot be reached; nothing is erased then
 */
export async function journaling<T>(
  ctx: Context,
  work: (write: (entry: ErasureEntry) => Promise<void>) => Promise<T>,
): Promise<T> {
  await requireWrites(ctx);
  const key = journalKey(ctx);
  let isWritten = false;
  try {
    return await work(async (entry) => {
      await putText(ctx, key, textOf(entry));
      isWritten = true;
    });
  } catch (error) {
    if (isWritten && isRefusal(error)) await takeBack(ctx, key);
    throw error;
  }
}

/**
 * Whether an error shows that the batch wrote nothing. Only a 409 with a code of its own shows this. A lost race
 * (`conflict`) and a 404 do not, because an earlier attempt of the same batch may have been committed.
 */
function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.kind === 'conflict' && error.code !== 'conflict';
}

async function takeBack(ctx: Context, key: string): Promise<void> {
  await logged(ctx, ['error', 'journal_not_taken_back'], () => deleteFiles(ctx, [key]));
}

function textOf({ orgId, kind, customerIds = [], requestIds = [], orderIds = [] }: ErasureEntry): string {
  const ids = { customer_ids: customerIds, order_request_ids: requestIds, order_ids: orderIds };
  return JSON.stringify({ v: 1, org_id: orgId, kind, ...ids });
}

/**
 * Where a page of the journal starts. `cursor` is `nextCursor` of the previous page. Without it, the page starts at the
 * day `sinceDay` (`yyyy-mm-dd`).
 */
interface JournalStart {
  cursor?: string;
  sinceDay?: string;
}

/** Returns one page of the journal's erasures, oldest first. An erasure that cannot be read is null. */
export function readJournal(ctx: Context, from: JournalStart, limit: number) {
  return readStored(ctx, from, limit, '', entrySchema);
}

/** The number of keys that R2 lists at a time. Keys of another kind among them are skipped. */
const LISTED = 500;

async function readStored<T>(ctx: Context, from: JournalStart, limit: number, kind: string, schema: z.ZodType<T>) {
  const startAfter = from.cursor ?? (from.sinceDay && `${JOURNAL_PREFIX}${from.sinceDay}/`);
  const { keys, isTruncated } = await listFiles(ctx, { prefix: JOURNAL_PREFIX, startAfter, limit: LISTED });
  const matching = keys.filter((key) => kindOf(key) === kind);
  const page = matching.slice(0, limit);
  const entries: (T | null)[] = [];
  for (const key of page) entries.push(schema.safeParse(jsonOrNothing(await readText(ctx, key))).data ?? null);
  const last = matching.length > limit ? page.at(-1) : isTruncated ? keys.at(-1) : undefined;
  return { entries, nextCursor: last ?? null };
}

function kindOf(key: string): string {
  const dot = key.lastIndexOf('.');
  return dot < 0 ? '' : key.slice(dot + 1);
}

/**
 * The fields of every note. Notes are the journal's entries about commands that are no erasures: ended access, opt-outs
 * and legal holds. After a restore of the database, these commands are repeated (src/restore/replay.ts). Notes hold
 * only ids and the service's own values.
 */
const common = { v: z.literal(1), org_id: z.string(), id: z.string(), at: z.number() };
const noteSchema = z.discriminatedUnion('kind', [
  /** An API key was ended: it works until `until` (epoch ms) at the latest. */
  z.object({ ...common, kind: z.literal('api_key'), until: z.number() }),
  z.object({ ...common, kind: z.literal('role'), role: z.enum(['owner', 'pharmacist', 'staff']) }),
  /**
   * Something was ended: a membership, a password, a subscription, a customer's consent to e-mails, or a payment link.
   */
  z.object({ ...common, kind: z.enum(['member', 'password', 'subscription', 'email_opt_out', 'payment_link']) }),
  z.object({
    ...common,
    kind: z.enum(['request_hold', 'customer_hold', 'suspension', 'second_factor']),
    is_on: z.boolean(),
  }),
  /** A shop's host was removed, or a pending host was withdrawn. */
  z.object({ ...common, kind: z.enum(['shop_host', 'pending_host']), host: z.string() }),
]);

type StoredNote = z.infer<typeof noteSchema>;
type Note<N> = N extends StoredNote ? Omit<N, 'v' | 'org_id'> & { orgId: string } : never;
/** A note. `at` is the time that the command writes to its rows, epoch ms. */
export type JournalNote = Note<StoredNote>;

/**
 * The two kinds of notes. After a restore, the holds are repeated first (`REPLAY_STEPS`), so that no data on hold is
 * erased.
 */
export type NoteKind = 'hold' | 'access';

/**
 * Runs a command and writes its note to the journal. The note is written before the command, so that it is never
 * missing for a committed command. It is deleted if the command is refused. The note of a command that turns something
 * off (`is_on` is false) is written afterwards. If this note is missing, a restore brings back a hold, a suspension or
 * a second factor, which is harmless. If R2 cannot be reached, a command that ends access runs without its note, and
 * `journal_lacks_note` is logged.
 * @throws AppError `backend_unreachable` if a hold cannot be noted; it is not set then
 */
export async function noting<T>(ctx: Context, note: JournalNote, work: () => Promise<T>): Promise<T> {
  await requireWrites(ctx);
  const key = journalKey(ctx, kindOfNote(note));
  if ('is_on' in note && !note.is_on) {
    const done = await work();
    await writeOrLog(ctx, key, note);
    return done;
  }
  await (kindOfNote(note) === 'hold' ? putText(ctx, key, textOfNote(note)) : writeOrLog(ctx, key, note));
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error)) await takeBack(ctx, key);
    throw error;
  }
}

/** Writes a note after the batch, for a command that does not know beforehand whether it will change anything. */
export function noteDone(ctx: Context, note: JournalNote): Promise<void> {
  return writeOrLog(ctx, journalKey(ctx, kindOfNote(note)), note);
}

async function writeOrLog(ctx: Context, key: string, note: JournalNote): Promise<void> {
  await putText(ctx, key, textOfNote(note)).catch((error) =>
    ctx.log('error', 'journal_lacks_note', { code: note.kind, ...describeError(error) }),
  );
}

function kindOfNote({ kind }: JournalNote): NoteKind {
  return kind === 'request_hold' || kind === 'customer_hold' ? 'hold' : 'access';
}

function textOfNote({ orgId, ...note }: JournalNote): string {
  return JSON.stringify({ v: 1, org_id: orgId, ...note } satisfies StoredNote);
}

const readSchema = noteSchema.transform(({ v: _, org_id: orgId, ...note }): JournalNote => ({ orgId, ...note }));

/** Like `readJournal`, for notes of one kind. */
export function readNotes(ctx: Context, kind: NoteKind, from: JournalStart, limit: number) {
  return readStored(ctx, from, limit, kind, readSchema);
}

/** The page size for listing and deleting in R2. */
const PAGE = 500;
const PAGES_MAX = 10;

/**
 * The R2 key of an object that holds the id of `DB`. The first sweep of a new bucket writes the object, and nothing
 * changes it later.
 */
const FIRST_USE = 'installation';

/**
 * Whether the journal in this bucket has every entry that a deployment has written since `time`. This is so if the
 * deployment's bucket is this one or its journal was copied here, and if entries as old as `time` are still kept.
 * @param time epoch ms
 * @param bucket the id of the deployment's bucket (`bucketId`)
 * @throws AppError `backend_unreachable`
 */
export async function coversSince(ctx: Context, time: number, bucket: string | null): Promise<boolean> {
  const since = await journalSince(ctx, bucket);
  return since !== null && since <= time && time >= ctx.now() - JOURNAL_DAYS * DAY_MS;
}

/**
 * The prefix of R2 keys of marks. A mark says that a journal was copied here from a backup. It holds the time (ISO
 * 8601) at which the journal begins.
 */
export const JOURNAL_SINCE = 'journal-since/';

/**
 * Returns the id of this bucket, which no other deployment's bucket has; null before the first sweep.
 * @throws AppError `backend_unreachable`
 */
export function bucketId(ctx: Context): Promise<string | null> {
  return readText(ctx, FIRST_USE);
}

/**
 * Returns the time since which the journal is complete, epoch ms; null if it is unknown.
 * @param bucket the id of a bucket. If it is given, the result is null for a journal of another bucket. A journal that
 *   was copied here from a backup counts as the journal of any bucket
 * @throws AppError `backend_unreachable`
 */
export async function journalSince(ctx: Context, bucket?: string | null): Promise<number | null> {
  const { keys } = await listFiles(ctx, { prefix: JOURNAL_SINCE, limit: 1 });
  const copied = Date.parse((keys[0] && (await readText(ctx, keys[0]))) ?? '');
  if (!Number.isNaN(copied)) return copied;
  if (bucket !== undefined && bucket !== (await bucketId(ctx))) return null;
  const marker = await ctx.files.head(FIRST_USE).catch(() => Promise.reject(unavailable()));
  return marker?.uploaded.getTime() ?? null;
}

/** Deletes journal entries that no restore can need any more, oldest first. */
export async function sweepJournal(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const firstKept = `${JOURNAL_PREFIX}${new Date(ctx.now() - JOURNAL_DAYS * DAY_MS).toISOString().slice(0, 10)}/`;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { keys } = await listFiles(ctx, { prefix: JOURNAL_PREFIX, limit: PAGE });
    const old = keys.filter((key) => key < firstKept);
    if (old.length === 0) return;
    await deleteFiles(ctx, old);
    ctx.log('info', 'journal_swept', { count: old.length });
    if (old.length < keys.length) return;
  }
}
