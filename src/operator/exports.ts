import { Hono } from 'hono';
import * as z from 'zod';
import { forgetKeys } from '../auth/keys/use';
import { answerArchive, type HttpEnv, jsonBody, valid } from '../platform/http/http';
import { beginEnd, stopEnd } from '../restore/organization/end';
import { beginExport, openExport, readExport } from '../restore/organization/export';

const BODY_BYTES_MAX = 8 * 1024;
const NO_STORE = { 'Cache-Control': 'no-store' };

const exportSchema = z.strictObject({
  public_key: z.string().regex(/^age1[a-z0-9]{58}$/, 'Send an age recipient: age1 and 58 characters.'),
});

const endSchema = z.union([exportSchema, z.strictObject({ stop: z.literal(true) })]);

/** An organization as a file, and its end. */
export const exportRoutes = new Hono<HttpEnv>()
  .post('/organizations/:orgId/exports', jsonBody(BODY_BYTES_MAX), valid('json', exportSchema), async (c) => {
    const { exportId } = await beginExport(c.var.ctx, c.req.param('orgId'), c.req.valid('json').public_key);
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
