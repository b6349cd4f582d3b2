import { Hono } from 'hono';
import { acknowledgementOf, submitOrderRequest } from '../order-requests/service';
import { type HttpEnv, readJsonBody } from '../platform/http';
import { parseJson } from '../platform/json';
import { authenticate } from './authenticate';
import { answerPayPage } from './pay';

/** A 10 MiB PDF in base64, and room for the rest. */
const BODY_BYTES_MAX = 15 * 1024 * 1024;

/** A shop's own address: what platforms call, and where its customers pay. */
export const connectorRoutes = new Hono<HttpEnv>();
connectorRoutes.get('/pay/:token', answerPayPage);
connectorRoutes.post('/api/v1/external-order', async (c) => {
  const { ctx, shop, integration } = await authenticate(c.var.ctx, c.req.raw);
  const body = await readJsonBody(c.req.raw, BODY_BYTES_MAX);
  try {
    const request = await submitOrderRequest(ctx, { shop, integration, body: parseJson(body.bytes) });
    if (request.isReplay) c.header('Idempotent-Replayed', 'true');
    c.header('Cache-Control', 'no-store');
    return c.json(acknowledgementOf(request));
  } finally {
    body.release();
  }
});
