import * as z from 'zod';
import {
  countUndelivered,
  DELIVERY_STATUSES,
  listAllDeliveries,
  listDeliveries,
  readHealth,
  recover,
  redeliver,
} from '../webhooks/service';
import { dataOf, idSchema, momentSchema } from '../wire/schemas';
import { deliverySchema, enqueuedSchema, subscriptionSchema, wireDelivery, wireSubscription } from '../wire/webhooks';
import { endpointsOf } from './endpoint';
import { idCursorSchema, limitSchema, pageAnswer, severalOf } from './paging';

const subscriptionApi = endpointsOf({ tag: 'Webhooks', scopes: 'webhooks', id: 'Subscription id.' });
const deliveryApi = endpointsOf({ tag: 'Webhooks', scopes: 'webhooks', id: 'Delivery id.' });

/** Subscriptions are created, changed and resumed, and their secrets shown, in the management interface alone. */
export const subscriptionEndpoints = [
  subscriptionApi.get('/webhooks/subscriptions', {
    id: 'listSubscriptions',
    summary: 'List webhook subscriptions',
    description: 'With their health. Owners create, change and resume them in the management interface.',
    answers: { 200: { description: 'All of them.', schema: dataOf(subscriptionSchema) } },
    handle: async (ctx) => ({ body: { data: (await readHealth(ctx)).map(wireSubscription) } }),
  }),
  deliveryApi.get('/webhooks/deliveries', {
    id: 'listDeliveries',
    summary: 'List webhook deliveries',
    description: 'Newest first. With a `status` other than `exhausted` and `held`, a page may hold fewer than `limit`.',
    query: z.object({
      subscription_id: idSchema.optional().meta({ description: 'Only deliveries to this subscription.' }),
      status: severalOf(DELIVERY_STATUSES, 'exhausted,held').optional(),
      since: momentSchema.optional().meta({ description: 'Only deliveries made since then.' }),
      limit: limitSchema,
      cursor: idCursorSchema,
    }),
    answers: pageAnswer(deliverySchema),
    errors: ['subscription_not_found'],
    handle: async (ctx, { query: { subscription_id, status, since, limit, cursor } }) => {
      const page = { filter: { status: 'all' as const, statuses: status, since }, before: cursor, limit };
      const { deliveries, nextBefore } =
        subscription_id === undefined
          ? await listAllDeliveries(ctx, page)
          : await listDeliveries(ctx, { ...page, subscriptionId: subscription_id });
      return { body: { data: deliveries.map(wireDelivery), next_cursor: nextBefore ?? null } };
    },
  }),
  deliveryApi.post('/webhooks/deliveries/:id/redeliver', {
    id: 'redeliver',
    summary: 'Deliver an event again',
    description: 'The same body under a new delivery id, also if it was delivered before.',
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
        until: momentSchema.optional().meta({ description: 'Events up to then; without it, up to now.' }),
      })
      .refine(({ since, until }) => until === undefined || until >= since, {
        path: ['until'],
        message: '`until` is before `since`.',
      }),
    answers: { 202: { description: 'Under way; 0 when nothing was missing.', schema: enqueuedSchema } },
    errors: ['subscription_not_found', 'not_redeliverable'],
    handle: async (ctx, { params: { id }, body }) => {
      const { count } = await recover(ctx, { subscriptionId: id, ...body });
      return { status: 202, body: { enqueued: count } };
    },
    again: async (ctx, { params: { id }, body }) => {
      const { count } = await countUndelivered(ctx, { subscriptionId: id, ...body });
      return { status: 202, body: { enqueued: count } };
    },
  }),
];
