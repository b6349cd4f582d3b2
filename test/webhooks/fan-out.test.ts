import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { commit } from '../../src/platform/commit';
import { newId } from '../../src/platform/ids';
import { EVENT_TYPES, EVENTS, type EventType, envelopeSchema, envelopeText } from '../../src/webhooks/event-types';
import { outboxEvent } from '../../src/webhooks/outbox';
import { faultyDatabase } from '../support/faults';
import { test as base, expect } from '../support/test';
import { announceEvent, deliveriesOf, newReceiverUrl, openSubscribed } from '../support/webhooks';
import { envelope, operate, rows, submit, subscribe, systemContext } from '../support/world';

const test = base.extend('subscribed', () => openSubscribed(['order_deleted']));

/** Contract 6.2, without the types that were added to what is agreed. */
const CONTRACT_TYPES = [
  'order_created',
  'order_updated',
  'order_status_updated',
  'order_marked_paid',
  'order_deleted',
  'order_request_submitted',
  'order_request_approved',
  'order_request_deleted',
  'prescription_approved',
  'paperless_signature_completed',
  'product_created',
  'product_updated',
  'product_deleted',
  'low_stock',
  'out_of_stock',
  'payment_link_created',
];

function orderDeleted(orgId: string) {
  return announceEvent({ type: 'order_deleted', orgId, metadata: { order_id: newId() } });
}

function eventsOf(orgId: string) {
  return rows<{ id: string; type: EventType; body: string }>('select * from events where org_id = ?', orgId);
}

test('an event reaches a subscription to its type at once', async ({ subscribed: { pharmacy, subscriptionId } }) => {
  const ids = await orderDeleted(pharmacy.orgId);
  expect(await deliveriesOf(pharmacy.orgId)).toMatchObject([
    {
      id: ids[0],
      subscription_id: subscriptionId,
      trigger: 'event',
      status: 'pending',
      attempt_count: 0,
      next_attempt_at: 0,
      lease_until: 0,
      finished_at: null,
    },
  ]);
});

test('an event of another type reaches no one', async () => {
  const { pharmacy } = await openSubscribed(['order_created', 'order_updated']);
  expect(await orderDeleted(pharmacy.orgId)).toEqual([]);
  expect(await eventsOf(pharmacy.orgId)).toHaveLength(1);
});

test('a type is matched whole, never as a part of another', async () => {
  const { pharmacy } = await openSubscribed(['order_request_deleted']);
  expect(await orderDeleted(pharmacy.orgId)).toEqual([]);
});

test("no event of one organization reaches another's subscription", async ({ subscribed: { pharmacy: mine } }) => {
  const { pharmacy: other } = await openSubscribed(['order_deleted']);
  await orderDeleted(mine.orgId);
  expect(await deliveriesOf(mine.orgId)).toHaveLength(1);
  expect(await deliveriesOf(other.orgId)).toEqual([]);
});

test('five subscriptions get five deliveries with ids of their own', async ({ pharmacy: { orgId } }) => {
  for (let count = 0; count < 5; count += 1) await subscribe(orgId, newReceiverUrl(), ['order_deleted']);
  const ids = await orderDeleted(orgId);
  const deliveries = await deliveriesOf(orgId);
  expect(new Set(ids).size).toBe(5);
  expect(deliveries.map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect(new Set(deliveries.map(({ subscription_id }) => subscription_id)).size).toBe(5);
  expect(new Set(deliveries.map(({ event_id }) => event_id)).size).toBe(1);
});

test('of five subscriptions only those that match get one', async ({ pharmacy: { orgId } }) => {
  const types: EventType[][] = [['order_deleted'], ['low_stock'], ['order_deleted', 'low_stock'], ['order_created']];
  for (const eventTypes of types) await subscribe(orgId, newReceiverUrl(), eventTypes);
  expect(await orderDeleted(orgId)).toHaveLength(2);
});

test('two subscriptions of the same URL are two', async ({ pharmacy: { orgId } }) => {
  const url = newReceiverUrl();
  await subscribe(orgId, url, ['order_deleted']);
  await subscribe(orgId, url, ['order_deleted']);
  expect(await orderDeleted(orgId)).toHaveLength(2);
});

test('a sixth subscription is refused, by whatever number of requests at once', async ({ pharmacy: { orgId } }) => {
  const attempts = await Promise.allSettled(
    Array.from({ length: 12 }, () => subscribe(orgId, newReceiverUrl(), ['order_deleted'])),
  );
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  const refused = attempts.filter((attempt) => attempt.status === 'rejected');
  for (const { reason } of refused) expect(String(reason)).toMatch(/409 .*subscription_limit_reached/);
});

test('a deleted subscription does not count towards the limit', async ({ pharmacy: { orgId } }) => {
  const made = [];
  for (let count = 0; count < 5; count += 1) made.push(await subscribe(orgId, newReceiverUrl(), ['order_deleted']));
  await rows('update subscriptions set deleted_at = 1 where id = ?', made[0]?.subscriptionId);
  await subscribe(orgId, newReceiverUrl(), ['order_deleted']);
  expect(await orderDeleted(orgId)).toHaveLength(5);
});

test.each(['paused', 'holding'])('for a %s subscription the delivery waits as held', async (status) => {
  const { pharmacy, subscriptionId } = await openSubscribed(['order_deleted']);
  await rows('update subscriptions set status = ? where id = ?', status, subscriptionId);
  await orderDeleted(pharmacy.orgId);
  expect(await deliveriesOf(pharmacy.orgId)).toMatchObject([{ status: 'held', attempt_count: 0 }]);
});

test('a disabled subscription gets no delivery', async ({ subscribed: { pharmacy, subscriptionId } }) => {
  await rows("update subscriptions set status = 'disabled' where id = ?", subscriptionId);
  expect(await orderDeleted(pharmacy.orgId)).toEqual([]);
  expect(await deliveriesOf(pharmacy.orgId)).toEqual([]);
});

test('a deleted subscription gets no delivery', async ({ subscribed: { pharmacy, subscriptionId } }) => {
  await rows('update subscriptions set deleted_at = 1 where id = ?', subscriptionId);
  expect(await orderDeleted(pharmacy.orgId)).toEqual([]);
});

test('an event whose condition fails is not written, nor is a delivery', async ({ subscribed: { pharmacy } }) => {
  const metadata = { order_id: newId() };
  const ids = await announceEvent({ type: 'order_deleted', orgId: pharmacy.orgId, metadata, onlyIf: sql`1 = 0` });
  expect(ids).toEqual([]);
  expect(await eventsOf(pharmacy.orgId)).toEqual([]);
  expect(await deliveriesOf(pharmacy.orgId)).toEqual([]);
});

test('a batch that is sent twice writes its event and its deliveries once', async ({ subscribed: { pharmacy } }) => {
  const { DB, sizes } = faultyDatabase({ batch: 1, how: 'is carried out and its answer lost, a transient error' });
  const { ctx } = systemContext({ env: { DB } });
  const metadata = { order_id: newId() };
  await commit(ctx, { event: outboxEvent(ctx, { type: 'order_deleted', orgId: pharmacy.orgId, metadata }) });
  expect(sizes).toHaveLength(2);
  expect(await eventsOf(pharmacy.orgId)).toHaveLength(1);
  expect(await deliveriesOf(pharmacy.orgId)).toHaveLength(1);
});

test('an integration that is switched off stores the event and sends it to nobody', async () => {
  const { pharmacy } = await openSubscribed(['order_request_submitted']);
  await rows('update api_keys set sends_submitted_events = 0 where org_id = ?', pharmacy.orgId);
  const response = await submit(pharmacy, envelope());
  expect(response.status).toBe(200);
  expect(await eventsOf(pharmacy.orgId)).toMatchObject([{ type: 'order_request_submitted' }]);
  expect(await deliveriesOf(pharmacy.orgId)).toEqual([]);
});

test('a submission writes one event with the keys of the contract, all of them strings', async () => {
  const { pharmacy } = await openSubscribed(['order_request_submitted']);
  const body = envelope();
  const { id } = await (await submit(pharmacy, body)).json<{ id: string }>();
  const [event] = await eventsOf(pharmacy.orgId);
  expect(envelopeSchema.parse(JSON.parse(event?.body ?? '')).metadata).toEqual({
    order_request_id: id,
    external_reference: body.external_reference,
    shop_id: pharmacy.shopId,
    source: 'telemed.example',
  });
});

test('without a reference, external_reference is an empty string', async () => {
  const { pharmacy } = await openSubscribed(['order_request_submitted']);
  await submit(pharmacy, envelope({}, { external_reference: undefined, source: undefined }));
  const [event] = await eventsOf(pharmacy.orgId);
  expect(JSON.parse(event?.body ?? '').metadata).toMatchObject({
    external_reference: '',
    source: `shop:${pharmacy.shopId}`,
  });
});

test('metadata that break the catalog are refused before anything is written', async () => {
  const { ctx } = systemContext();
  const orgId = newId();
  const wrong = (metadata: unknown) => () =>
    // SAFETY: wrong on purpose: the test passes a value that the types forbid.
    outboxEvent(ctx, { type: 'order_deleted', orgId, metadata: metadata as { order_id: string } });
  expect(wrong({})).toThrow();
  expect(wrong({ order_id: 7 })).toThrow();
  expect(wrong({ order_id: '' })).toThrow();
  expect(wrong({ order_id: newId(), customer_name: 'Erika Mustermann' })).toThrow();
  expect(ctx.db.meter.roundTrips).toBe(0);
});

test('the catalog holds the 16 types of the contract, order_request_rejected and what is chosen by name, no more', () => {
  const chosenByName = EVENT_TYPES.filter((type) => EVENTS[type].isOptIn);
  expect(chosenByName.toSorted()).toEqual(['order_request_needs_info', 'products_updated']);
  expect([...EVENT_TYPES].sort()).toEqual([...CONTRACT_TYPES, 'order_request_rejected', ...chosenByName].sort());
});

test.each(EVENT_TYPES)('%s: its example fits its schema, and the envelope fits the contract', (type) => {
  const { metadata, example, title, description } = EVENTS[type];
  expect(metadata.parse(example)).toEqual(example);
  const createdAt = Date.parse('2026-11-20T09:30:00Z');
  const body = JSON.parse(envelopeText(type, { id: newId(), orgId: newId(), createdAt, metadata: example as never }));
  expect(envelopeSchema.parse(body)).toMatchObject({ event_type: type, title, description, metadata: example });
  expect(body.created_at).toBe('2026-11-20T09:30:00.000Z');
});

test.each(EVENT_TYPES)('%s: its metadata take no key beside those of the catalog', (type) => {
  const { metadata, example } = EVENTS[type];
  expect(metadata.safeParse({ ...example, customer_email: 'erika@example.com' }).success).toBe(false);
});

test('the two types whose metadata the contract shows have its keys, as strings', () => {
  const submitted = Object.entries(EVENTS.order_request_submitted.example);
  expect(submitted.map(([key]) => key)).toEqual(['order_request_id', 'external_reference', 'shop_id', 'source']);
  const changed = Object.entries(EVENTS.order_status_updated.example);
  expect(changed.map(([key]) => key)).toEqual(['order_id', 'old_status', 'new_status']);
  for (const [, value] of [...submitted, ...changed]) expect(value).toBeTypeOf('string');
  expect(
    EVENTS.order_request_submitted.metadata.safeParse({ ...EVENTS.order_request_submitted.example, source: null }),
  ).toMatchObject({ success: false });
});

test('a subscription to a type that does not exist, or to none, is refused', async ({ pharmacy: { orgId } }) => {
  const url = newReceiverUrl();
  const path = `/organizations/${orgId}/subscriptions`;
  await expect(operate(path, { url, event_types: ['order_exploded'] })).rejects.toThrow(/ 400 /);
  await expect(operate(path, { url, event_types: [] })).rejects.toThrow(/ 400 /);
});

test('a type that is named twice counts once', async ({ pharmacy: { orgId } }) => {
  await subscribe(orgId, newReceiverUrl(), ['order_deleted', 'order_deleted']);
  expect(await orderDeleted(orgId)).toHaveLength(1);
  const stored = await env.DB.prepare('select event_types from subscriptions where org_id = ?').bind(orgId).first();
  expect(stored).toEqual({ event_types: '["order_deleted"]' });
});
