import * as z from 'zod';
import { FEED_DAYS } from '../webhooks/limits';
import { listEvents } from '../webhooks/service';
import { eventCursor, eventCursorSchema } from '../wire/cursors';
import { dataOf } from '../wire/schemas';
import { endpointsOf } from './endpoint';
import { limitSchema } from './paging';
import { eventSchema, eventTypesSchema } from './webhooks';

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
    // Only the document reads it, and all events together take a while to describe.
    get answers() {
      return {
        200: {
          description:
            'Up to `limit` events. There are no more at present when `next_cursor` is the cursor that was sent; a page may have fewer events than `limit`, or none, and yet go on.',
          schema: dataOf(eventSchema()).extend({
            next_cursor: z.string().meta({ description: 'Where to go on; the same again when there was nothing new.' }),
          }),
        },
      };
    },
    handle: async (ctx, { query }) => {
      const { cursor, limit, event_type: types } = query;
      const { events, nextCursor } = await listEvents(ctx, { after: cursor ?? 0, limit, types });
      return { body: { data: events, next_cursor: eventCursor(nextCursor) } };
    },
  }),
];
