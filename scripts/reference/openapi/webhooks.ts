import * as z from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { once } from '../../../src/platform/isolate-cache';
import { EVENT_TYPES, EVENTS, type EventType, envelopeSchema } from '../../../src/webhooks/event-types';

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
