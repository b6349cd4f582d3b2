import { Hono } from 'hono';
import * as z from 'zod';
import { type HttpEnv, valid } from '../platform/http/http';
import { listTenants, readUsage } from '../reports/tenants';
import { wireTimeOrNull } from '../wire/schemas';

const PAGE_MAX = 50;

const listSchema = z.strictObject({
  limit: z
    .string()
    .regex(/^[1-9]\d?$/, `Send a number from 1 to ${PAGE_MAX}.`)
    .default('20')
    .transform(Number)
    .pipe(z.int().max(PAGE_MAX)),
  cursor: z
    .string()
    .regex(/^[\da-f-]{36}$/, 'Send the next_cursor of an earlier answer.')
    .default(''),
});

const usageSchema = z.strictObject({
  month: z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Send a month as 2026-11.'),
});

const NO_STORE = { 'Cache-Control': 'no-store' };

/** Who is there, and what each used, for an invoice. */
export const tenantRoutes = new Hono<HttpEnv>()
  .get('/organizations', valid('query', listSchema), async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const { tenants, nextCursor } = await listTenants(c.var.ctx, { after: cursor, limit });
    const data = tenants.map(({ orgId, lastOrderAt, ...tenant }) => {
      return { org_id: orgId, ...tenant, last_order_at: wireTimeOrNull(lastOrderAt) };
    });
    return c.json({ data, next_cursor: nextCursor }, 200, NO_STORE);
  })
  .get('/usage', valid('query', usageSchema), async (c) => {
    const used = await readUsage(c.var.ctx, c.req.valid('query').month);
    return c.json({ data: used.map(({ orgId, ...figures }) => ({ org_id: orgId, ...figures })) }, 200, NO_STORE);
  });
