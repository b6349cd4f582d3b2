import { listOffered } from '../inventory/service';
import type { HttpContext } from '../platform/http/http';
import { offeredQuerySchema, wireOffered, wireOwnShop } from '../wire/offered';
import { authenticate } from './authenticate';
import { readQuery } from './query';

/** `GET /api/v1/shop` */
export async function answerOwnShop(c: HttpContext): Promise<Response> {
  const { shop } = await authenticate(c.var.ctx, c.req.raw, 'read');
  c.header('Cache-Control', 'no-store');
  return c.json(wireOwnShop(shop));
}

/** `GET /api/v1/products` */
export async function answerProducts(c: HttpContext): Promise<Response> {
  const { ctx, shop, integration } = await authenticate(c.var.ctx, c.req.raw, 'read');
  const { cursor, ...query } = readQuery(c, offeredQuerySchema);
  const offered = await listOffered(ctx, { ...query, shopId: shop.id, after: cursor ?? null }, integration.keyUse);
  c.header('Cache-Control', 'no-store');
  return c.json(wireOffered(offered));
}
