import { Hono } from 'hono';
import * as z from 'zod';
import { forgetKeys } from '../auth/keys/use';
import { AppError } from '../platform/errors/errors';
import { assertNotEncoded } from '../platform/http/body';
import { answerArchive, type HttpEnv, jsonBody, valid } from '../platform/http/http';
import { askForBackup, readBackup } from '../restore/organization/backup';
import { beginEnd, stopEnd } from '../restore/organization/end';
import { beginExport, openExport, readExport } from '../restore/organization/export';
import { continueImport, giveImportUp, type ImportRecord, importPart } from '../restore/organization/import';
import { wireTimeOrNull } from '../wire/schemas';

const BODY_BYTES_MAX = 8 * 1024;
const NO_STORE = { 'Cache-Control': 'no-store' };

const exportSchema = z.strictObject({
  public_key: z.string().regex(/^age1[a-z0-9]{58}$/, 'Send an age recipient: age1 and 58 characters.'),
});
const beginSchema = exportSchema.extend({ move_to: z.int().nonnegative().optional() });

/**
 * The most bytes of a manifest and of a part. A manifest names each part. A part has 1 MiB of rows, 8 MiB of PDFs, or
 * one PDF.
 */
const MANIFEST_BYTES_MAX = 4 * 1024 ** 2;
const PART_BYTES_MAX = 16 * 1024 ** 2;

const importSchema = z.strictObject({
  manifest: z.string(),
  shard: z.int().nonnegative().optional(),
  replace: z.boolean().optional(),
});

const endSchema = z.union([exportSchema, z.strictObject({ stop: z.literal(true) })]);

/** Routes that export an organization as a file, and that end an organization. */
export const exportRoutes = new Hono<HttpEnv>()
  .post('/organizations/:orgId/exports', jsonBody(BODY_BYTES_MAX), valid('json', beginSchema), async (c) => {
    const { public_key, move_to } = c.req.valid('json');
    const { exportId } = await beginExport(c.var.ctx, c.req.param('orgId'), public_key, move_to);
    return c.json({ export_id: exportId }, 202, NO_STORE);
  })
  .post('/organizations/:orgId/end', jsonBody(BODY_BYTES_MAX), valid('json', endSchema), async (c) => {
    const orgId = c.req.param('orgId');
    const body = c.req.valid('json');
    if ('stop' in body) {
      await stopEnd(c.var.ctx, orgId);
      forgetKeys();
      return c.json({ org_id: orgId, status: 'active' }, 200, NO_STORE);
    }
    const { exportId } = await beginEnd(c.var.ctx, orgId, body.public_key);
    forgetKeys();
    return c.json({ export_id: exportId }, 202, NO_STORE);
  })
  .get('/organizations/:orgId/exports/:exportId', async (c) => {
    const { status, rows, files, bytes, sha256 } = await readExport(c.var.ctx, c.req.param());
    return c.json({ status, rows, files, bytes, sha256 }, 200, NO_STORE);
  })
  .get('/organizations/:orgId/exports/:exportId/file', async (c) => {
    const { orgId, exportId } = c.req.param();
    return answerArchive(c, await openExport(c.var.ctx, { orgId, exportId }), exportId);
  });

/** Routes that return the progress of the backups, and that ask for a backup now. */
export const backupRoutes = new Hono<HttpEnv>()
  .get('/backups', async (c) => c.json(stateOf(await readBackup(c.var.ctx)), 200, NO_STORE))
  .post('/backups', async (c) => c.json(stateOf(await askForBackup(c.var.ctx)), 202, NO_STORE));

function stateOf({ record }: Awaited<ReturnType<typeof readBackup>>) {
  const { round, is_asked, failure, ...at } = record;
  return {
    state: is_asked || round ? 'running' : 'waiting',
    done_at: wireTimeOrNull(at.done_at),
    journal_at: wireTimeOrNull(at.journal_at),
    next_at: wireTimeOrNull(at.next_at),
    organizations: round?.done ?? at.done,
    failure,
  };
}

/** Routes that import an organization from its file. Each call returns the next part to send. */
export const importRoutes = new Hono<HttpEnv>()
  .post('/organizations/:orgId/imports', jsonBody(MANIFEST_BYTES_MAX), valid('json', importSchema), async (c) => {
    const { replace: isReplacing, ...asked } = c.req.valid('json');
    const record = await continueImport(c.var.ctx, c.req.param('orgId'), { ...asked, isReplacing });
    if (record.state === 'done') forgetKeys();
    return c.json(progressOf(record), 200, NO_STORE);
  })
  .delete('/organizations/:orgId/imports', async (c) => {
    const isDone = await giveImportUp(c.var.ctx, c.req.param('orgId'));
    return c.json({ state: isDone ? 'deleted' : 'deleting' }, 200, NO_STORE);
  })
  .put('/organizations/:orgId/imports/:importId/parts/:part', async (c) => {
    const { orgId, importId: id, part } = c.req.param();
    assertNotEncoded(c.req.raw);
    if (!(Number(c.req.header('Content-Length')) <= PART_BYTES_MAX)) {
      throw new AppError('body_too_large', `Send a Content-Length of at most ${PART_BYTES_MAX} bytes.`);
    }
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    return c.json(progressOf(await importPart(c.var.ctx, { orgId, id, part: Number(part) }, bytes)), 200, NO_STORE);
  });

function progressOf(record: ImportRecord) {
  const { id, mode, shard, state, next, parts, passwords_ended, second_factors_lost } = record;
  const people = state === 'done' ? { passwords_ended, second_factors_lost } : {};
  return { import_id: id, mode, shard, state, next, parts: parts.length, ...people };
}
