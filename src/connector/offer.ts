import { listOffered } from '../inventory/service';
import type { HttpContext } from '../platform/http/http';
import { policyOf } from '../platform/http/rate-limit';
import { offeredQuerySchema, wireOffered, wireOwnShop } from '../wire/offered';
import { authenticate } from './authenticate';
import { readQuery } from './query';

/** `GET /api/v1/shop` */
export async function answerOwnShop(c: HttpContext): Promise<Response> {
  const { ctx, shop } = await authenticate(c, 'read');
  return c.json(wireOwnShop(shop), 200, { 'Cache-Control': 'no-store', ...policyOf(ctx, 'connectorReads') });
}

/** `GET /api/v1/products` */
export async function answerProducts(c: HttpContext): Promise<Response> {
  const { ctx, shop, integration } = await authenticate(c, 'read');
  const { cursor, ...query } = readQuery(c, offeredQuerySchema);
  const offered = await listOffered(ctx, { ...query, shopId: shop.id, after: cursor ?? null }, integration.keyUse);
  return c.json(wireOffered(offered), 200, { 'Cache-Control': 'no-store', ...policyOf(ctx, 'connectorReads') });
}
