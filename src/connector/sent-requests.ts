import { answerOnce } from '../idempotency/answer-once';
import { referenceIn, submitOrderRequest } from '../order-requests/intake/intake';
import { reservedMs } from '../order-requests/intake/reserved';
import { getSubmitted } from '../order-requests/review/review-of';
import {
  type Asking,
  readSentRequest,
  type Sought,
  supplementOrderRequest,
  withdrawOrderRequest,
} from '../order-requests/sender/sender';
import type { Context } from '../platform/context';
import { AppError } from '../platform/errors/errors';
import { isShort, readAhead } from '../platform/http/body';
import { type HttpContext, readJson, urlOf } from '../platform/http/http';
import { hostOf } from '../platform/http/outgoing';
import { policyOf } from '../platform/http/rate-limit';
import { idempotencyKeyOf } from '../platform/http/validation';
import { storedId } from '../platform/ids';
import { BODY_BYTES_MAX, STRUCTURE_MAX } from '../platform/limits';
import { requireIntake } from '../platform/switches';
import { wireAcknowledgement } from '../wire/requests';
import { etagOfBody, isKnown } from '../wire/schemas';
import { byReferenceSchema, wireSentRequest, wireWithdrawn } from '../wire/sent-requests';
import { authenticate, type Caller, noQuerySchema, readQuery, requireShop } from './authenticate';

/** The connector's endpoints about order requests: submission, status, supplement, and withdrawal. */

/** `POST /api/v1/external-order` */
export function answerSubmission(c: HttpContext): Promise<Response> {
  return respondToBody(c, 'submit', ({ shop, integration }, body) => ({
    first: async (keyed) => {
      const request = await submitOrderRequest(keyed, { shop, integration, body });
      return { body: wireAcknowledgement(request), headers: replayed(request) };
    },
    again: async (at, about) => {
      const isHeld = (request: Parameters<typeof reservedMs>[2]) => reservedMs(shop, integration, request) !== null;
      return { body: wireAcknowledgement(await getSubmitted(at, about, referenceIn(body), isHeld)) };
    },
  }));
}

/** `GET /api/v1/external-order/{id}` */
export async function answerStatus(c: HttpContext): Promise<Response> {
  const caller = await authenticate(c, 'read');
  readQuery(c, noQuerySchema);
  return status(c, caller, { id: idOf(c) });
}

/** `GET /api/v1/external-order?external_reference=` */
export async function answerStatusOfReference(c: HttpContext): Promise<Response> {
  if (c.req.query('external_reference') === undefined) return refuseOtherMethod(c);
  const caller = await authenticate(c, 'read');
  const { external_reference: externalReference, source = null } = readQuery(c, byReferenceSchema);
  return status(c, caller, { externalReference, source });
}

/**
 * Refuses other methods, and GET without a reference.
 * @throws AppError `method_not_allowed`, or 404 if no shop has this host
 */
export async function refuseOtherMethod(c: HttpContext): Promise<never> {
  await requireShop(c.get('ctx'), hostOf(urlOf(c.req.raw)));
  const detail = 'Allowed here: POST, and GET with external_reference.';
  throw new AppError('method_not_allowed', detail, { headers: { Allow: 'GET, POST' } });
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
  await requireIntake(c.get('ctx'));
  const { ctx, ...caller } = await authenticate(c, 'change');
  // A repetition writes nothing, with or without an `Idempotency-Key`.
  const withdraw = async (at: Context) => {
    const withdrawn = await withdrawOrderRequest(at, askingOf(caller), idOf(c));
    return { status: withdrawn.withdrawal === 'requested' ? 202 : 200, body: wireWithdrawn(withdrawn) } as const;
  };
  const key = idempotencyKeyOf(c.req.raw);
  c.header('RateLimit-Policy', policyOf(ctx, 'connector')['RateLimit-Policy']);
  return respondOnce(c, ctx, { key, digest: '' }, { first: withdraw, again: withdraw });
}

/** `POST /api/v1/external-order/{id}/supplement` */
export function answerSupplement(c: HttpContext): Promise<Response> {
  return respondToBody(c, 'change', (caller, body) => {
    const [asking, id] = [askingOf(caller), idOf(c)];
    return {
      first: async (keyed) => {
        const sent = await supplementOrderRequest(keyed, asking, { id, body });
        return { body: wireSentRequest(sent), headers: replayed(sent) };
      },
      again: async (at) => ({ body: wireSentRequest(await readSentRequest(at, asking, { id })) }),
    };
  });
}

type Answering = Parameters<typeof answerOnce<Answer>>[2];

/**
 * Responds to a command with a body.
 * @param answeringOf returns two functions: one carries the command out, the other answers a repetition of the command
 */
async function respondToBody(
  c: HttpContext,
  use: 'submit' | 'change',
  answeringOf: (caller: Omit<Caller, 'ctx'>, body: unknown) => Answering,
): Promise<Response> {
  await requireIntake(c.get('ctx'));
  if (isShort(c.req.raw)) readAhead(c.req.raw);
  const { ctx, ...caller } = await authenticate(c, use);
  c.header('RateLimit-Policy', policyOf(ctx, 'connector')['RateLimit-Policy']);
  const key = idempotencyKeyOf(c.req.raw);
  const { value, release, digest } = await readJson(ctx, c.req.raw, { ...BODY_LIMITS, isDigested: key !== null });
  try {
    return await respondOnce(c, ctx, { key, digest }, answeringOf(caller, value));
  } finally {
    release();
  }
}

/** Responds to a command that may be repeated with its `Idempotency-Key`. */
async function respondOnce(
  c: HttpContext,
  ctx: Context,
  { key, digest = '' }: { key: string | null; digest?: string },
  answering: Answering,
): Promise<Response> {
  const sent = {
    key,
    method: c.req.method.toLowerCase(),
    url: urlOf(c.req.raw),
    digest,
    about: idOf(c) || null,
  };
  const { status = 200, headers, body } = await answerOnce(ctx, sent, answering);
  return c.json(body, status, { 'Cache-Control': 'no-store', ...headers });
}

function replayed({ isReplay }: { isReplay: boolean }) {
  return isReplay ? { 'Idempotent-Replayed': 'true' } : undefined;
}

interface Answer {
  status?: 200 | 202;
  headers?: Record<string, string>;
  body: object;
}

function askingOf({ shop, integration }: Omit<Caller, 'ctx'>): Asking {
  const { familyId, keyUse } = integration;
  return { shopId: shop.id, familyId, keyUse };
}

function idOf(c: HttpContext): string {
  return storedId(c.req.param('id') ?? '');
}

/** Limits for the bodies that platforms send. */
const BODY_LIMITS = { bytesMax: BODY_BYTES_MAX.connector, structureMax: STRUCTURE_MAX.connector };
