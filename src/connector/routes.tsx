import { Hono } from 'hono';
import { atHost } from '../directory/route';
import { listOffered } from '../inventory/browse';
import { getOptOut, optOut } from '../messages/sending';
import { MESSAGE_WORDS } from '../messages/texts';
import { type HttpContext, type HttpEnv, pageLanguage, urlOf } from '../platform/http/http';
import { hostOf } from '../platform/http/outgoing';
import { policyOf } from '../platform/http/rate-limit';
import { OutsidePage, outsideHeaders } from '../platform/markup/outside';
import { offeredQuerySchema, wireOffered, wireOwnShop } from '../wire/offered';
import { authenticate, readQuery } from './authenticate';
import { answerPayPage } from './pay';
import {
  answerStatus,
  answerStatusOfReference,
  answerSubmission,
  answerSupplement,
  answerWithdrawal,
  refuseOtherMethod,
} from './sent-requests';

/** `GET /api/v1/shop` */
async function answerOwnShop(c: HttpContext): Promise<Response> {
  const { ctx, shop } = await authenticate(c, 'read');
  return c.json(wireOwnShop(shop), 200, { 'Cache-Control': 'no-store', ...policyOf(ctx, 'connectorReads') });
}

/** `GET /api/v1/products` */
async function answerProducts(c: HttpContext): Promise<Response> {
  const { ctx, shop, integration, stockShown } = await authenticate(c, 'read');
  const { cursor, updated_after: updatedAfter, ...query } = readQuery(c, offeredQuerySchema);
  const wanted = { ...query, updatedAfter, shopId: shop.id, after: cursor ?? null };
  const offered = await listOffered(ctx, wanted, integration.keyUse);
  return c.json(wireOffered(offered, stockShown), 200, {
    'Cache-Control': 'no-store',
    ...policyOf(ctx, 'connectorReads'),
  });
}

/** `GET /messages/{token}` on a shop's host: the opt-out page that emails link to. Opening it changes nothing. */
async function answerOptOutPage(c: HttpContext): Promise<Response> {
  const { ctx, asked } = await askedBy(c);
  const { language, shopName, isOut } = await getOptOut(ctx, asked);
  const words = MESSAGE_WORDS[language];
  const title = isOut ? words.noMoreDone : words.noMoreTitle;
  const page = (
    <OutsidePage language={pageLanguage(c.req.raw)} title={title} name={shopName} class="narrow">
      <div lang={language} dir={words.isRightToLeft ? 'rtl' : 'ltr'}>
        <h1>{title}</h1>
        {!isOut && (
          <form method="post">
            <button type="submit" class="primary">
              {words.noMoreButton}
            </button>
          </form>
        )}
      </div>
    </OutsidePage>
  );
  const headers = await outsideHeaders();
  return c.html(`<!doctype html>${page}`, 200, {
    ...headers,
    'Content-Security-Policy': (headers['Content-Security-Policy'] ?? '').replace(
      "form-action 'none'",
      "form-action 'self'",
    ),
    'Cache-Control': 'private, no-store',
    'X-Robots-Tag': 'noindex',
  });
}

/**
 * `POST /messages/{token}`: opts out. Anybody with the link may send it, repeatedly. Mail programs post it by
 * themselves, without cookies, and follow no redirect (RFC 8058 §3.1).
 */
async function answerOptOut(c: HttpContext): Promise<Response> {
  const { ctx, asked } = await askedBy(c);
  await optOut(ctx, asked);
  return answerOptOutPage(c);
}

async function askedBy(c: HttpContext) {
  const host = hostOf(urlOf(c.req.raw));
  return { ctx: await atHost(c.var.ctx, host), asked: { token: c.req.param('token') ?? '', host } };
}

/** Routes on a shop's host, for platforms that send requests and for customers who pay or opt out of emails. */
export const connectorRoutes = new Hono<HttpEnv>();
connectorRoutes.get('/pay/:token', answerPayPage);
connectorRoutes.get('/messages/:token', answerOptOutPage);
connectorRoutes.post('/messages/:token', answerOptOut);
connectorRoutes.post('/api/v1/external-order', answerSubmission);
connectorRoutes.get('/api/v1/external-order', answerStatusOfReference);
connectorRoutes.all('/api/v1/external-order', refuseOtherMethod);
connectorRoutes.get('/api/v1/external-order/:id', answerStatus);
connectorRoutes.delete('/api/v1/external-order/:id', answerWithdrawal);
connectorRoutes.post('/api/v1/external-order/:id/supplement', answerSupplement);
connectorRoutes.get('/api/v1/shop', answerOwnShop);
connectorRoutes.get('/api/v1/products', answerProducts);
