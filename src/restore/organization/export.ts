import { recordAudit } from '../../audit/record';
import { claimOwnCode, wrongCode } from '../../auth/staff/account';
import { changeState } from '../../directory/move/store';
import { requireBound } from '../../directory/route';
import { wishExportNotices } from '../../messages/notices';
import { requireOperator, requireRole } from '../../platform/access';
import { commit, tryCommit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { AppError, invalidField, notFound, unavailable } from '../../platform/errors/errors';
import { type Held, readHeld, writeHeld } from '../../platform/files';
import { newId } from '../../platform/ids';
import { describeError } from '../../platform/log';
import { MOVE_QUIET_MS, PASSPHRASE_MAX, PASSPHRASE_MIN } from '../limits';
import { selectOrganizationNow } from '../store';
import { encryptFor, findPart, KEY, listParts, MANIFEST, putKey } from './parts';
import { type ExportRecord, exportSchema, listExportRecords, newExport, partsPrefix, recordKey } from './record';
import { entrySize, paddingOf, TAR_END, tarHeader } from './tar';
import { NOT_FENCED } from './write';

interface Export {
  orgId: string;
  exportId: string;
}

/**
 * Begins a file of an organization, encrypted for an age recipient. Jobs write the file. Owners are told by e-mail. If
 * such a file is already being written, its id is returned.
 * @param moveTo the number of the database to which the organization moves with this file. From now on, the
 *   organization is fenced (closed for its move): until the file is imported there, or until an hour after the file is
 *   ready
 * @throws AppError `organization_not_found`, `validation_failed`, `backend_unreachable`; `conflict` if the organization
 *   is already on the database `moveTo`
 */
export async function beginExport(
  ctx: Context,
  orgId: string,
  publicKey: string,
  moveTo?: number,
): Promise<Pick<Export, 'exportId'>> {
  requireOperator(ctx);
  await encryptFor(publicKey, new Uint8Array()).catch(() => {
    throw invalidField('/public_key', 'invalid_public_key', 'Send an age recipient: age1 and what follows.');
  });
  const under = (await listExportRecords(ctx, orgId)).find(
    ({ record: { status, public_key, move_to, is_backup } }) =>
      status === 'running' && !is_backup && public_key === publicKey && move_to === (moveTo ?? null),
  );
  if (under) return fenced(ctx, under);
  const [organization] = await ctx.db.rows(selectOrganizationNow(orgId));
  if (!organization) throw notFound('organization_not_found');
  const id = newId();
  if (moveTo !== undefined) requireBound(ctx, moveTo);
  if (moveTo === ctx.db.shard) throw new AppError('conflict', 'The organization lives there.');
  await commit(ctx, await told(ctx, orgId, id));
  const fenced_at = ctx.now();
  const of = { id, org_id: orgId, public_key: publicKey, fenced_at, move_to: moveTo ?? null };
  const begun = newExport({ ...of, fence: moveTo === undefined ? fenced_at : NOT_FENCED });
  return fenced(ctx, await writeHeld(ctx, recordKey(of), begun));
}

/**
 * Returns the batch entries that record a new file in the audit log and notify the owners. They are committed before
 * the file is begun.
 */
async function told(ctx: Context, orgId: string, id: string) {
  return {
    audit: recordAudit(ctx, { orgId, action: 'organization.export_begun', entityId: orgId, reasonCode: id }),
    notices: await wishExportNotices(ctx, orgId, id),
  };
}

/**
 * Closes the organization for its move. Safe to repeat: after an interrupted call, the next call finds the record of
 * the file and closes the organization.
 */
async function fenced(ctx: Context, held: Held<ExportRecord> | null): Promise<Pick<Export, 'exportId'>> {
  // Nobody else can have written the record, because its id is new.
  if (!held) throw unavailable();
  const { record } = held;
  if (record.fence === NOT_FENCED) {
    const change = { orgId: record.org_id, startedAt: record.fenced_at, from: 'active', to: 'moving' } as const;
    await ctx.databases.at(ctx.db.shard).run(changeState({ ...change, now: ctx.now() }));
    await writeHeld(ctx, recordKey(record), { ...held, record: { ...record, fence: ctx.now() + MOVE_QUIET_MS } });
  }
  return { exportId: record.id };
}

/**
 * Begins a file that can be opened with the owner's passphrase. A code of the owner's second factor is needed. It is
 * checked and used up in the batch that records the file.
 * @throws AppError `wrong_code`, `passphrase_length`; `conflict` while another file of the owners is being written
 */
export async function beginOwnExport(ctx: Context, { passphrase, code }: Record<'passphrase' | 'code', string>) {
  const { orgId } = requireRole(ctx, ['owner']);
  if (passphrase.length < PASSPHRASE_MIN || passphrase.length > PASSPHRASE_MAX) {
    throw invalidField('/passphrase', 'passphrase_length', `Send ${PASSPHRASE_MIN} to ${PASSPHRASE_MAX} characters.`);
  }
  const claim = await claimOwnCode(ctx, code);
  if ((await listOwnExports(ctx)).some(({ status }) => status === 'running')) {
    throw new AppError('conflict', 'Another file is being written.');
  }
  const id = newId();
  if (!(await tryCommit(ctx, { claim, ...(await told(ctx, orgId, id)) }))) throw wrongCode();
  const of = { id, org_id: orgId, public_key: await putKey(ctx, id, passphrase), fence: ctx.now(), is_own: true };
  await writeHeld(ctx, recordKey(of), newExport(of));
}

/** The files that owners began, the newest first. They are kept for seven days. */
export async function listOwnExports(ctx: Context): Promise<ExportRecord[]> {
  const { orgId } = requireRole(ctx, ['owner']);
  const held = await listExportRecords(ctx, orgId);
  return held.flatMap(({ record }) => (record.is_own ? [record] : [])).reverse();
}

/** Opens a file that an owner began. @throws AppError `not_found`, `conflict` until it is ready */
export async function openOwnExport(ctx: Context, exportId: string): Promise<SentFile> {
  const { orgId } = requireRole(ctx, ['owner']);
  if (!(await findExport(ctx, { orgId, exportId })).record.is_own) throw notFound();
  return sendFile(ctx, { orgId, exportId });
}

/** @throws AppError `not_found` if there is no such file, or if it has expired; `backend_unreachable` */
export async function readExport(ctx: Context, of: Export): Promise<ExportRecord> {
  requireOperator(ctx);
  return (await findExport(ctx, of)).record;
}

async function findExport(ctx: Context, { orgId, exportId }: Export): Promise<Held<ExportRecord>> {
  const held = await readHeld(ctx, recordKey({ org_id: orgId, id: exportId }), exportSchema);
  if (!held) throw notFound('not_found', 'There is no such export.');
  return held;
}

/** The exported file as a download: its bytes as a stream, and their number. */
export interface SentFile {
  body: ReadableStream;
  bytes: number;
}

/** Returns the file as `sendFile` does. @throws AppError `not_found`; `conflict` until the file is ready */
export async function openExport(ctx: Context, of: Export): Promise<SentFile> {
  requireOperator(ctx);
  return sendFile(ctx, of);
}

/**
 * Returns a file as a stream: a tar archive of parts, each encrypted by age. The key comes first, if there is one. Then
 * the manifest follows. Unless the file is for a move, the audit log records the call. The caller must check access.
 * @throws AppError `not_found`; `conflict` until the file is ready
 */
export async function sendFile(ctx: Context, { orgId, exportId }: Export): Promise<SentFile> {
  const { bytes: written, status, move_to } = (await findExport(ctx, { orgId, exportId })).record;
  if (status !== 'ready') throw new AppError('conflict', 'The file is not ready. GET the export tells its status.');
  const first = await Promise.all([KEY, MANIFEST].map((name) => findPart(ctx, exportId, name)));
  const parts = [...first, ...(await listParts(ctx, exportId))].filter((part) => part !== null);
  const bytes = written + (first[0] ? entrySize(first[0].size) : 0);
  // A fenced organization takes no rows, so no audit row is written here; its import writes one.
  if (move_to === null)
    await commit(ctx, {
      audit: recordAudit(ctx, { orgId, action: 'organization.rows_read', entityId: orgId, reasonCode: exportId }),
    });
  const { readable, writable } = new FixedLengthStream(bytes);
  const write = async () => {
    for (const { name, size } of parts) {
      const object = await ctx.files.get(partsPrefix(exportId) + name);
      await send(writable, tarHeader(name, size));
      // If a part is missing, the stream ends too early, and the download fails.
      await object?.body.pipeTo(writable, { preventClose: true });
      await send(writable, new Uint8Array(paddingOf(size)));
    }
    await send(writable, TAR_END);
    await writable.close();
  };
  // The writing takes as long as the response is read, which may be longer than deferred work may take.
  void write().catch((error) => {
    ctx.log('warn', 'export_not_sent', { org_id: orgId, ...describeError(error) });
    return writable.abort(error).catch(() => undefined);
  });
  return { body: readable, bytes };
}

async function send(writable: WritableStream<Uint8Array>, bytes: Uint8Array): Promise<void> {
  const writer = writable.getWriter();
  await writer.write(bytes);
  writer.releaseLock();
}
