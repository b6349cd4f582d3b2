import { Hono } from 'hono';
import { acknowledgementOf, submitOrderRequest } from '../order-requests/service';
import { type HttpEnv, readJsonBody } from '../platform/http';
import { parseJson } from '../platform/json';
import { BODY_BYTES_MAX } from '../platform/limits';
import { authenticate } from './authenticate';
import { answerPayPage } from './pay';

/** A shop's own address: what platforms call, and where its customers pay. */
export const connectorRoutes = new Hono<HttpEnv>();
connectorRoutes.get('/pay/:token', answerPayPage);
connectorRoutes.post('/api/v1/external-order', async (c) => {
  const { ctx, shop, integration } = await authenticate(c.var.ctx, c.req.raw);
  const body = await readJsonBody(c.req.raw, BODY_BYTES_MAX.connector);
  try {
    const request = await submitOrderRequest(ctx, { shop, integration, body: parseJson(body.bytes) });
    if (request.isReplay) c.header('Idempotent-Replayed', 'true');
    c.header('Cache-Control', 'no-store');
    return c.json(acknowledgementOf(request));
  } finally {
    body.release();
  }
});
