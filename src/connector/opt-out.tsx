import { atHost } from '../directory/service';
import { getOptOut, MESSAGE_WORDS, optOut } from '../messages/service';
import { pageLanguage } from '../platform/http/browser';
import type { HttpContext } from '../platform/http/http';
import { hostOf } from '../platform/http/outbound';
import { OutsidePage, outsideHeaders } from '../platform/markup/outside';

/** `GET /messages/{token}` on a shop's host: the page behind the link of an e-mail. Looking at it changes nothing. */
export async function answerOptOutPage(c: HttpContext): Promise<Response> {
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
 * `POST /messages/{token}`: whoever has the link may ask for it, as often as they like. A mail program posts it by itself, without
 * cookies, and follows no redirect (RFC 8058 §3.1).
 */
export async function answerOptOut(c: HttpContext): Promise<Response> {
  const { ctx, asked } = await askedBy(c);
  await optOut(ctx, asked);
  return answerOptOutPage(c);
}

async function askedBy(c: HttpContext) {
  const host = hostOf(new URL(c.req.url));
  return { ctx: await atHost(c.var.ctx, host), asked: { token: c.req.param('token') ?? '', host } };
}
