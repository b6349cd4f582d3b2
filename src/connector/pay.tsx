import { atHost } from '../directory/service';
import { getPaymentPage } from '../orders/service';
import { pageLanguage } from '../platform/http/browser';
import type { HttpContext } from '../platform/http/http';
import { hostOf } from '../platform/http/outbound';
import { outsideHeaders } from '../platform/markup/outside';
import { COPY_SCRIPT, PayPage } from './pay-page';

/** `GET /pay/{token}` on a shop's host: accessible to anybody who has the link. */
export async function answerPayPage(c: HttpContext): Promise<Response> {
  const host = hostOf(new URL(c.req.url));
  const ctx = await atHost(c.var.ctx, host);
  const page = await getPaymentPage(ctx, { token: c.req.param('token') ?? '', host });
  return c.html(`<!doctype html>${<PayPage page={page} language={pageLanguage(c.req.raw)} />}`, 200, {
    ...(await outsideHeaders(COPY_SCRIPT)),
    'Cache-Control': 'private, no-store',
    'X-Robots-Tag': 'noindex',
  });
}
