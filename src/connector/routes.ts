import { Hono } from 'hono';
import { answerOnce } from '../idempotency/service';
import { getSubmitted, referenceIn, submitOrderRequest } from '../order-requests/service';
import type { Context } from '../platform/context';
import { type HttpEnv, readJson } from '../platform/http/http';
import { addressOf, idempotencyKeyOf } from '../platform/http/idempotency-key';
import { isShort, readAhead } from '../platform/http/short-body';
import { BODY_BYTES_MAX, STRUCTURE_MAX } from '../platform/limits';
import { wireAcknowledgement } from '../wire/requests';
import { authenticate } from './authenticate';
import { answerPayPage } from './pay';

const BODY_LIMITS = { bytesMax: BODY_BYTES_MAX.connector, structureMax: STRUCTURE_MAX.connector };

/** Routes on a shop's host: for the platforms that send requests, and for the shop's customers who pay. */
export const connectorRoutes = new Hono<HttpEnv>();
connectorRoutes.get('/pay/:token', answerPayPage);
connectorRoutes.post('/api/v1/external-order', async (c) => {
  if (isShort(c.req.raw)) readAhead(c.req.raw);
  const { ctx, shop, integration } = await authenticate(c.var.ctx, c.req.raw);
  const key = idempotencyKeyOf(c.req.raw);
  const { value, release, digest } = await readJson(ctx, c.req.raw, { ...BODY_LIMITS, isDigested: key !== null });
  try {
    const submit = async (at: Context) => {
      const request = await submitOrderRequest(at, { shop, integration, body: value });
      const headers = request.isReplay ? { 'Idempotent-Replayed': 'true' } : undefined;
      return { headers, body: wireAcknowledgement(request) };
    };
    const { headers, body } =
      key === null
        ? await submit(ctx)
        : await answerOnce(
            ctx,
            { key, method: 'post', address: addressOf(c.req.raw), digest, about: null },
            {
              first: submit,
              again: async (at, about) => ({
                headers: undefined,
                body: wireAcknowledgement(await getSubmitted(at, about, referenceIn(value))),
              }),
            },
          );
    return c.json(body, 200, { 'Cache-Control': 'no-store', ...headers });
  } finally {
    release();
  }
});
