import * as z from 'zod';
import {
  DELIVERY_STATUSES,
  listAllDeliveries,
  listDeliveries,
  readHealth,
  recover,
  redeliver,
} from '../webhooks/service';
import { dataOf, idSchema, pageOf } from '../wire/schemas';
import { deliverySchema, enqueuedSchema, subscriptionSchema, wireDelivery, wireSubscription } from '../wire/webhooks';
import { endpoint } from './endpoint';
import { idCursorSchema, limitSchema, severalOf } from './paging';

/** A moment, in any time zone. */
const momentSchema = z.iso.datetime({ offset: true });
const tag = 'Webhooks';

/** Subscriptions are created, changed and resumed, and their secrets shown, in the management interface alone. */
export const subscriptionEndpoints = [
  endpoint({
    id: 'listSubscriptions',
    method: 'get',
    path: '/webhooks/subscriptions',
    scope: 'webhooks.read',
    tag,
    summary: 'List webhook subscriptions',
    description: 'With their health. Owners create, change and resume them in the management interface.',
    answers: { 200: { description: 'All of them.', schema: dataOf(subscriptionSchema) } },
    errors: [],
    handle: async (ctx) => ({ body: { data: (await readHealth(ctx)).map(wireSubscription) } }),
  }),
  endpoint({
    id: 'listDeliveries',
    method: 'get',
    path: '/webhooks/deliveries',
    scope: 'webhooks.read',
    tag,
    summary: 'List webhook deliveries',
    description: 'Newest first. With a `status` other than `exhausted` and `held`, a page may hold fewer than `limit`.',
    query: z.object({
      subscription_id: idSchema.optional().meta({ description: 'Only deliveries to this subscription.' }),
      status: severalOf(DELIVERY_STATUSES, 'exhausted,held').optional(),
      since: momentSchema.optional().meta({ description: 'Only deliveries made since then.' }),
      limit: limitSchema,
      cursor: idCursorSchema,
    }),
    answers: { 200: { description: 'One page; next_cursor is null at the end.', schema: pageOf(deliverySchema) } },
    errors: ['subscription_not_found'],
    handle: async (ctx, { query: { subscription_id, status, since, limit, cursor } }) => {
      const page = {
        filter: {
          status: 'all' as const,
          statuses: status,
          since: since === undefined ? undefined : Date.parse(since),
        },
        before: cursor,
        limit,
      };
      const { deliveries, nextBefore } =
        subscription_id === undefined
          ? await listAllDeliveries(ctx, page)
          : await listDeliveries(ctx, { ...page, subscriptionId: subscription_id });
      return { body: { data: deliveries.map(wireDelivery), next_cursor: nextBefore ?? null } };
    },
  }),
  endpoint({
    id: 'redeliver',
    method: 'post',
    path: '/webhooks/deliveries/:id/redeliver',
    scope: 'webhooks.write',
    tag,
    summary: 'Deliver an event again',
    description: 'The same body under a new delivery id, also if it was delivered before.',
    params: z.object({ id: idSchema.meta({ description: 'Delivery id.' }) }),
    answers: { 202: { description: 'Under way.', schema: enqueuedSchema } },
    errors: ['delivery_not_found', 'not_redeliverable'],
    handle: async (ctx, { params: { id } }) => {
      await redeliver(ctx, id);
      return { status: 202, body: { enqueued: 1 } };
    },
  }),
  endpoint({
    id: 'recover',
    method: 'post',
    path: '/webhooks/subscriptions/:id/recover',
    scope: 'webhooks.write',
    tag,
    summary: 'Deliver what was not delivered',
    description:
      'Sends every event since a time, or between two, that was not delivered, the oldest first: what failed, then what happened while the subscription was disabled. Safe to repeat: what was delivered or is on its way is not sent again.',
    params: z.object({ id: idSchema.meta({ description: 'Subscription id.' }) }),
    body: z
      .strictObject({
        since: momentSchema.meta({ description: 'ISO 8601.', example: '2026-11-20T09:30:00Z' }),
        until: momentSchema.optional().meta({ description: 'Events up to then; without it, up to now.' }),
      })
      .refine(({ since, until }) => until === undefined || Date.parse(until) >= Date.parse(since), {
        path: ['until'],
        message: '`until` is before `since`.',
      }),
    answers: { 202: { description: 'Under way; 0 when nothing was missing.', schema: enqueuedSchema } },
    errors: ['subscription_not_found', 'not_redeliverable'],
    handle: async (ctx, { params: { id }, body }) => {
      const until = body.until === undefined ? undefined : Date.parse(body.until);
      const { count } = await recover(ctx, { subscriptionId: id, since: Date.parse(body.since), until });
      return { status: 202, body: { enqueued: count } };
    },
  }),
];
