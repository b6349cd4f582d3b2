import * as z from 'zod';
import type { Context } from '../platform/context';
import { putText } from '../platform/files';
import { describeError } from '../platform/log';
import { requireWrites } from '../platform/switches';
import { isRefusal, type JournalStart, journalKey, readStored, takeBack } from './journal';

/**
 * What the journal holds beside erasures: access that was ended, what a person refused, and what is kept for legal reasons. After a restore of the
 * database it is done again (src/restore/replay.ts). Holds only ids and values of the service's own.
 */
const common = { v: z.literal(1), org_id: z.string(), id: z.string(), at: z.number() };
const noteSchema = z.discriminatedUnion('kind', [
  /** A key, usable until then at most. */
  z.object({ ...common, kind: z.literal('api_key'), until: z.number() }),
  z.object({ ...common, kind: z.literal('role'), role: z.enum(['owner', 'pharmacist', 'staff']) }),
  /**
   * The person was revoked; the person's password is another one; a subscription was deleted; a customer wants no e-mails; a
   * payment link has ended.
   */
  z.object({ ...common, kind: z.enum(['member', 'password', 'subscription', 'email_opt_out', 'payment_link']) }),
  z.object({
    ...common,
    kind: z.enum(['request_hold', 'customer_hold', 'suspension', 'second_factor']),
    is_on: z.boolean(),
  }),
  /** A host of the shop was removed, or withdrawn while it was pending. */
  z.object({ ...common, kind: z.enum(['shop_host', 'pending_host']), host: z.string() }),
]);

type StoredNote = z.infer<typeof noteSchema>;
type Note<N> = N extends StoredNote ? Omit<N, 'v' | 'org_id'> & { orgId: string } : never;
/** `at` is the time that the command writes to its rows, epoch ms. */
export type JournalNote = Note<StoredNote>;

/** Holds are done again before erasures, so that nothing is erased that is held; access after both. */
export type NoteKind = 'hold' | 'access';

/**
 * Runs a command with its note in the journal. The note is written first, so that what is committed is not missing there; a
 * command that was refused takes it back. What lifts a hold is noted afterwards: without its note the hold stays, which
 * harms nothing. Where R2 cannot be reached, access is ended nevertheless, and the log says `journal_lacks_note`.
 * @throws AppError `backend_unreachable` when a hold cannot be noted: it is not set then
 */
export async function noting<T>(ctx: Context, note: JournalNote, work: () => Promise<T>): Promise<T> {
  await requireWrites(ctx);
  const key = journalKey(ctx, kindOf(note));
  if ('is_on' in note && !note.is_on) {
    const done = await work();
    await writeOrLog(ctx, key, note);
    return done;
  }
  await (kindOf(note) === 'hold' ? putText(ctx, key, textOf(note)) : writeOrLog(ctx, key, note));
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error)) await takeBack(ctx, key);
    throw error;
  }
}

/** Notes what a batch has done, for a command that does not know before whether it will. */
export function noteDone(ctx: Context, note: JournalNote): Promise<void> {
  return writeOrLog(ctx, journalKey(ctx, kindOf(note)), note);
}

async function writeOrLog(ctx: Context, key: string, note: JournalNote): Promise<void> {
  await putText(ctx, key, textOf(note)).catch((error) =>
    ctx.log('error', 'journal_lacks_note', { code: note.kind, ...describeError(error) }),
  );
}

function kindOf({ kind }: JournalNote): NoteKind {
  return kind === 'request_hold' || kind === 'customer_hold' ? 'hold' : 'access';
}

function textOf({ orgId, ...note }: JournalNote): string {
  return JSON.stringify({ v: 1, org_id: orgId, ...note } satisfies StoredNote);
}

/** @returns null for an entry that cannot be read */
function noteOf(stored: unknown): JournalNote | null {
  const read = noteSchema.safeParse(stored);
  if (!read.success) return null;
  const { v: _, org_id: orgId, ...note } = read.data;
  return { orgId, ...note };
}

/** One page of the journal's notes of a kind, oldest first. */
export async function readNotes(ctx: Context, kind: NoteKind, from: JournalStart, limit: number) {
  const { stored, nextCursor } = await readStored(ctx, from, limit, kind);
  return { notes: stored.map(noteOf), nextCursor };
}
