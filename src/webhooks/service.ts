import { recordAudit } from '../audit/record';
import { requireOwnerOrOperator, requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { encrypt } from '../platform/crypto';
import { isGuardFailure, mustChangeOne, orNoOrganization } from '../platform/db';
import { AppError } from '../platform/errors';
import { newId } from '../platform/ids';
import { hostToSubscribe, refusedUrl } from './address';
import type { Envelope, EventType } from './events';
import { SUBSCRIPTIONS_MAX } from './runs';
import { newSigningSecret } from './sign';
import { insertSubscription, selectEvents, selectIsShopHost } from './store';

export { EVENT_TYPES, EVENTS, type EventType, envelopeSchema } from './events';
export { getDelivery, type LoggedDelivery, listDeliveries, type SentRequest, type ShownAttempt } from './log';
export {
  deleteSubscription,
  getSubscription,
  listSubscriptions,
  pauseSubscription,
  resumeSubscription,
  type Subscription,
} from './manage';
export { countFailed, REDELIVERED_AT_ONCE, redeliver, redeliverFailed } from './redelivery';
export { SUBSCRIPTIONS_MAX } from './runs';
export { endOverlap, rotateSecret, updateSubscription } from './settings';
export { SNIPPETS, type Snippet } from './snippets';
export { LOG_STATUSES, type LogFilter, type LogStatus } from './store-log';
export { FAILURE_CLASSES, type FailureClass } from './tables';
export { sendTestEvent, TESTS_A_MINUTE } from './test-event';

export interface NewSubscription {
  orgId: string;
  url: string;
  eventTypes: EventType[];
}

/**
 * Subscribes a URL to event types.
 * @returns the id, and the signing secret, which is shown this once and stored encrypted
 * @throws AppError `validation_failed` for an address that may not be called, `organization_not_found`,
 *   `subscription_limit_reached` (contract 6.1)
 */
export async function createSubscription(ctx: Context, input: NewSubscription) {
  requireOwnerOrOperator(ctx, input.orgId);
  const host = hostToSubscribe(ctx, input.url);
  const id = newId();
  const now = ctx.now();
  const signingSecret = newSigningSecret();
  try {
    await ctx.db.run({
      subscription: insertSubscription(ctx.db, {
        id,
        orgId: input.orgId,
        url: input.url,
        host,
        eventTypes: [...new Set(input.eventTypes)],
        status: 'active',
        secretCiphertext: await encrypt(ctx.config.encryptionKeys, signingSecret, id),
        createdAt: now,
        updatedAt: now,
      }),
      guard: mustChangeOne(ctx.db),
      audit: recordAudit(ctx, { orgId: input.orgId, action: 'subscription.created', entityId: id }),
    });
  } catch (error) {
    if (isGuardFailure(error)) throw await whyRefused(ctx, host);
    throw orNoOrganization(error);
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
