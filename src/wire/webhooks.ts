import * as z from 'zod';
import { EVENT_TYPES } from '../webhooks/event-types';
import { DELIVERIES_COUNTED_MAX } from '../webhooks/limits';
import { type LoggedDelivery, type readHealth, stopReasonOf } from '../webhooks/log/log';
import { DELIVERIES_LOOKED_AT, EVENTS_LOOKED_AT, STOP_REASONS } from '../webhooks/log/store';
import { DELIVERY_STATUSES, FAILURE_CLASSES } from '../webhooks/tables';
import { idSchema, objectOf, timestampSchema, wired } from './schemas';

const failureClassSchema = z
  .enum(FAILURE_CLASSES)
  .describe('`http`: answered, but not with 2xx; the others: no answer, and why.');

const failureSchema = z.object({
  failure_class: failureClassSchema,
  http_status: z.int().nullable().describe('What the receiver answered.'),
  count: z.int().describe('How many attempts.'),
});

const healthSchema = z
  .object({
    attempts: z.int().describe('Attempts, test events not counted.'),
    success_rate: z.number().nullable().describe('Share that was accepted, 0 to 1.'),
    p50_ms: z.int().nullable().describe('Half of the answers came within this time.'),
    p95_ms: z.int().nullable().describe('95 % of the answers came within this time.'),
    last_success_at: timestampSchema.nullable().describe('When something was last accepted.'),
    exhausted_in_row: z.int().describe('Deliveries that ended without success since the last attempt that succeeded.'),
    waiting: z.int().describe(`Deliveries that wait, counted up to ${DELIVERIES_COUNTED_MAX}.`),
    oldest_waiting_at: timestampSchema.nullable().describe('When the oldest of them was made.'),
    given_up: z
      .int()
      .describe(
        `Events that were given up and have not arrived since, among the last ${DELIVERIES_COUNTED_MAX} failed deliveries.`,
      ),
    filtered: z
      .int()
      .describe(
        `Events of the last 24 hours that \`shop_ids\` and \`sources\` kept back, among the newest ${EVENTS_LOOKED_AT}. They are not sent, and have no delivery.`,
      ),
    failures: z.array(failureSchema).describe('The most frequent failures.'),
  })
  .describe(
    `The last 24 hours, of at most the newest ${DELIVERIES_LOOKED_AT} deliveries; what waits and what was given up, of any time.`,
  );

export const subscriptionSchema = objectOf(
  'WebhookSubscription',
  'An address that events are sent to, and how it does.',
  {
    id: idSchema.describe('Subscription id.'),
    url: z.url().describe('Where events are sent.'),
    event_types: z.array(z.enum(EVENT_TYPES)).describe('What is sent.'),
    shop_ids: z
      .array(idSchema)
      .nullable()
      .describe(
        'Only events of these shops are sent; null: of all. Events of products and stock belong to no shop and are always sent.',
      ),
    sources: z
      .array(z.string())
      .nullable()
      .describe(
        'Only events of what these platforms sent; null: of all. Events of products and stock come from none and are always sent.',
      ),
    status: z
      .enum(['active', 'holding', 'paused', 'disabled'])
      .describe(
        '`holding`: deliveries wait, and it goes on by itself; `paused`, `disabled`: until an owner resumes it.',
      ),
    reason_code: z.enum(STOP_REASONS).nullable().describe('Why it is not active; null when somebody paused it.'),
    status_since: timestampSchema.describe('When the status last changed.'),
    next_probe_at: timestampSchema.nullable().describe('When a failing receiver is tried next.'),
    waits_until: timestampSchema
      .nullable()
      .describe('Nothing is sent before: the receiver asked for that (`Retry-After`). Null or past when it did not.'),
    health: healthSchema,
    created_at: timestampSchema.describe('When it was created.'),
  },
);

type Listed = Awaited<ReturnType<typeof readHealth>>[number];

export function wireSubscription({ subscription, health, lastChange }: Listed): z.input<typeof subscriptionSchema> {
  const { attempts, succeeded } = health;
  return wired(subscriptionSchema, {
    ...subscription,
    reasonCode: stopReasonOf(subscription, lastChange),
    statusSince: lastChange?.at ?? subscription.createdAt,
    waitsUntil: subscription.waitUntil,
    health: wired(healthSchema, {
      ...health,
      successRate: attempts === 0 ? null : succeeded / attempts,
      exhaustedInRow: subscription.exhaustedInRow,
      waiting: Math.min(health.waiting, DELIVERIES_COUNTED_MAX),
      failures: health.failures.map((failure) => wired(failureSchema, failure)),
    }),
  });
}

const attemptSchema = z.object({
  http_status: z.int().nullable().describe('What the receiver answered; null without an answer.'),
  failure_class: failureClassSchema.nullable().describe('Null when it was accepted.'),
  duration_ms: z.int().describe('How long it took.'),
});

export const deliverySchema = objectOf('WebhookDelivery', 'One event on its way to one subscription.', {
  id: idSchema.describe('Delivery id, as in X-Service-Delivery-Id.'),
  subscription_id: idSchema.describe('Where it goes.'),
  event_id: idSchema.describe('The event, as in webhook-id.'),
  event_type: z.enum(EVENT_TYPES).describe('What happened.'),
  trigger: z
    .enum(['event', 'redelivery', 'recovery', 'test', 'probe'])
    .describe(
      'Why there is this delivery; `recovery`: after an attempt whose result is unknown, or once a receiver that was down accepts again.',
    ),
  status: z
    .enum(DELIVERY_STATUSES)
    .describe(
      '`held`: waits while the subscription is not active; `exhausted`: given up; `cancelled`: not sent any more.',
    ),
  attempts: z.int().describe('How many were made, at most 3.'),
  next_attempt_at: timestampSchema.nullable().describe('When a pending one is tried again.'),
  last_attempt: attemptSchema.nullable().describe('Result of the latest attempt; null while there is none.'),
  created_at: timestampSchema.describe('When it was made.'),
});

export function wireDelivery(delivery: LoggedDelivery): z.input<typeof deliverySchema> {
  const { durationMs, attemptCount: attempts } = delivery;
  const isRetried = delivery.status === 'pending' && attempts > 0;
  const nextAttemptAt = isRetried ? delivery.nextAttemptAt : null;
  const lastAttempt = durationMs === null ? null : wired(attemptSchema, { ...delivery, durationMs });
  return wired(deliverySchema, { ...delivery, attempts, nextAttemptAt, lastAttempt });
}

export const enqueuedSchema = objectOf('Enqueued', 'What was asked for is under way.', {
  enqueued: z.int().describe('How many events are sent again; of more than 10,000 at least so many.'),
});

export const recoveredSchema = enqueuedSchema
  .extend({
    running: z
      .boolean()
      .describe(
        'True where an earlier recovery of this subscription is still running: nothing was added. Ask again once it is done.',
      ),
  })
  .meta({ id: 'Recovery', description: 'What was not delivered is under way.' });
