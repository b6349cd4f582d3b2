import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Context } from '../../src/platform/context';
import { sendTestEvent } from '../../src/webhooks/posting/test-event';
import { createSubscription, updateSubscription } from '../../src/webhooks/subscriptions/settings';
import { getSubscription } from '../../src/webhooks/subscriptions/subscriptions';
import { ask, freshHost } from '../support/operator';
import { outsideAnswers } from '../support/outbound';
import { ONE_DATABASE } from '../support/world';
import { asOwner, DB_1, openOn, type Tenant } from './shards';

const PAIRS = [
  [0, 1],
  [1, 0],
  [1, 1],
] as const;
const eventTypes = ['order_created' as const];
const OWN_HOST = { details: { errors: [{ pointer: '/url', code: 'own_host' }] } };

async function addHost({ orgId, shopId }: Tenant, host: string): Promise<void> {
  expect((await ask(`/organizations/${orgId}/shops/${shopId}/hosts`, { host })).status).toBe(201);
}

async function subscribe(ctx: Context, { orgId }: Tenant, host: string): Promise<string> {
  return (await createSubscription(ctx, { orgId, eventTypes, url: `https://${host}/in` })).subscriptionId;
}

test.each(PAIRS)('a shop’s host on database %i is refused as an address on database %i', async (...shards) => {
  const [one, other] = [await openOn(shards[0]), await openOn(shards[1])];
  const host = freshHost();
  await addHost(one, host);
  const ctx = await asOwner(other);

  await expect(subscribe(ctx, other, host)).rejects.toMatchObject(OWN_HOST);
  const id = await subscribe(ctx, other, freshHost());
  const { updatedAt: seenAt } = await getSubscription(ctx, id);
  const changed = updateSubscription(ctx, { id, seenAt, eventTypes, url: `https://${host}/in` });
  await expect(changed).rejects.toMatchObject(OWN_HOST);
});

test.each(PAIRS)('an address that became a shop’s on database %i is not tried on database %i', async (...shards) => {
  const [one, other] = [await openOn(shards[0]), await openOn(shards[1])];
  const host = freshHost();
  const ctx = await asOwner(other);
  const subscriptionId = await subscribe(ctx, other, host);
  await addHost(one, host);
  const posts = outsideAnswers();

  const { id: deliveryId } = await sendTestEvent(ctx, { subscriptionId, eventType: 'order_created' });

  expect(posts).toEqual([]);
  const query = 'select failure_class from delivery_attempts where delivery_id = ?';
  const attempt = await (shards[1] === 0 ? env.DB : DB_1).prepare(query).bind(deliveryId).first();
  expect(attempt).toEqual({ failure_class: 'blocked' });
});

test('with one database its own hosts say so, and nothing more is asked', async () => {
  const tenant = await openOn(0);
  const host = freshHost();
  const ctx = await asOwner(tenant, { env: ONE_DATABASE });
  const subscriptionId = await subscribe(ctx, tenant, host);
  expect(ctx.db.meter.roundTrips).toBe(1);
  await addHost(tenant, host);
  await expect(subscribe(ctx, tenant, host)).rejects.toMatchObject(OWN_HOST);
  const posts = outsideAnswers();
  await sendTestEvent(ctx, { subscriptionId, eventType: 'order_created' });
  expect(posts).toEqual([]);
});
