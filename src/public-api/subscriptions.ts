import * as z from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { storedId } from '../platform/ids';
import { once } from '../platform/isolate-cache';
import { EVENT_TYPES, EVENTS, type EventType, envelopeSchema } from '../webhooks/event-types';
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

/** Query parameter that filters by event types. */
const eventTypesSchema = severalOf(EVENT_TYPES, 'order_created,order_updated')
  .optional()
  .meta({ description: 'Several by comma.', param: { id: 'event_type' } });

const subscriptionApi = endpointsOf({ tag: 'Webhooks', scopes: 'webhooks', id: 'Subscription id.' });
const deliveryApi = endpointsOf({ tag: 'Webhooks', scopes: 'webhooks', id: 'Delivery id.' });

/** Only the management interface creates, changes, and resumes subscriptions and shows their secrets. */
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

/** The schema of an event type: envelope and metadata, for the event feed and for webhooks. */
function schemaOf(type: EventType) {
  const { metadata, description } = EVENTS[type];
  return envelopeSchema
    .extend({
      event_type: z.literal(type).describe('What happened.'),
      metadata: (metadata as z.ZodType<Record<string, unknown>>).describe('Keys of this event type.'),
    })
    .meta({ id: eventSchemaName(type), description });
}

/** `order_created` → `OrderCreatedEvent`. */
export function eventSchemaName(type: string): string {
  return `${type.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;
}

type EventSchema = ReturnType<typeof schemaOf>;

// SAFETY: one for each type.
const schemas = once(
  () => Object.fromEntries(EVENT_TYPES.map((type) => [type, schemaOf(type)])) as Record<EventType, EventSchema>,
);

/** The schema of any event, including future types. */
const eventSchema = once(() =>
  envelopeSchema.meta({
    id: 'Event',
    description:
      'Something that happened. `event_type` says which keys `metadata` has: `/docs/schemas/{event_type}.json`. Types are added: skip those that you do not know.',
  }),
);

/** Headers of every webhook request, except the event type. The components have each once. */
const HEADERS = {
  'X-Service-Delivery-Id': z
    .uuid()
    .describe('Id of the delivery: the same for all of its attempts, a new one when the event is redelivered.'),
  'X-Service-Signature': z.string().meta({
    description: '`sha256=` and the hex HMAC-SHA-256 of the body, keyed with the whole secret.',
    example: 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  }),
  'X-Service-Attempt': z.enum(['1', '2', '3']).describe('1, 2 or 3.'),
  'X-Service-Sequence': z.string().regex(/^\d+$/).meta({
    description:
      'A decimal number that rises in the order of the event feed, with gaps: of two events about one thing, the one with the higher number is the later one, whichever arrives first. 0 on a test event. It is no cursor.',
    example: '4711',
  }),
  'X-Service-Test': z
    .literal('true')
    .optional()
    .describe('`true` on a test event from the settings, whose ids are examples; otherwise absent.'),
  'webhook-id': z.uuid().describe("The event's id, as in the body: what to recognize a repetition by."),
  'webhook-timestamp': z.string().meta({
    description: 'When this attempt was made, in seconds since 1970.',
    example: '1795253400',
  }),
  'webhook-signature': z
    .string()
    .describe(
      '`v1,` and the base64 HMAC of id, timestamp and body (Standard Webhooks); two of them while a secret is rotated.',
    ),
};

const sharedHeaders = once(() =>
  Object.fromEntries(
    Object.entries(HEADERS).map(([name, schema]) => [
      name,
      schema.meta({
        ...schema.meta(),
        param: { id: name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()) },
      }),
    ]),
  ),
);

/** The receiver's response, as a component. */
export const EVENT_RECEIVED = {
  EventReceived: {
    description:
      'Received. For any other response the event is sent again, at most three attempts in all; 410 pauses the subscription.',
  },
};

/** The request that a subscriber receives for one event type. */
export function webhookOperation(type: EventType): ZodOpenApiOperationObject {
  const { title, description, example, group } = EVENTS[type];
  return {
    operationId: `on_${type}`,
    tags: [group],
    summary: title,
    description,
    security: [],
    requestParams: {
      header: z.object({
        'X-Service-Event': z.literal(type).describe('The event type, as in the body.'),
        ...sharedHeaders(),
      }),
    },
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: schemas()[type],
          example: {
            id: '019aa0d1-2222-7c0d-8e0f-101112131415',
            org_id: '019aa0af-0c11-7d1e-8a2b-5c6d7e8f9a0b',
            event_type: type,
            title,
            description,
            metadata: example,
            created_at: '2026-11-20T09:30:00.000Z',
          },
        },
      },
    },
    responses: { '2XX': { $ref: '#/components/responses/EventReceived' } } as ZodOpenApiResponsesObject,
  };
}
