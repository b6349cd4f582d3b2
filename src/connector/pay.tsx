import { atHost } from '../directory/service';
import { getPaymentPage } from '../orders/service';
import { sha256, toBase64, utf8 } from '../platform/crypto';
import type { HttpContext } from '../platform/http/http';
import { hostOf } from '../platform/http/outbound';
import { type Language, PayPage, paymentStyles } from './pay-page';

/** `GET /pay/{token}` on a shop's host: accessible to anybody who has the link. */
export async function answerPayPage(c: HttpContext): Promise<Response> {
  const host = hostOf(new URL(c.req.url));
  const ctx = await atHost(c.var.ctx, host);
  const page = await getPaymentPage(ctx, { token: c.req.param('token') ?? '', host });
  const styleHash = toBase64(await sha256(utf8(paymentStyles())));
  const language = languageOf(c.req.header('Accept-Language'));
  return c.html(`<!doctype html>${<PayPage page={page} language={language} />}`, 200, {
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'Cache-Control': 'private, no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
  });
}

/** German unless the browser prefers English. */
function languageOf(header: string | undefined): Language {
  return header?.trim().toLowerCase().startsWith('en') ? 'en' : 'de';
}
