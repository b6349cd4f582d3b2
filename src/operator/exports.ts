import { Hono } from 'hono';
import * as z from 'zod';
import { type HttpEnv, jsonBody, valid } from '../platform/http/http';
import { beginExport, openExport, readExport } from '../restore/organization/export';

const BODY_BYTES_MAX = 8 * 1024;
const NO_STORE = { 'Cache-Control': 'no-store' };

const exportSchema = z.strictObject({
  public_key: z.string().regex(/^age1[a-z0-9]{58}$/, 'Send an age recipient: age1 and 58 characters.'),
});

/** An organization as a file. */
export const exportRoutes = new Hono<HttpEnv>()
  .post('/organizations/:orgId/exports', jsonBody(BODY_BYTES_MAX), valid('json', exportSchema), async (c) => {
    const { exportId } = await beginExport(c.var.ctx, c.req.param('orgId'), c.req.valid('json').public_key);
    return c.json({ export_id: exportId }, 202, NO_STORE);
  })
  .get('/organizations/:orgId/exports/:exportId', async (c) => {
    const { status, rows, files, bytes, sha256 } = await readExport(c.var.ctx, c.req.param());
    return c.json({ status, rows, files, bytes, sha256 }, 200, NO_STORE);
  })
  .get('/organizations/:orgId/exports/:exportId/file', async (c) => {
    const { orgId, exportId } = c.req.param();
    const { body, bytes } = await openExport(c.var.ctx, { orgId, exportId });
    return c.body(body, 200, {
      ...NO_STORE,
      'Content-Type': 'application/x-tar',
      'Content-Length': String(bytes),
      'Content-Disposition': `attachment; filename="${exportId}.tar"`,
    });
  });
