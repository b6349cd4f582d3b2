import { Hono } from 'hono';
import { submitOrderRequest } from '../order-requests/service';
import { readBody } from '../platform/body';
import { type HttpEnv, requireJson } from '../platform/http';
import { parseJson } from '../platform/json';
import { authenticate } from './authenticate';

/** A 10 MiB PDF in base64, and room for the rest. */
const BODY_BYTES_MAX = 15 * 1024 * 1024;

/** A shop's own address: what platforms call. */
export const connectorRoutes = new Hono<HttpEnv>().post('/api/v1/external-order', async (c) => {
  const { ctx, shop, integration } = await authenticate(c.var.ctx, c.req.raw);
  requireJson(c.req.raw);
  const body = await readBody(c.req.raw, BODY_BYTES_MAX);
  try {
    const request = await submitOrderRequest(ctx, { shop, integration, body: parseJson(body.bytes) });
    if (request.isReplay) c.header('Idempotent-Replayed', 'true');
    c.header('Cache-Control', 'no-store');
    return c.json({
      id: request.id,
      status: request.status,
      message: 'Order request received. The pharmacy will review it.',
      external_reference: request.externalReference,
      warnings: request.warnings,
    });
  } finally {
    body.release();
  }
});
