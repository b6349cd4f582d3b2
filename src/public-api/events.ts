import * as z from 'zod';
import { FEED_DAYS } from '../webhooks/limits';
import { listEvents } from '../webhooks/service';
import { eventCursor, eventCursorSchema } from '../wire/cursors';
import { dataOf } from '../wire/schemas';
import { endpointsOf } from './endpoint';
import { limitSchema } from './paging';
import { eventSchema } from './webhooks';

const api = endpointsOf({ tag: 'Events', scopes: 'events' });

export const eventEndpoints = [
  api.get('/events', {
    id: 'listEvents',
    summary: 'Pull events',
    description: `The events of the last ${FEED_DAYS} days, as sent by webhooks, oldest first. Store next_cursor and send it with the next call, so that no event is missed.`,
    query: z.object({
      limit: limitSchema,
      cursor: eventCursorSchema,
    }),
    // Only the document reads it, and all events together take a while to describe.
    get answers() {
      return {
        200: {
          description: 'Up to `limit` events; fewer means that there are no more at present.',
          schema: dataOf(eventSchema()).extend({
            next_cursor: z.string().meta({ description: 'Where to go on; the same again when there was nothing new.' }),
          }),
        },
      };
    },
    handle: async (ctx, { query }) => {
      const { events, nextCursor } = await listEvents(ctx, { after: query.cursor ?? 0, limit: query.limit });
      return { body: { data: events, next_cursor: eventCursor(nextCursor) } };
    },
  }),
];
