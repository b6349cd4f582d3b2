import { and, eq, type InferInsertModel, sql } from 'drizzle-orm';
import { unset } from '../../platform/data/columns';
import { insertSelect, mustChangeOneRow } from '../../platform/data/db';
import { orm } from '../../platform/data/statements';
import { firstIdAt } from '../../platform/ids';
import { deliveryRow } from '../deliveries/rows';
import type { EventType } from '../event-types';
import { nextSeq } from '../events/store';
import { isShopHost, STORED_SECRETS } from '../subscriptions/store';
import { deliveries, events, subscriptions } from '../tables';

/** The batch is undone unless the subscription is there and was tried out less often than `limit` allows. */
export function insertTestEvent(
  row: Pick<InferInsertModel<typeof events>, 'id' | 'orgId' | 'type' | 'body' | 'createdAt'>,
  limit: { subscriptionId: string; since: number; max: number },
) {
  const write = insertSelect(
    events,
    { ...unset(events), ...row, seq: nextSeq(row.orgId), isTest: true },
    sql`where exists (select 1 from ${subscriptions}
        where ${subscriptions.id} = ${limit.subscriptionId} and ${subscriptions.orgId} = ${row.orgId}
          and ${subscriptions.deletedAt} is null)
      and (select count(*) from ${deliveries} where ${deliveries.subscriptionId} = ${limit.subscriptionId}
          and ${deliveries.id} >= ${firstIdAt(limit.since)} and ${deliveries.trigger} = 'test') < ${limit.max}`,
  );
  return mustChangeOneRow(write);
}

/** A delivery that is under way from the start: no queue message and no other claimer ever gets it. */
export function insertTestDelivery(
  delivery: {
    id: string;
    orgId: string;
    eventId: string;
    eventType: EventType;
    subscriptionId: string;
    createdAt: number;
  },
  leaseUntil: number,
) {
  const row = deliveryRow({ ...delivery, priority: 0, trigger: 'test', status: 'delivering' });
  return orm.insert(deliveries).values({ ...row, attemptCount: 1, leaseUntil });
}

/** What is needed to post to a subscription, whatever its status. */
export function selectTarget(orgId: string, id: string) {
  return orm
    .select({
      url: subscriptions.url,
      ...STORED_SECRETS,
      isOwnHost: sql<number>`${isShopHost(sql`subscriptions.host`)}`.as('is_own_host'),
    })
    .from(subscriptions)
    .where(and(eq(subscriptions.orgId, orgId), eq(subscriptions.id, id)));
}
