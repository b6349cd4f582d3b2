import { Hono } from 'hono';
import { submitOrderRequest } from '../order-requests/service';
import { type HttpEnv, readJson } from '../platform/http/http';
import { policyOf } from '../platform/http/rate-limit';
import { isShort, readAhead } from '../platform/http/short-body';
import { wireAcknowledgement } from '../wire/requests';
import { authenticate } from './authenticate';
import { BODY_LIMITS } from './limits';
import { answerOwnShop, answerProducts } from './offer';
import { answerPayPage } from './pay';
import {
  answerStatus,
  answerStatusOfReference,
  answerSupplement,
  answerWithdrawal,
  refuseOtherMethod,
} from './sent-requests';

/** Routes on a shop's host: for the platforms that send requests, and for the shop's customers who pay. */
export const connectorRoutes = new Hono<HttpEnv>();
connectorRoutes.get('/pay/:token', answerPayPage);
connectorRoutes.post('/api/v1/external-order', async (c) => {
  if (isShort(c.req.raw)) readAhead(c.req.raw);
  const { ctx, shop, integration } = await authenticate(c.var.ctx, c.req.raw, 'submit');
  c.header('RateLimit-Policy', policyOf(ctx, 'connector')['RateLimit-Policy']);
  const { value, release } = await readJson(ctx, c.req.raw, BODY_LIMITS);
  try {
    const request = await submitOrderRequest(ctx, { shop, integration, body: value });
    if (request.isReplay) c.header('Idempotent-Replayed', 'true');
    c.header('Cache-Control', 'no-store');
    return c.json(wireAcknowledgement(request));
  } finally {
    release();
  }
});
connectorRoutes.get('/api/v1/external-order', answerStatusOfReference);
connectorRoutes.all('/api/v1/external-order', refuseOtherMethod);
connectorRoutes.get('/api/v1/external-order/:id', answerStatus);
connectorRoutes.delete('/api/v1/external-order/:id', answerWithdrawal);
connectorRoutes.post('/api/v1/external-order/:id/supplement', answerSupplement);
connectorRoutes.get('/api/v1/shop', answerOwnShop);
connectorRoutes.get('/api/v1/products', answerProducts);
