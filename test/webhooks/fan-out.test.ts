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

test('of several subscriptions those that match get a delivery each', async ({ pharmacy: { orgId } }) => {
  const types: EventType[][] = [
    ['order_deleted', 'order_deleted'],
    ['low_stock'],
    ['order_deleted', 'low_stock'],
    ['order_created'],
  ];
  for (const eventTypes of types) await subscribe(orgId, newReceiverUrl(), eventTypes);
  const ids = await orderDeleted(orgId);
  const deliveries = await deliveriesOf(orgId);
  expect(deliveries.map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect(new Set(deliveries.map(({ subscription_id }) => subscription_id)).size).toBe(2);
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

test('a subscription to a type that does not exist, or to none, is refused', async ({ pharmacy: { orgId } }) => {
  const url = newReceiverUrl();
  const path = `/organizations/${orgId}/subscriptions`;
  await expect(operate(path, { url, event_types: ['order_exploded'] })).rejects.toThrow(/ 400 /);
  await expect(operate(path, { url, event_types: [] })).rejects.toThrow(/ 400 /);
});
