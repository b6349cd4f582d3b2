import * as z from 'zod';
import { storedId } from '../platform/ids';
import { once } from '../platform/isolate-cache';
import { EVENT_TYPES, envelopeSchema } from '../webhooks/event-types';
import { listEvents } from '../webhooks/events/feed';
import { FEED_DAYS } from '../webhooks/limits';
import { listDeliveries, readHealth, readTestDelivery, redeliver } from '../webhooks/log/log';
import { sendTestEvent } from '../webhooks/posting/test-event';
import { countUndelivered, recover } from '../webhooks/recovery/recover';
import { DELIVERY_STATUSES } from '../webhooks/tables';
import { eventCursor, eventCursorSchema, idCursor, idCursorSchema } from '../wire/cursors';
import { dataOf, idSchema, momentSchema, pageOfData } from '../wire/schemas';
import {
  deliverySchema,
  enqueuedSchema,
  recoveredSchema,
  subscriptionSchema,
  wireDelivery,
  wireSubscription,
} from '../wire/webhooks';
import { endpointsOf } from './endpoint/endpoint';
import { limitSchema, pageAnswer, severalOf } from './endpoint/paging';

/** The query parameter that filters by event types. */
const eventTypesSchema = severalOf(EVENT_TYPES, 'order_created,order_updated')
  .optional()
  .meta({ description: 'Several by comma.', param: { id: 'event_type' } });

const subscriptionApi = endpointsOf({ tag: 'Webhooks', scopes: 'webhooks', id: 'Subscription id.' });
const deliveryApi = endpointsOf({ tag: 'Webhooks', scopes: 'webhooks', id: 'Delivery id.' });

/**
 * The endpoints of webhook subscriptions. No endpoint creates, changes or resumes a subscription, or shows its secret.
 * Only the management interface has these steps.
 */
export const subscriptionEndpoints = [
  subscriptionApi.get('/webhooks/subscriptions', {
    id: 'listSubscriptions',
    summary: 'List webhook subscriptions',
    description:
      'Including delivery statistics. Owners create, change and resume them in the management interface. Callbacks of integrations are not among them: those belong to the platform whose key it is.',
    answers: { 200: { description: 'All of them.', schema: dataOf(subscriptionSchema) } },
    handle: async (ctx) => ({ body: { data: (await readHealth(ctx)).map(wireSubscription) } }),
  }),
  deliveryApi.get('/webhooks/deliveries', {
    id: 'listDeliveries',
    summary: 'List webhook deliveries',
    description: 'Newest first. With some filters a page may be short. Continue until `next_cursor` is null.',
    query: z.object({
      subscription_id: idSchema.optional().describe('Only deliveries to this subscription.'),
      status: severalOf(DELIVERY_STATUSES, 'exhausted,held').optional(),
      event_type: eventTypesSchema,
      event_id: z.uuid().overwrite(storedId).optional().describe('Only deliveries of this event, as in `webhook-id`.'),
      since: momentSchema.optional().describe('Only deliveries made since then.'),
      limit: limitSchema,
      cursor: idCursorSchema,
    }),
    answers: pageAnswer(deliverySchema),
    errors: ['subscription_not_found'],
    handle: async (ctx, { query: { subscription_id: subscriptionId, cursor: before, limit, ...query } }) => {
      const { status: statuses, event_type: eventTypes, event_id: eventId, since } = query;
      const filter = { status: 'all' as const, statuses, eventTypes, eventId, since };
      const { deliveries, nextBefore } = await listDeliveries(ctx, { subscriptionId, filter, before, limit });
      return { body: pageOfData(deliveries.map(wireDelivery), idCursor(nextBefore ?? null)) };
    },
  }),
  deliveryApi.post('/webhooks/deliveries/:id/redeliver', {
    id: 'redeliver',
    summary: 'Deliver an event again',
    description:
      'The same body under a new delivery id, also if it was delivered before. A held delivery whose receiver fails is tried at once, under its own id.',
    answers: { 202: { description: 'Under way.', schema: enqueuedSchema } },
    errors: ['delivery_not_found', 'not_redeliverable'],
    handle: async (ctx, { params: { id } }) => {
      await redeliver(ctx, id);
      return { status: 202, body: { enqueued: 1 } };
    },
    again: async () => ({ status: 202, body: { enqueued: 1 } }),
  }),
  subscriptionApi.post('/webhooks/subscriptions/:id/recover', {
    id: 'recover',
    summary: 'Deliver what was not delivered',
    description:
      'Sends every event since a time, or between two, that was not delivered, the oldest first: what failed, then what happened while the subscription was disabled. Safe to repeat: what was delivered or is on its way is not sent again.',
    body: z
      .strictObject({
        since: momentSchema.meta({ description: 'ISO 8601.', example: '2026-11-20T09:30:00Z' }),
        until: momentSchema.optional().describe('Events up to then; without it, up to now.'),
      })
      .refine(({ since, until }) => until === undefined || until >= since, {
        path: ['until'],
        message: '`until` is before `since`.',
      }),
    answers: { 202: { description: 'Under way; 0 when nothing was missing.', schema: recoveredSchema } },
    errors: ['subscription_not_found', 'not_redeliverable'],
    handle: async (ctx, { params: { id }, body }) => {
      const { count, isRunning } = await recover(ctx, { subscriptionId: id, ...body });
      return { status: 202, body: { enqueued: count, running: isRunning } };
    },
    again: async (ctx, { params: { id }, body }) => {
      const { count, subscription } = await countUndelivered(ctx, { subscriptionId: id, ...body });
      return { status: 202, body: { enqueued: count, running: subscription.isRecovering === 1 } };
    },
  }),
  subscriptionApi.post('/webhooks/subscriptions/:id/test', {
    id: 'testSubscription',
    summary: 'Send a test event',
    description:
      'Posts one signed event with example data to this subscription alone, whatever its status, event types and filters are, and waits for the response. It says `X-Service-Test: true` and `X-Service-Sequence: 0`, is tried once, is in no feed and does not count for health.',
    body: z.strictObject({
      event_type: z
        .enum(EVENT_TYPES)
        .optional()
        .meta({ description: 'Any type; without it, the first one of the subscription.', example: 'order_created' }),
    }),
    answers: {
      200: {
        description: 'Sent: `succeeded` or `exhausted`, with what the receiver answered.',
        schema: deliverySchema,
      },
    },
    errors: ['subscription_not_found', 'too_many_tests'],
    handle: async (ctx, { params: { id }, body }) => {
      const sent = await sendTestEvent(ctx, { subscriptionId: id, eventType: body.event_type });
      return { body: wireDelivery(sent) };
    },
    again: async (ctx, { params: { id }, about: eventId }) => ({
      body: wireDelivery(await readTestDelivery(ctx, { subscriptionId: id, eventId })),
    }),
  }),
];

const api = endpointsOf({ tag: 'Events', scopes: 'events' });

export const eventEndpoints = [
  api.get('/events', {
    id: 'listEvents',
    summary: 'Pull events',
    description: `The events of the last ${FEED_DAYS} days, as sent by webhooks, oldest first. Store next_cursor and send it with the next call, so that no event is missed. Their order is that of \`X-Service-Sequence\` on webhooks.`,
    query: z.object({
      limit: limitSchema,
      cursor: eventCursorSchema,
      event_type: eventTypesSchema,
    }),
    // A getter, because only the document reads it and describing all events takes a while.
    get answers() {
      return {
        200: {
          description:
            'Up to `limit` events. A page may have fewer events than `limit`, or none, although `has_more` is true.',
          schema: dataOf(eventSchema()).extend({
            next_cursor: z.string().describe('Where to go on; the same again when there was nothing new.'),
            has_more: z.boolean().describe('Whether there are more events at present.'),
          }),
        },
      };
    },
    handle: async (ctx, { query }) => {
      const { cursor, limit, event_type: types } = query;
      const { events, nextCursor, hasMore } = await listEvents(ctx, { after: cursor ?? 0, limit, types });
      return { body: { data: events, next_cursor: eventCursor(nextCursor), has_more: hasMore } };
    },
  }),
];

/** Returns the schema of any event, including future types of events. */
const eventSchema = once(() =>
  envelopeSchema.meta({
    id: 'Event',
    description:
      'Something that happened. `event_type` says which keys `metadata` has: `/docs/schemas/{event_type}.json`. Types are added: skip those that you do not know.',
  }),
);
