import { atHost } from '../directory/service';
import { notFound } from '../platform/errors';
import { pageLanguage, prefersPage } from '../platform/http/browser';
import type { HttpContext } from '../platform/http/http';
import { hostOf } from '../platform/http/outbound';
import type { Markup } from '../platform/markup/markup';
import { outsideHeaders } from '../platform/markup/outside';
import { selectShopAtDoor } from '../tenants/service';
import { ShopPage } from './shop-page';
import { StartPage } from './start-page';

const START_SECONDS = 300;
/** Shorter: a shop may move, or be suspended. */
const SHOP_SECONDS = 60;

/**
 * `/` of every host, for browsers alone. No route: to programs there is nothing there, whatever their method.
 * @returns null for every other request
 * @throws AppError 404 on hosts of no shop, and of one whose organization is suspended
 */
export async function answerDoor(c: HttpContext): Promise<Response | null> {
  const { method, path, raw } = c.req;
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead || (path !== '/base/' && path !== '/shop/') || !prefersPage(raw)) return null;
  const language = pageLanguage(raw);
  if (path === '/base/') return respond(c, <StartPage language={language} {...c.var.ctx.config} />, START_SECONDS);
  const host = hostOf(new URL(raw.url));
  const ctx = await atHost(c.var.ctx, host);
  const { found } = await ctx.db.run({ found: selectShopAtDoor({ host }) });
  const [shop] = found;
  if (!shop) throw notFound();
  const { baseUrl } = ctx.config;
  return respond(c, <ShopPage {...{ language, shop, baseUrl }} />, SHOP_SECONDS);
}

async function respond(c: HttpContext, page: Markup, seconds: number): Promise<Response> {
  return c.html(`<!doctype html>${page}`, 200, {
    ...(await outsideHeaders()),
    'Cache-Control': `public, max-age=${seconds}`,
    Vary: 'Accept, Accept-Language',
  });
}
