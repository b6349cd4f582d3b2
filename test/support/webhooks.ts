import { expect } from 'vitest';
import { commit } from '../../src/platform/commit';
import { newId } from '../../src/platform/ids';
import type { EventType, Metadata } from '../../src/webhooks/event-types';
import { type NewEvent, outboxEvent } from '../../src/webhooks/outbox';
import { consumeDeliveries, sweepDeliveries } from '../../src/webhooks/sweep';
import { rowOf } from './rows';
import {
  envelope,
  everywhere,
  openPharmacy,
  type Pharmacy,
  type RungFor,
  rows,
  submit,
  subscribe,
  systemContext,
} from './world';

/** The schedule that production runs with; the local one is quicker. */
export const PRODUCTION_SCHEDULE = { RETRY_SCHEDULE_SECONDS: '0,60,900' };

export interface DeliveryRow {
  id: string;
  event_id: string;
  subscription_id: string;
  trigger: string;
  status: string;
  attempt_count: number;
  next_attempt_at: number;
  lease_until: number;
  finished_at: number | null;
}

export interface AttemptRow {
  attempt: number;
  trigger: string;
  started_at: number;
  duration_ms: number;
  http_status: number | null;
  failure_class: string | null;
  answer_excerpt: string | null;
}

export interface Subscribed {
  pharmacy: Pharmacy;
  url: string;
  subscriptionId: string;
  signingSecret: string;
}

/** A pharmacy of its own with one subscription, on a host that no other test uses. */
export async function openSubscribed(eventTypes?: EventType[]): Promise<Subscribed> {
  const pharmacy = await openPharmacy();
  const url = newReceiverUrl();
  return { pharmacy, url, ...(await subscribe(pharmacy.orgId, url, eventTypes)) };
}

export function newReceiverUrl(): string {
  return `https://hooks-${newId()}.example.com/in`;
}

/** The same, with one order request submitted, whose delivery waits. */
export async function openDelivery(): Promise<Subscribed & { deliveryId: string; eventId: string }> {
  const subscribed = await openSubscribed();
  const delivery = await submitForDelivery(subscribed);
  return { ...subscribed, deliveryId: delivery.id, eventId: delivery.event_id };
}

/** Submits one more order request. @returns the newest delivery that came of it */
export async function submitForDelivery({ pharmacy, subscriptionId }: Subscribed): Promise<DeliveryRow> {
  const response = await submit(pharmacy, envelope());
  if (!response.ok) throw new Error(await response.text());
  const [newest] = await everywhere<DeliveryRow>(
    'select * from deliveries where subscription_id = ? order by id desc limit 1',
    subscriptionId,
  );
  if (!newest) throw new Error('nothing was fanned out');
  return newest;
}

/** Writes one event and its deliveries as a use case does. @returns the ids of the deliveries */
export async function announceEvent<T extends EventType>(
  event: { type: T; orgId: string; metadata: Metadata<T> } & Partial<NewEvent<T>>,
  now = Date.now(),
): Promise<string[]> {
  const { ctx, settled } = systemContext({ now: () => now });
  const known = await deliveriesOf(event.orgId);
  await commit(ctx, { event: outboxEvent(ctx, event) });
  await settled();
  return (await deliveriesOf(event.orgId)).slice(known.length).map(({ id }) => id);
}

/** One message for each id, in one batch, at one moment. @returns the messages that followed */
export async function deliver(
  ids: readonly string[],
  options: Parameters<typeof systemContext>[0] = {},
): Promise<RungFor[]> {
  const { ctx, deliveriesEnqueued } = systemContext(options);
  await consumeDeliveries(ctx, ids);
  return deliveriesEnqueued;
}

export async function deliveryRow(id: string): Promise<DeliveryRow> {
  const [row] = await everywhere<DeliveryRow>('select * from deliveries where id = ?', id);
  if (!row) throw new Error('no such delivery');
  return row;
}

export function deliveriesOf(orgId: string): Promise<DeliveryRow[]> {
  return everywhere<DeliveryRow>('select * from deliveries where org_id = ? order by id', orgId);
}

export function attemptsOf(deliveryId: string): Promise<AttemptRow[]> {
  return everywhere<AttemptRow>('select * from delivery_attempts where delivery_id = ? order by attempt', deliveryId);
}

/** What one test leaves behind must not be what another's sweep finds. */
export async function leaveNothing(): Promise<void> {
  await rows("update deliveries set status = 'cancelled' where status in ('pending', 'held', 'delivering')");
  await rows('update subscriptions set deleted_at = 1, is_settling = 0 where deleted_at is null');
}

/** One run of the sweep at a moment. @returns the messages that it enqueued */
export async function sweepAt(now: number, env: Partial<Env> = {}): Promise<RungFor[]> {
  const options = { now: () => now, env: { ...PRODUCTION_SCHEDULE, ...env } };
  const { ctx, deliveriesEnqueued, settled } = systemContext(options);
  await sweepDeliveries(ctx);
  await settled();
  return deliveriesEnqueued;
}

/** The same, and what is due at once is delivered. */
export async function sweepAndDeliver(now: number, env: Partial<Env> = {}): Promise<void> {
  const due = (await sweepAt(now, env)).filter(({ delaySeconds }) => !delaySeconds).map(({ id }) => id);
  if (due.length > 0) await deliverAt(now, due);
}

/** As `deliver`, at a moment and with the schedule of production. */
export function deliverAt(now: number, ids: readonly string[], env: Partial<Env> = {}): Promise<RungFor[]> {
  return deliver(ids, { now: () => now, env: { ...PRODUCTION_SCHEDULE, ...env } });
}

export async function subscriptionStatus(id: string): Promise<string> {
  return (await rowOf('subscriptions', { id })).status;
}

/** In this order, but for the two that are under way at once. */
export function expectInOrder<T>(found: readonly T[], order: readonly T[]): void {
  const byText = (a: T, b: T) => (String(a) < String(b) ? -1 : 1);
  expect(found.toSorted(byText)).toEqual(order.toSorted(byText));
  for (const [place, each] of found.entries()) expect(Math.abs(order.indexOf(each) - place)).toBeLessThanOrEqual(1);
}
