import { and, desc, eq, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { type Database, insertSelect } from '../platform/db';
import { rowOfRun } from './runs';
import { deliveries, deliveryAttempts, events, subscriptions } from './tables';

type SubscriptionStatus = (typeof subscriptions.$inferSelect)['status'];

function isOrganizations(orgId: string, id: string) {
  return and(eq(subscriptions.orgId, orgId), eq(subscriptions.id, id), isNull(subscriptions.deletedAt));
}

const SHOWN = {
  id: subscriptions.id,
  url: subscriptions.url,
  eventTypes: subscriptions.eventTypes,
  status: subscriptions.status,
  createdAt: subscriptions.createdAt,
};

export function selectSubscriptions(db: Database, orgId: string) {
  return db.orm
    .select(SHOWN)
    .from(subscriptions)
    .where(and(eq(subscriptions.orgId, orgId), isNull(subscriptions.deletedAt)))
    .orderBy(subscriptions.id);
}

export function selectSubscription(db: Database, orgId: string, id: string) {
  return db.orm.select(SHOWN).from(subscriptions).where(isOrganizations(orgId, id));
}

/** Changes the status from one of some others; guard it with `mustChangeOne`. */
export function updateStatus(
  db: Database,
  at: { orgId: string; id: string; now: number },
  from: SubscriptionStatus[],
  to: SubscriptionStatus,
) {
  return db.orm
    .update(subscriptions)
    .set({ status: to, updatedAt: at.now })
    .where(and(isOrganizations(at.orgId, at.id), inArray(subscriptions.status, from)));
}

/** Guard it with `mustChangeOne`. */
export function markDeleted(db: Database, orgId: string, id: string, now: number) {
  return db.orm.update(subscriptions).set({ deletedAt: now, updatedAt: now }).where(isOrganizations(orgId, id));
}

export function holdDeliveries(db: Database, subscriptionId: string) {
  return db.orm
    .update(deliveries)
    .set({ status: 'held' })
    .where(and(eq(deliveries.subscriptionId, subscriptionId), eq(deliveries.status, 'pending')));
}

/** What was held is due again, each run no earlier than its schedule said. */
export function releaseDeliveries(db: Database, subscriptionId: string) {
  return db.orm
    .update(deliveries)
    .set({ status: 'pending' })
    .where(and(eq(deliveries.subscriptionId, subscriptionId), eq(deliveries.status, 'held')))
    .returning({ id: deliveries.id, nextAttemptAt: deliveries.nextAttemptAt });
}

export function cancelDeliveries(db: Database, subscriptionId: string, now: number) {
  return db.orm
    .update(deliveries)
    .set({ status: 'cancelled', finishedAt: now })
    .where(and(eq(deliveries.subscriptionId, subscriptionId), inArray(deliveries.status, ['pending', 'held'])));
}

export const DELIVERY_FILTERS = ['all', 'failed', 'held'] as const;
export type DeliveryFilter = (typeof DELIVERY_FILTERS)[number];

/** A run has failed when it was given up, or when it waits for another attempt. */
const MATCHES: Record<DeliveryFilter, SQL | undefined> = {
  all: undefined,
  failed: sql`(${deliveries.status} = 'exhausted' or (${deliveries.status} = 'pending' and ${deliveries.attemptCount} > 0))`,
  held: eq(deliveries.status, 'held'),
};

/** No two of these columns have one name: D1 gives a batch's rows by name. */
const LOGGED = {
  id: deliveries.id,
  subscriptionId: deliveries.subscriptionId,
  eventId: deliveries.eventId,
  eventType: events.type,
  trigger: deliveries.trigger,
  status: deliveries.status,
  attemptCount: deliveries.attemptCount,
  nextAttemptAt: deliveries.nextAttemptAt,
  createdAt: deliveries.createdAt,
};

/** A page of a subscription's log, newest first, each run with its latest attempt. */
export function selectLog(
  db: Database,
  at: { orgId: string; subscriptionId: string },
  page: { filter: DeliveryFilter; before?: string; limit: number },
) {
  return db.orm
    .select({
      ...LOGGED,
      httpStatus: deliveryAttempts.httpStatus,
      failureClass: deliveryAttempts.failureClass,
      durationMs: deliveryAttempts.durationMs,
    })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .leftJoin(
      deliveryAttempts,
      and(eq(deliveryAttempts.deliveryId, deliveries.id), eq(deliveryAttempts.attempt, deliveries.attemptCount)),
    )
    .where(
      and(
        eq(deliveries.subscriptionId, at.subscriptionId),
        eq(deliveries.orgId, at.orgId),
        page.before === undefined ? undefined : lt(deliveries.id, page.before),
        MATCHES[page.filter],
      ),
    )
    .orderBy(desc(deliveries.id))
    .limit(page.limit);
}

export function selectDelivery(db: Database, orgId: string, id: string) {
  return db.orm
    .select({ ...LOGGED, body: events.body })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .where(and(eq(deliveries.id, id), eq(deliveries.orgId, orgId)));
}

export function selectAttempts(db: Database, orgId: string, deliveryId: string) {
  const isOurs = sql`exists (select 1 from ${deliveries} where ${deliveries.id} = ${deliveryId}
    and ${deliveries.orgId} = ${orgId})`;
  return db.orm
    .select()
    .from(deliveryAttempts)
    .where(and(eq(deliveryAttempts.deliveryId, deliveryId), isOurs))
    .orderBy(deliveryAttempts.attempt);
}

/** A new run for the event of one that has ended, while its subscription is active; guard it with `mustChangeOne`. */
export function insertRedelivery(db: Database, of: { orgId: string; deliveryId: string }, id: string, now: number) {
  const row = rowOfRun({
    id,
    orgId: of.orgId,
    eventId: sql`earlier.event_id`,
    subscriptionId: sql`earlier.subscription_id`,
    trigger: 'redelivery',
    status: 'pending',
    createdAt: now,
  });
  return insertSelect(
    db,
    deliveries,
    row,
    sql`from ${deliveries} as earlier
      join ${subscriptions} as subscription on subscription.id = earlier.subscription_id
      where earlier.id = ${of.deliveryId} and earlier.org_id = ${of.orgId}
        and earlier.status in ('succeeded', 'exhausted', 'cancelled')
        and subscription.status = 'active' and subscription.deleted_at is null`,
  );
}
