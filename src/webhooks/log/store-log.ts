import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { auditByEntity } from '../../audit/service';
import { auditLog } from '../../audit/tables';
import { idsForEach, orm } from '../../platform/data/statements';
import { firstIdAt } from '../../platform/ids';
import type { EventType } from '../event-types';
import { sequenceOf } from '../events/store';
import { STORED_SECRETS } from '../subscriptions/store';
import {
  type DELIVERY_STATUSES,
  deliveries,
  deliveryAttempts,
  events,
  type FailureClass,
  subscriptions,
} from '../tables';
import { nthOf } from './store-health';

export const LOG_STATUSES = ['all', 'failed', 'waiting', 'held', 'succeeded', 'cancelled'] as const;
export type LogStatus = (typeof LOG_STATUSES)[number];

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** A delivery counts as failed when it was given up, or when it waits for another attempt. */
const MATCHES: Record<LogStatus, SQL | undefined> = {
  all: undefined,
  failed: sql`(${deliveries.status} = 'exhausted' or (${deliveries.status} = 'pending' and ${deliveries.attemptCount} > 0))`,
  waiting: sql`${deliveries.status} in ('pending', 'delivering')`,
  held: eq(deliveries.status, 'held'),
  succeeded: eq(deliveries.status, 'succeeded'),
  cancelled: eq(deliveries.status, 'cancelled'),
};

export interface LogFilter {
  status: LogStatus;
  /** Only deliveries with one of these. */
  statuses?: readonly DeliveryStatus[];
  eventTypes?: readonly EventType[];
  eventId?: string;
  /** The failure class of the delivery's latest attempt. */
  failureClass?: FailureClass;
  /** Only deliveries created since then, epoch ms. */
  since?: number;
}

export interface LogPage {
  filter: LogFilter;
  /** Only deliveries older than this one. */
  before?: string;
  limit: number;
}

/** How many deliveries a page looks through for a filter. */
const WINDOW = 1_000;

interface LogOf {
  orgId: string;
  /** Or what selects it. */
  subscriptionId: string | SQL;
}

/** The log of the n-th subscription of an organization, counted from 0. */
export function nthLog(orgId: string, n: number): LogOf {
  return { orgId, subscriptionId: sql`(${nthOf(orgId, n)})` };
}

/** Column names must be unique, because D1 returns the rows of a batch by name. */
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

/** Statuses that have an index of their own in the order of the log. */
const INDEXED: readonly DeliveryStatus[] = ['exhausted', 'held'];
/** The type that has none, because most deliveries that must be quick are of it. */
const UNINDEXED: EventType = 'order_request_submitted';

/** Where a page looks for what its filter asks. */
interface Search {
  /** Parts of the log, each in the order of the log by an index; at most as many as `INDEXED`. */
  parts: SQL[];
  /** The one part is looked through for each of these, which it names `each.value`. */
  values?: readonly string[];
  /** The index of each, where SQLite would take another. */
  index?: 'deliveries_by_event' | 'deliveries_by_type';
  /** All that is looked at matches: no more than a page shows. */
  isExact: boolean;
}

function searchFor({ status, statuses, eventTypes, eventId, failureClass }: LogFilter): Search {
  const hasStatus = status !== 'all' || statuses !== undefined;
  const asked = statuses ?? (status === 'held' ? ['held' as const] : []);
  if (eventId !== undefined) {
    return { parts: [sql`event_id = ${eventId}`], index: 'deliveries_by_event', isExact: false };
  }
  if (asked.length > 0 && asked.every((each) => INDEXED.includes(each))) {
    const parts = [...new Set(asked)].map((each) => sql.raw(`status = '${each}'`));
    return { parts, isExact: !eventTypes && !failureClass };
  }
  if (eventTypes && !eventTypes.includes(UNINDEXED)) {
    const parts = [sql.raw(`event_type = each.value and event_type <> '${UNINDEXED}'`)];
    return { parts, values: eventTypes, index: 'deliveries_by_type', isExact: !hasStatus && !failureClass };
  }
  return { parts: [sql`true`], isExact: !hasStatus && !eventTypes && !failureClass };
}

/** How many deliveries a page looks at, however many match. */
function windowOf({ filter, limit }: LogPage): number {
  return searchFor(filter).isExact ? limit : WINDOW;
}

/** SELECT of the deliveries that a page looks at, the newest ones. Rows of `id`. */
function lookedAt(at: LogOf, page: LogPage): SQL {
  const { before, filter } = page;
  const window = windowOf(page);
  const { parts, values, index } = searchFor(filter);
  const by = index ? sql.raw(`indexed by ${index}`) : sql``;
  const found = parts.map(
    (part) => sql`select * from (select id from ${deliveries} ${by}
      where subscription_id = ${at.subscriptionId} and org_id = ${at.orgId} and ${part}
        and id < ${before ?? LAST_ID} and id >= ${firstIdAt(filter.since ?? 0)} order by id desc limit ${window})`,
  );
  const [only] = found;
  if (only && found.length === 1 && !values) return only;
  const all =
    values && only ? sql`select found.value as id from ${idsForEach(values, only)}` : sql.join(found, sql` union all `);
  return sql`select * from (${all}) order by id desc limit ${window}`;
}

/** Behind every id. */
const LAST_ID = 'g';

/**
 * The oldest delivery that a page looks at, if there are older ones. It limits what a page reads when few rows match.
 */
export function selectWindowEnd(at: LogOf, page: LogPage) {
  return orm
    .select({ id: sql<string>`id`.as('window_end') })
    .from(sql`(${lookedAt(at, page)})`)
    .orderBy(sql`id desc`)
    .limit(1)
    .offset(windowOf(page) - 1);
}

/** A page of a subscription's log, newest first, each delivery with its latest attempt. */
export function selectLog(at: LogOf, page: LogPage) {
  const { status, statuses, eventTypes, eventId, failureClass } = page.filter;
  return orm
    .select({
      ...LOGGED,
      httpStatus: deliveryAttempts.httpStatus,
      failureClass: deliveryAttempts.failureClass,
      durationMs: deliveryAttempts.durationMs,
    })
    .from(sql`(${lookedAt(at, page)}) as looked_at`)
    .innerJoin(deliveries, sql`${deliveries.id} = looked_at.id`)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .leftJoin(
      deliveryAttempts,
      and(eq(deliveryAttempts.deliveryId, deliveries.id), eq(deliveryAttempts.attempt, deliveries.attemptCount)),
    )
    .where(
      and(
        MATCHES[status],
        statuses && inArray(deliveries.status, statuses),
        eventTypes && inArray(events.type, eventTypes),
        eventId === undefined ? undefined : eq(deliveries.eventId, eventId),
        failureClass && eq(deliveryAttempts.failureClass, failureClass),
      ),
    )
    .orderBy(sql`looked_at.id desc`)
    .limit(page.limit);
}

/** @param withCallbacks whether it may be one to the callback of an integration */
export function selectDelivery(orgId: string, id: string, withCallbacks = true) {
  const isShown = sql`(${withCallbacks ? 1 : 0} or exists (select 1 from ${subscriptions}
    where ${subscriptions.id} = ${deliveries.subscriptionId} and ${subscriptions.integrationId} is null))`;
  return orm
    .select({ ...LOGGED, body: events.body, sequence: sql<number>`${sequenceOf('events')}`.as('sequence') })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .where(and(eq(deliveries.id, id), eq(deliveries.orgId, orgId), isShown));
}

export function selectAttempts(orgId: string, deliveryId: string) {
  const isOurs = sql`exists (select 1 from ${deliveries} where ${deliveries.id} = ${deliveryId}
    and ${deliveries.orgId} = ${orgId})`;
  return orm
    .select()
    .from(deliveryAttempts)
    .where(and(eq(deliveryAttempts.deliveryId, deliveryId), isOurs))
    .orderBy(deliveryAttempts.attempt);
}

/** The subscription's secrets, and when they and the address last changed according to the audit log. */
export function selectSigning(orgId: string, subscriptionId: string) {
  const lastTime = (of: SQL) => sql<number | null>`(select max(${auditLog.at}) from ${auditByEntity}
    where ${auditLog.orgId} = ${orgId} and ${auditLog.entityId} = ${subscriptionId} and ${of})`;
  return orm
    .select({
      ...STORED_SECRETS,
      secretChangedAt: lastTime(
        sql`${auditLog.action} in ('subscription.secret_rotated', 'subscription.secret_overlap_ended')`,
      ).as('secret_changed_at'),
      urlChangedAt: lastTime(sql`${auditLog.action} = 'subscription.updated'
        and exists (select 1 from json_each(${auditLog.fields}) where value = 'url')`).as('url_changed_at'),
    })
    .from(subscriptions)
    .where(and(eq(subscriptions.orgId, orgId), eq(subscriptions.id, subscriptionId)));
}
