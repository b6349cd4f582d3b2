import { recordAudit } from '../audit/record';
import { requireOwnerOrOperator, requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { encrypt } from '../platform/crypto';
import { ConstraintError, isGuardFailure, mustChangeOne } from '../platform/db';
import { AppError, invalidInput, notFound } from '../platform/errors';
import { newId } from '../platform/ids';
import { hostOf, REFUSAL_MESSAGES, refusalOf } from '../platform/outbound';
import type { Envelope, EventType } from './events';
import { SUBSCRIPTIONS_MAX } from './runs';
import { newSigningSecret } from './sign';
import { insertSubscription, selectEvents, selectIsShopHost } from './store';

export { EVENT_TYPES, EVENTS, type EventType, envelopeSchema } from './events';
export {
  deleteSubscription,
  getDelivery,
  getSubscription,
  type LoggedDelivery,
  listDeliveries,
  listSubscriptions,
  pauseSubscription,
  redeliver,
  resumeSubscription,
  type Subscription,
} from './manage';
export { SUBSCRIPTIONS_MAX } from './runs';
export { DELIVERY_FILTERS, type DeliveryFilter } from './store-manage';
export type { FailureClass } from './tables';

export interface NewSubscription {
  orgId: string;
  url: string;
  eventTypes: EventType[];
}

/**
 * Subscribes a URL to event types.
 * @returns the id, and the signing secret, which is shown this once and stored encrypted
 * @throws AppError `validation_failed` for an address that may not be called, `organization_not_found`,
 *   `subscription_limit_reached` (SPEC, Limits)
 */
export async function createSubscription(ctx: Context, input: NewSubscription) {
  requireOwnerOrOperator(ctx, input.orgId);
  const { baseHost, allowLoopbackWebhooks, encryptionKeys } = ctx.config;
  const refusal = refusalOf(input.url, {
    isOwnHost: (host) => host === baseHost,
    allowLoopback: allowLoopbackWebhooks,
  });
  if (refusal) throw refusedUrl(refusal);
  const id = newId();
  const now = ctx.now();
  const signingSecret = newSigningSecret();
  const host = hostOf(new URL(input.url));
  try {
    await ctx.db.run({
      subscription: insertSubscription(ctx.db, {
        id,
        orgId: input.orgId,
        url: input.url,
        host,
        eventTypes: [...new Set(input.eventTypes)],
        status: 'active',
        secretCiphertext: await encrypt(encryptionKeys, signingSecret, id),
        createdAt: now,
        updatedAt: now,
      }),
      guard: mustChangeOne(ctx.db),
      audit: recordAudit(ctx, { orgId: input.orgId, action: 'subscription.created', entityId: id }),
    });
  } catch (error) {
    if (error instanceof ConstraintError && error.kind === 'foreign_key')
      throw notFound('organization_not_found', 'There is no such organization.');
    if (isGuardFailure(error)) throw await whyRefused(ctx, host);
    throw error;
  }
  return { subscriptionId: id, signingSecret };
}

/** How long the pull feed goes back. */
const FEED_MS = 30 * 86_400_000;

/**
 * The pull feed: what the webhooks said, oldest first, for whoever missed some. The cursor is the number that the
 * commit gave the last event read, so that none can slip in behind it.
 */
export async function listEvents(ctx: Context, input: { after: number; limit: number }) {
  const { orgId } = requireScope(ctx, 'events.read');
  const since = ctx.now() - FEED_MS;
  const { rows } = await ctx.db.run({ rows: selectEvents(ctx.db, orgId, input.after, since, input.limit) });
  return {
    // SAFETY: bodies are written by envelopeText only.
    events: rows.map(({ body }) => JSON.parse(body) as Envelope),
    nextCursor: rows.at(-1)?.seq ?? input.after,
  };
}

async function whyRefused(ctx: Context, host: string): Promise<AppError> {
  const { own } = await ctx.db.run({ own: selectIsShopHost(ctx.db, host) });
  if (own.length > 0) return refusedUrl('own_host');
  return new AppError(
    'conflict',
    'subscription_limit_reached',
    `An organization has at most ${SUBSCRIPTIONS_MAX} webhook subscriptions. Delete one first.`,
  );
}

function refusedUrl(refusal: keyof typeof REFUSAL_MESSAGES): AppError {
  return invalidInput([{ pointer: '/url', code: refusal, message: REFUSAL_MESSAGES[refusal] }]);
}
