import {
  type Asking,
  readSentRequest,
  type Sought,
  supplementOrderRequest,
  withdrawOrderRequest,
} from '../order-requests/service';
import { AppError } from '../platform/errors';
import { type HttpContext, readJson } from '../platform/http/http';
import { hostOf } from '../platform/http/outbound';
import { policyOf } from '../platform/http/rate-limit';
import { isShort, readAhead } from '../platform/http/short-body';
import { etagOfBody, isKnown } from '../wire/etags';
import { byReferenceSchema, wireSentRequest, wireWithdrawn } from '../wire/sent-requests';
import { authenticate, type Caller, requireShop } from './authenticate';
import { BODY_LIMITS } from './limits';
import { noQuerySchema, readQuery } from './query';

/** What a platform asks and does about a request that it sent. */

/** `GET /api/v1/external-order/{id}` */
export async function answerStatus(c: HttpContext): Promise<Response> {
  const caller = await authenticate(c.var.ctx, c.req.raw, 'read');
  readQuery(c, noQuerySchema);
  return status(c, caller, { id: idOf(c) });
}

/** `GET /api/v1/external-order?external_reference=` */
export async function answerStatusOfReference(c: HttpContext): Promise<Response> {
  if (c.req.query('external_reference') === undefined) return refuseOtherMethod(c);
  const caller = await authenticate(c.var.ctx, c.req.raw, 'read');
  const { external_reference: externalReference, source = null } = readQuery(c, byReferenceSchema);
  return status(c, caller, { externalReference, source });
}

/** Other methods, and GET without a reference: the address is for submissions. */
export async function refuseOtherMethod(c: HttpContext): Promise<never> {
  await requireShop(c.var.ctx, hostOf(new URL(c.req.url)));
  const detail = 'Allowed here: POST, and GET with external_reference.';
  throw new AppError('method_not_allowed', detail, { headers: { Allow: 'POST' } });
}

async function status(c: HttpContext, { ctx, ...caller }: Caller, sought: Sought): Promise<Response> {
  const body = wireSentRequest(await readSentRequest(ctx, askingOf(caller), sought));
  const tag = await etagOfBody(body);
  const headers = { ETag: tag, 'Cache-Control': 'no-store', ...policyOf(ctx, 'connectorReads') };
  if (isKnown(c.req.header('If-None-Match'), tag)) return c.body(null, 304, headers);
  return c.json(body, 200, headers);
}

/** `DELETE /api/v1/external-order/{id}` */
export async function answerWithdrawal(c: HttpContext): Promise<Response> {
  const { ctx, ...caller } = await authenticate(c.var.ctx, c.req.raw, 'change');
  const withdrawn = await withdrawOrderRequest(ctx, askingOf(caller), idOf(c));
  const headers = { 'Cache-Control': 'no-store', ...policyOf(ctx, 'connector') };
  return c.json(wireWithdrawn(withdrawn), withdrawn.withdrawal === 'requested' ? 202 : 200, headers);
}

/** `POST /api/v1/external-order/{id}/supplement` */
export async function answerSupplement(c: HttpContext): Promise<Response> {
  if (isShort(c.req.raw)) readAhead(c.req.raw);
  const { ctx, ...caller } = await authenticate(c.var.ctx, c.req.raw, 'change');
  const { value, release } = await readJson(ctx, c.req.raw, BODY_LIMITS);
  try {
    const sent = await supplementOrderRequest(ctx, askingOf(caller), { id: idOf(c), body: value });
    if (sent.isReplay) c.header('Idempotent-Replayed', 'true');
    return c.json(wireSentRequest(sent), 200, { 'Cache-Control': 'no-store', ...policyOf(ctx, 'connector') });
  } finally {
    release();
  }
}

function askingOf({ shop, integration }: Omit<Caller, 'ctx'>): Asking {
  const { familyId, keyUse } = integration;
  return { shopId: shop.id, familyId, keyUse };
}

function idOf(c: HttpContext): string {
  return c.req.param('id') ?? '';
}
