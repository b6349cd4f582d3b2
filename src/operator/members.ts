import { Hono } from 'hono';
import * as z from 'zod';
import { issueResetByEmail } from '../auth/staff/service';
import { type HttpEnv, jsonBody, valid } from '../platform/http/http';

const BODY_BYTES_MAX = 4 * 1024;

const resetSchema = z
  .strictObject({
    email: z.string().trim().toLowerCase().max(254).pipe(z.email()),
    second_factor: z.boolean().optional(),
  })
  .transform(({ email, second_factor = false }) => ({ email, endsSecondFactor: second_factor }));

/**
 * Help for an owner whom no other owner can help. The person is identified by e-mail address, as operators know them,
 * and in the body, because request URLs are logged.
 */
export const operatorMemberRoutes = new Hono<HttpEnv>().post(
  '/organizations/:orgId/members/reset',
  jsonBody(BODY_BYTES_MAX),
  valid('json', resetSchema),
  async (c) => {
    const { resetUrl } = await issueResetByEmail(c.var.ctx, { orgId: c.req.param('orgId'), ...c.req.valid('json') });
    c.header('Cache-Control', 'no-store');
    return c.json({ reset_url: resetUrl }, 201);
  },
);
