import * as z from 'zod';
import { idOfKey, isTestKey, presentedKey } from '../auth/keys/format';
import type { ApiKeyRow } from '../auth/keys/store';
import { actorOfKey, apiKeyById, assertMayTry, countFailedKey, isUsableKey, noteKeyUse } from '../auth/keys/use';
import type { StockShown } from '../auth/tables';
import { atHost, forgetHost } from '../directory/route';
import type { Integration } from '../order-requests/intake/intake';
import { actingAs, type Context, onOtherDatabases } from '../platform/context';
import type { CodeOf } from '../platform/errors/error-codes';
import { AppError, notFound } from '../platform/errors/errors';
import { type HttpContext, queryOf, urlOf } from '../platform/http/http';
import { hostOf } from '../platform/http/outgoing';
import { assertWithinLimit, callerAddress, policyOf } from '../platform/http/rate-limit';
import { parseInput } from '../platform/http/validation';
import { isTestOrganization } from '../tenants/shops';
import { type ShopAtHost, selectShopByHost } from '../tenants/store';

/** The purpose of a call: to submit a request, to change a submitted one, or to read. */
type Use = 'submit' | 'change' | 'read';

export interface Caller {
  /** The context with the key as the actor. */
  ctx: Context;
  shop: ShopAtHost;
  integration: Integration;
  /** How much of the stock the platform sees. */
  stockShown: StockShown;
}

/**
 * Authenticates the caller and finds the shop of the host. Host and key are looked up in one round trip, before the
 * body is read. A key with a wrong format or checksum needs no look-up. A test key is invalid at the host of a live
 * shop, and a live key at that of a test shop.
 * @throws AppError 404 for a host that no shop has; 401 `missing_api_key`, `invalid_api_key`; 400
 *   `ambiguous_credentials`, `shop_mismatch`, `shop_inactive` (a submission to an inactive shop, any call of a
 *   suspended organization); 429
 */
export async function authenticate(c: HttpContext, use: Use): Promise<Caller> {
  const caller = await callerOf(c.get('ctx'), c.req.raw, use);
  c.set('ctx', caller.ctx);
  return caller;
}

async function callerOf(globalCtx: Context, request: Request, use: Use): Promise<Caller> {
  const url = urlOf(request);
  const host = hostOf(url);
  const address = callerAddress(request);
  // Contract 2.4 allows the key in the query.
  const presented = presentedKey(request, url.search === '' ? [] : url.searchParams.getAll('apikey'));
  if (presented === null) {
    await assertMayTry(globalCtx, address, null);
    await requireShop(globalCtx, host);
    await countFailedKey(globalCtx, address, null);
    throw unauthenticated('missing_api_key', 'Send the integration key in the header apikey or X-API-Key.');
  }
  const keyId = idOfKey(presented);
  if (keyId === null) throw await invalidKey(globalCtx, address, null);

  await assertMayTry(globalCtx, address, presented);
  const ctx = await atHost(globalCtx, host);
  const found = await ctx.db.run({ shop: selectShopByHost({ host }), key: apiKeyById(keyId) });
  const shop = found.shop[0];
  if (!shop) throw noShopAt(host);
  const integration = found.key[0] ?? (await keyElsewhere(ctx, keyId));
  const isUsable = await isUsableKey(ctx, presented, integration);
  if (!integration || !isUsable) throw await invalidKey(ctx, address, presented);
  if (!integration.scopes.includes('external_orders.submit')) throw await invalidKey(ctx, address, null);
  // Reads have their own limit, so that callers who poll too often can still submit.
  const limiter = use === 'read' ? 'connectorReads' : 'connector';
  await assertWithinLimit(ctx.limits[limiter], integration.id, policyOf(ctx, limiter));
  if (integration.orgId !== shop.orgId) {
    const isOfKind = isTestKey(presented) === (await isTestOrganization(ctx, shop.orgId));
    if (!isOfKind) throw await invalidKey(ctx, address, null, OTHER_KIND);
    throw new AppError('shop_mismatch', "This key belongs to another organization than this shop's address.");
  }
  if ((use === 'submit' && !shop.isActive) || integration.isSuspended === 1) {
    throw new AppError('shop_inactive', 'This shop does not accept order requests at present.');
  }
  const { familyId, sendsSubmittedEvents, reserves, reserveShare, stockShown } = integration;
  return {
    ctx: actingAs(ctx, actorOfKey(integration)),
    shop,
    integration: {
      ...{ familyId, sendsSubmittedEvents, reserves, reserveShare },
      ...(await noteKeyUse(ctx, integration, presented)),
    },
    stockShown,
  };
}

/**
 * The shop that has this host.
 * @throws AppError 404, the same for unknown, pending and removed hosts
 */
export async function requireShop(globalCtx: Context, host: string): Promise<ShopAtHost> {
  const ctx = await atHost(globalCtx, host);
  const shop = await ctx.db.rows(selectShopByHost({ host }));
  if (!shop[0]) throw noShopAt(host);
  return shop[0];
}

function noShopAt(host: string): AppError {
  forgetHost(host);
  return notFound();
}

/** Finds the key on other databases, to distinguish another organization's key from an unknown one (contract 2.4). */
async function keyElsewhere(ctx: Context, keyId: string): Promise<ApiKeyRow | undefined> {
  const found = await Promise.all(onOtherDatabases(ctx).map((at) => at.db.run({ key: apiKeyById(keyId) })));
  return found.flatMap(({ key }) => key)[0];
}

/**
 * Counts the failed attempt and returns the error.
 * @param failed the key, if it is not usable at all; null if the key lacks the scope, is of the other kind (test or
 * live), or has a wrong format
 */
async function invalidKey(
  ctx: Context,
  address: string,
  failed: string | null,
  detail = 'The API key is not valid for submitting order requests.',
): Promise<AppError> {
  await countFailedKey(ctx, address, failed);
  return unauthenticated('invalid_api_key', detail);
}

const OTHER_KIND = 'Test keys are valid at addresses of test shops alone, and live keys at those of live shops.';

function unauthenticated(code: CodeOf<'unauthenticated'>, detail: string): AppError {
  return new AppError(code, detail, { headers: { 'WWW-Authenticate': 'ApiKey' } });
}

export const noQuerySchema = z.strictObject({});

/** The validated query parameters, without the key, which may be one of them (contract 2.4). */
export function readQuery<T extends z.ZodType>(c: HttpContext, schema: T): z.output<T> {
  const { apikey: _, ...query } = queryOf(c);
  return parseInput(schema, query);
}
