import * as z from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { EVENTS, type EventType, envelopeSchema } from '../webhooks/service';

/** What a subscriber's address gets for one event type. */
export function webhookOperation(type: EventType): ZodOpenApiOperationObject {
  const { title, description, metadata, example, group } = EVENTS[type];
  return {
    operationId: `on_${type}`,
    tags: [group],
    summary: title,
    description: `${description} Signed by X-Service-Signature (\`sha256=\` and the hex HMAC-SHA-256 of the body, keyed with the whole secret) and by the Standard Webhooks headers.`,
    security: [],
    requestParams: {
      header: z.object({
        'X-Service-Event': z.literal(type),
        'X-Service-Delivery-Id': z.uuid(),
        'X-Service-Signature': z
          .string()
          .meta({ example: 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' }),
        'X-Service-Attempt': z.string(),
        'webhook-id': z.uuid(),
        'webhook-timestamp': z.string(),
        'webhook-signature': z.string(),
      }),
    },
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: envelopeSchema.extend({
            event_type: z.literal(type),
            metadata: metadata as z.ZodType<Record<string, unknown>>,
          }),
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
    responses: {
      '2XX': {
        description: 'Received. Anything else is tried again, three times in all; 410 pauses the subscription.',
      },
    } as ZodOpenApiResponsesObject,
  };
}
