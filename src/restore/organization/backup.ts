import * as z from 'zod';
import { JOURNAL_PREFIX, JOURNAL_SINCE, journalSince } from '../../audit/journal';
import { BACKUPS, type BackupState, readBackupState } from '../../health/backups';
import { requireOperator, requireSystem } from '../../platform/access';
import { type Context, onEachDatabase } from '../../platform/context';
import { utf8 } from '../../platform/crypto/crypto';
import { AppError } from '../../platform/errors/errors';
import { type Held, putText, readHeld, readText, writeHeld } from '../../platform/files';
import { BackupRefused, putInBackup } from '../../platform/http/backup-bucket';
import { newId } from '../../platform/ids';
import { describeError } from '../../platform/log';
import { mapConcurrent } from '../../platform/map-concurrent';
import { HOUR_MS, MINUTE_MS } from '../../platform/time';
import { BACKUP_ROUND_MS, BACKUP_UNCHANGED_MS } from '../limits';
import { backedUpKey, ENDS, endSchema, listExportRecords, newExport, recordKey } from './record';
import { selectMarks } from './store';
import { deleteExport } from './write';

const AGAIN_MS = HOUR_MS;
/** The most files that are written at the same time, because one invocation runs the statements of all of them. */
const AT_ONCE = 6;
/** The most organizations that a run checks. */
const LOOKED_AT = 100;
/**
 * The most objects of the journal that a run lists (`LISTED`) and copies (`COPIED`). A command may write its entry up
 * to `LATE_MS` after the time in the key of the entry.
 */
const LISTED = 1_000;
const COPIED = 200;
const COPIED_AT_ONCE = 4;
const LATE_MS = 30 * MINUTE_MS;

const backedUpSchema = z.object({ mark: z.string().nullable(), at: z.number() });

/**
 * Copies the journal to the bucket of backups, and begins to write a file of each organization that has changed. The
 * next run repeats whatever has failed.
 */
export async function backUp(ctx: Context): Promise<void> {
  requireSystem(ctx);
  if (!ctx.config.backup) return;
  const { record: state, etag } = await readBackupState(ctx);
  state.failure = null;
  try {
    await copyJournal(ctx, state);
    await continueRound(ctx, state);
  } catch (error) {
    state.failure = error instanceof BackupRefused ? error.code : 'internal_error';
    ctx.log('error', 'backup_failed', { code: state.failure, ...describeError(error) });
  }
  await writeHeld(ctx, BACKUPS, { record: state, etag });
}

async function copyJournal(ctx: Context, state: BackupState): Promise<void> {
  const { journal } = state;
  const startAfter = journal.after || undefined;
  const { objects, truncated } = await ctx.files.list({ prefix: JOURNAL_PREFIX, startAfter, limit: LISTED });
  // An entry may be replaced: it then has another etag, and is copied again.
  const due = objects.filter(({ key, etag }) => journal.copied[key] !== etag);
  await mapConcurrent(due.slice(0, COPIED), COPIED_AT_ONCE, async ({ key, etag }) => {
    const text = await readText(ctx, key);
    if (text !== null) await putInBackup(ctx, key, utf8(text));
    journal.copied[key] = etag;
  });
  for (const { key, etag, uploaded } of objects) {
    if (journal.copied[key] !== etag || uploaded.getTime() > ctx.now() - LATE_MS) break;
    journal.after = key;
    delete journal.copied[key];
  }
  if (!truncated && due.length <= COPIED) state.journal_at = ctx.now();
}

async function continueRound(ctx: Context, state: BackupState): Promise<void> {
  const files = (await listExportRecords(ctx)).map(({ record }) => record).filter(({ is_backup }) => is_backup);
  const under = new Set<string>();
  for (const record of files) {
    const isOver = record.ended_at !== null || (await hasEnd(ctx, record.org_id));
    if (!isOver) {
      under.add(record.org_id);
      state.failure ??= record.refused;
      continue;
    }
    const { org_id: orgId, status, mark, fence: at } = record;
    if (status === 'ready') await putText(ctx, backedUpKey(orgId), JSON.stringify({ mark, at }));
    if (state.round && status === 'ready') state.round.done += 1;
    if (state.round && status === 'failed') state.round.has_missed = true;
    await deleteExport(ctx, record);
  }
  if (!state.round) {
    if (ctx.now() < state.next_at) return;
    const time = await journalSince(ctx);
    const since = time === null ? '' : new Date(time).toISOString();
    // Writing this object also shows whether the bucket accepts objects. The name of the object contains the time, so
    // that a new deployment does not replace the object of the deployment before.
    await putInBackup(ctx, JOURNAL_SINCE + (since.replaceAll(':', '-') || 'unknown'), utf8(since));
    const began = { began_at: ctx.now(), shard: 0, after: '', done: 0, has_missed: false };
    state.round = { ...began, is_asked: state.is_asked };
    state.is_asked = false;
  }
  await beginFiles(ctx, state.round, under);
  if (state.round.shard < ctx.databases.count || under.size > 0) return;
  const { began_at, done, has_missed } = state.round;
  if (!has_missed) state.done_at = ctx.now();
  state.done = done;
  state.next_at = state.is_asked ? 0 : has_missed ? ctx.now() + AGAIN_MS : began_at + BACKUP_ROUND_MS;
  state.round = null;
}

/**
 * Begins to write the files of the next organizations of a round.
 * @param under the ids of the organizations whose files are being written
 */
async function beginFiles(ctx: Context, round: NonNullable<BackupState['round']>, under: Set<string>): Promise<void> {
  for (let looked = 0; looked < LOOKED_AT && under.size < AT_ONCE; ) {
    const at = onEachDatabase(ctx)[round.shard];
    if (!at) return;
    const found = await at.db.rows(selectMarks(round.after, AT_ONCE)).catch((error) => {
      ctx.log('error', 'database_failed', { shard: at.db.shard, ...describeError(error) });
      round.has_missed = true;
      return [];
    });
    for (const { id, mark } of found) {
      if (under.size >= AT_ONCE) return;
      if (!under.has(id) && (await isDue(ctx, round, { id, mark }))) {
        await begin(ctx, id);
        under.add(id);
      }
      round.after = id;
      looked += 1;
    }
    if (found.length === 0) Object.assign(round, { shard: round.shard + 1, after: '' });
  }
}

async function isDue(ctx: Context, round: { is_asked: boolean }, of: { id: string; mark: string }): Promise<boolean> {
  const last = (await readHeld(ctx, backedUpKey(of.id), backedUpSchema))?.record;
  const age = ctx.now() - (last?.at ?? 0);
  const isChanged = last?.mark !== of.mark && (round.is_asked || age > BACKUP_ROUND_MS - AGAIN_MS);
  return (isChanged || age > BACKUP_UNCHANGED_MS) && !(await hasEnd(ctx, of.id));
}

/** Whether an organization is being ended. It is then no longer backed up. */
async function hasEnd(ctx: Context, orgId: string): Promise<boolean> {
  const end = await readHeld(ctx, ENDS + orgId, endSchema);
  return end !== null && end.record.state !== 'stopped';
}

async function begin(ctx: Context, orgId: string): Promise<void> {
  const { publicKey = '' } = ctx.config.backup ?? {};
  const of = { id: newId(), org_id: orgId, public_key: publicKey, fence: ctx.now(), is_backup: true };
  await writeHeld(ctx, recordKey(of), newExport(of));
}

/** Returns the state of the backups. @throws AppError `conflict` if no bucket for backups is configured */
export async function readBackup(ctx: Context): Promise<Held<BackupState>> {
  requireOperator(ctx);
  if (!ctx.config.backup) throw new AppError('conflict', 'BACKUP_URL is not set.');
  return readBackupState(ctx);
}

/**
 * Asks for a round of backups. It begins within a minute, or after the round that is running. @throws AppError
 * `conflict`
 */
export async function askForBackup(ctx: Context): Promise<Held<BackupState>> {
  const { record, etag } = await readBackup(ctx);
  const asked = { ...record, is_asked: true, next_at: 0, failure: null };
  const held = await writeHeld(ctx, BACKUPS, { record: asked, etag });
  if (!held) throw new AppError('conflict', 'A run of the backup wrote at the same time. Try again.');
  return held;
}
