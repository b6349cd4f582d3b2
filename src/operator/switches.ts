import { Hono } from 'hono';
import { type HttpEnv, jsonBody, valid } from '../platform/http/http';
import { readSwitches, setSwitches, switchesSchema } from '../platform/switches';
import { notEmpty } from '../wire/schemas';

const BODY_BYTES_MAX = 1024;

/** What is switched without a deployment: GET tells all of it, PUT sets what its body names. */
export const switchRoutes = new Hono<HttpEnv>()
  .get('/switches', async (c) => c.json(await readSwitches(c.var.ctx), 200, { 'Cache-Control': 'no-store' }))
  .put('/switches', jsonBody(BODY_BYTES_MAX), valid('json', notEmpty(switchesSchema.partial())), async (c) =>
    c.json(await setSwitches(c.var.ctx, c.req.valid('json')), 200, { 'Cache-Control': 'no-store' }),
  );
