import * as z from 'zod';
import { FEED_DAYS } from '../webhooks/limits';
import { listEvents } from '../webhooks/service';
import { endpoint } from './endpoint';
import { limitSchema, numberCursorSchema } from './paging';
import { eventSchema } from './webhooks';
import { dataOf } from './wire/schemas';

export const eventEndpoints = [
  endpoint({
    id: 'listEvents',
    method: 'get',
    path: '/events',
    scope: 'events.read',
    tag: 'Events',
    summary: 'Pull events',
    description: `What the webhooks said in the last ${FEED_DAYS} days, oldest first. Keep next_cursor and come back with it: it never skips an event.`,
    query: z.object({
      limit: limitSchema,
      cursor: numberCursorSchema,
    }),
    answers: {
      200: {
        description: 'Up to `limit` events; fewer means that there are no more at present.',
        schema: dataOf(eventSchema).extend({
          next_cursor: z.string().meta({ description: 'Where to go on; the same again when there was nothing new.' }),
        }),
      },
    },
    errors: ['validation_failed'],
    handle: async (ctx, { query }) => {
      const { events, nextCursor } = await listEvents(ctx, { after: Number(query.cursor), limit: query.limit });
      return { body: { data: events, next_cursor: String(nextCursor) } };
    },
  }),
];
