import { business, type FieldsOf } from '../platform/fields';
import { EVENTS_KEPT_DAYS } from './limits';
import type { deliveries, deliveryAttempts, events, secretCanaries, subscriptions } from './tables';

const kept = `with the event, ${EVENTS_KEPT_DAYS} days`;

export const eventsFields = {
  ...business('seq', 'id', 'orgId', 'type', 'isTest', 'chunkSeq', 'shopId', 'source', 'integrationId', 'createdAt'),
  body: { class: 'person', erased: `references that a caller chose become empty texts; ${kept}` },
} as const satisfies FieldsOf<typeof events>;

export const subscriptionsFields = {
  ...business('id', 'orgId', 'host', 'holdReason', 'heldSince', 'nextProbeAt', 'probeId', 'isSettling', 'isHealthy'),
  ...business('integrationId'),
  ...business('exhaustedInRow', 'failingSince', 'waitUntil', 'skippedAfter', 'skippedUntil', 'recoverFailedAfter'),
  ...business(
    'recoverAfter',
    'recoverStartedAt',
    'recoverSince',
    'recoverUntil',
    'createdAt',
    'updatedAt',
    'deletedAt',
  ),
  ...business('previousSecretUntil'),
  url: { class: 'business', wire: 'url', changedBy: ['target'] },
  eventTypes: { class: 'business', wire: 'event_types', changedBy: ['target'] },
  shopIds: { class: 'business', wire: 'shop_ids', changedBy: ['target'] },
  sources: { class: 'business', wire: 'sources', changedBy: ['target'] },
  status: { class: 'business', wire: 'status', changedBy: ['status'] },
  secretCiphertext: {
    class: 'secret',
    wire: 'secret',
    changedBy: ['rotation'],
    kept: 'until it is rotated; encrypted',
  },
  previousSecretCiphertext: { class: 'secret', kept: 'until the next rotation, or until it is ended early; encrypted' },
} as const satisfies FieldsOf<typeof subscriptions>;

export const deliveriesFields = {
  ...business('id', 'orgId', 'eventId', 'subscriptionId', 'priority', 'eventType', 'trigger', 'status', 'attemptCount'),
  ...business('nextAttemptAt', 'leaseUntil', 'createdAt', 'finishedAt'),
} satisfies FieldsOf<typeof deliveries>;

export const deliveryAttemptsFields = {
  ...business('deliveryId', 'attempt', 'trigger', 'startedAt', 'durationMs', 'httpStatus', 'failureClass'),
  // A receiver's response may repeat the request.
  answerExcerpt: { class: 'health', erased: null },
} as const satisfies FieldsOf<typeof deliveryAttempts>;

export const secretCanariesFields = {
  ...business('keyId', 'createdAt'),
  fingerprint: { class: 'secret', kept: 'always: a MAC of a fixed text' },
} as const satisfies FieldsOf<typeof secretCanaries>;
