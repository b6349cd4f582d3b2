import type * as z from 'zod';
import { recordAudit } from '../../audit/record';
import { deleteRowsOf } from '../../directory/move/left';
import { homesOf } from '../../directory/route';
import { deleteEntriesOf } from '../../directory/store';
import { wishEndNotices } from '../../messages/notices';
import { requireOperator, requireSystem } from '../../platform/access';
import { commit } from '../../platform/commit';
import { type Context, onEachDatabase } from '../../platform/context';
import { AppError, notFound } from '../../platform/errors/errors';
import { deleteFiles, type Held, readHeld, writeHeld } from '../../platform/files';
import { logged } from '../../platform/log';
import { idOfToken } from '../../platform/mac';
import { dayOf } from '../../platform/pharmacy-time';
import { DAY_MS } from '../../platform/time';
import { updateOrganization } from '../../tenants/organizations';
import { CONFIRMED_DAYS, REMINDED_DAYS, UNCONFIRMED_DAYS, UNUSED_TEST_DAYS, WATCHED_DAYS } from '../limits';
import { beginExport, type SentFile, sendFile } from './export';
import {
  backedUpKey,
  ENDS,
  endSchema,
  exportSchema,
  importKey,
  listExportRecords,
  listHeld,
  recordKey,
} from './record';
import { forgetTestOf, giveUpFilesOf, selectTestsOf, selectUnusedTests, shutOut } from './store';
import { deleteExport } from './write';

/** The most unused test organizations that one run begins to erase. */
const UNUSED_MAX = 10;
/** The most pages of an organization's rows that one run deletes. */
const PAGES_MAX = 400;

type End = z.infer<typeof endSchema>;

const read = (ctx: Context, orgId: string) => readHeld(ctx, ENDS + orgId, endSchema);

/** Stores the record of an end. @throws AppError `conflict` if somebody else has written it since it was read */
async function write(ctx: Context, of: z.input<typeof endSchema>, etag: string | null): Promise<void> {
  if (await writeHeld(ctx, ENDS + of.org_id, { record: endSchema.parse(of), etag })) return;
  throw new AppError('conflict', 'Somebody else changed it in the meantime. Try again.');
}

function endsAt({ began_at, confirmed_at }: End): number {
  return confirmed_at === null ? began_at + UNCONFIRMED_DAYS * DAY_MS : confirmed_at + CONFIRMED_DAYS * DAY_MS;
}

/**
 * Begins the end of an organization: suspends it and begins to write its file, to which owners get a link. If the last
 * file is gone, a repeated call begins a new one.
 * @throws AppError as `beginExport`; `conflict` once the organization is being erased
 */
export async function beginEnd(ctx: Context, orgId: string, publicKey: string): Promise<{ exportId: string }> {
  requireOperator(ctx);
  const held = await read(ctx, orgId);
  const before = held?.record.state === 'stopped' ? undefined : held?.record;
  if (before && before.state !== 'waiting') throw isErased();
  const file = before && (await readHeld(ctx, recordKey({ org_id: orgId, id: before.export_id }), exportSchema));
  if (file?.record.public_key === publicKey && file.record.status !== 'failed') return { exportId: file.record.id };
  const { exportId } = await beginExport(ctx, orgId, publicKey);
  await updateOrganization(ctx, orgId, { isSuspended: true });
  await ctx.db.rows(
    recordAudit(ctx, { orgId, action: 'organization.end_begun', entityId: orgId, reasonCode: exportId }),
  );
  const began = before ?? { org_id: orgId, state: 'waiting', began_at: ctx.now() };
  await write(ctx, { ...began, export_id: exportId }, held?.etag ?? null);
  return { exportId };
}

/**
 * Cancels the end of an organization. It is then active again. Safe to repeat.
 * @throws AppError `not_found`; `conflict` once the organization is being erased
 */
export async function stopEnd(ctx: Context, orgId: string): Promise<void> {
  requireOperator(ctx);
  const held = await read(ctx, orgId);
  if (!held) throw notFound('not_found', 'This organization is not being ended.');
  if (held.record.state !== 'waiting' && held.record.state !== 'stopped') throw isErased();
  await write(ctx, { ...held.record, state: 'stopped' }, held.etag);
  await updateOrganization(ctx, orgId, { isSuspended: false });
  await ctx.db.rows(recordAudit(ctx, { orgId, action: 'organization.end_stopped', entityId: orgId }));
}

function isErased(): AppError {
  return new AppError('conflict', 'The organization is being erased, or was erased.');
}

/** The data of the page behind the link in the e-mail. */
export interface Leaving {
  /** The day on which everything is erased. */
  day: string;
  isReady: boolean;
  isConfirmed: boolean;
}

async function waitingEnd(ctx: Context, token: string): Promise<Held<End>> {
  const orgId = await idOfToken(ctx, 'organization end', token);
  const held = orgId === null ? null : await read(ctx, orgId);
  if (held?.record.state !== 'waiting') throw notFound();
  return held;
}

/** Returns the state of an organization's end, for anybody who has the link. @throws AppError `not_found` */
export async function readEnd(ctx: Context, token: string): Promise<Leaving> {
  const { record } = await waitingEnd(ctx, token);
  const file = await readHeld(ctx, recordKey({ org_id: record.org_id, id: record.export_id }), exportSchema);
  const isReady = file?.record.status === 'ready';
  return { day: dayOf(endsAt(record)), isReady, isConfirmed: record.confirmed_at !== null };
}

/** Returns the file for the owner who has the link. @throws AppError `not_found`; `conflict` until the file is ready */
export async function openEndFile(ctx: Context, token: string): Promise<SentFile> {
  const { record } = await waitingEnd(ctx, token);
  const [home = ctx] = await homesOf(ctx, record.org_id);
  return sendFile(home, { orgId: record.org_id, exportId: record.export_id });
}

/** Records that an owner has confirmed that the file opens. Safe to repeat. @throws AppError `not_found` */
export async function confirmEnd(ctx: Context, token: string): Promise<void> {
  const { record, etag } = await waitingEnd(ctx, token);
  if (record.confirmed_at !== null) return;
  const { org_id: orgId } = record;
  await write(ctx, { ...record, confirmed_at: ctx.now() }, etag);
  const [home = ctx] = await homesOf(ctx, orgId);
  await commit(home, {
    audit: recordAudit(home, { orgId, action: 'organization.end_confirmed', entityId: orgId }),
  });
}

/**
 * Reminds owners, and erases organizations whose waiting period has passed. One run may erase only a part of an
 * organization's rows.
 */
export async function sweepEnds(ctx: Context): Promise<void> {
  requireSystem(ctx);
  for (const held of await listHeld(ctx, ENDS, endSchema)) {
    await logged(ctx, ['error', 'end_failed', { org_id: held.record.org_id }], () => continueEnd(ctx, held));
  }
}

/** Begins to erase test organizations that nobody used for a year. The live organization's audit log records this. */
export async function endUnusedTests(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const unused = await ctx.db.rows(selectUnusedTests(ctx.now() - UNUSED_TEST_DAYS * DAY_MS, UNUSED_MAX));
  for (const { id, liveId } of unused) {
    const held = await read(ctx, id);
    await write(ctx, { org_id: id, state: 'erasing', began_at: ctx.now() }, held?.etag ?? null);
    const live = liveId === null ? undefined : (await homesOf(ctx, liveId))[0];
    if (!live || liveId === null) continue;
    await live.db.rows(recordAudit(live, { orgId: liveId, action: 'organization.end_begun', entityId: id }));
  }
}

async function continueEnd(ctx: Context, { record, etag }: Held<End>): Promise<void> {
  const { state, org_id: orgId, erased_at } = record;
  if (state === 'stopped') return;
  if (state === 'waiting' && ctx.now() < endsAt(record)) {
    const number = Math.trunc((ctx.now() - record.began_at) / (REMINDED_DAYS * DAY_MS));
    if (number > 0 && record.confirmed_at !== null) return;
    for (const home of await homesOf(ctx, orgId))
      await wishEndNotices(home, { orgId, number, day: dayOf(endsAt(record)) });
    return;
  }
  // From here on, the end cannot be stopped.
  if (state === 'waiting') return write(ctx, { ...record, state: 'erasing' }, etag);
  if (state === 'erased' && ctx.now() > (erased_at ?? 0) + WATCHED_DAYS * DAY_MS)
    return deleteFiles(ctx, [ENDS + orgId]);
  if (!(await eraseRows(ctx, orgId))) return;
  for (const { record: file } of await listExportRecords(ctx, orgId)) await deleteExport(ctx, file);
  await deleteFiles(ctx, [importKey(orgId), backedUpKey(orgId)]);
  if (state === 'erased') return;
  await write(ctx, { ...record, state: 'erased', erased_at: ctx.now() }, etag);
  ctx.log('info', 'organization_erased', { org_id: orgId });
}

/**
 * Deletes some rows of an organization and of its test organization, in all databases. @returns whether none is left
 */
async function eraseRows(ctx: Context, orgId: string): Promise<boolean> {
  let left = PAGES_MAX;
  for (const { db } of onEachDatabase(ctx)) {
    const tests = await db.rows(selectTestsOf(orgId));
    for (const id of [...tests.map((test) => test.id), orgId]) {
      await db.run({ gone: shutOut(id, ctx.now()), files: giveUpFilesOf(id, ctx.now()), live: forgetTestOf(id) });
      const { pages, isDone } = await deleteRowsOf(ctx, db.shard, id, left);
      if (!isDone) return false;
      left -= pages;
      await ctx.databases.at(0).run({ entries: deleteEntriesOf(id) });
    }
  }
  return true;
}
