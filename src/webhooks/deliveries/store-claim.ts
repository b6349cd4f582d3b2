import { and, type SQL, sql } from 'drizzle-orm';
import { type Condition, inList } from '../../platform/data/db';
import { encoded, jsonOf, type Named, orm, prepared, type Value } from '../../platform/data/statements';
import { ATTEMPTS_MAX } from '../../platform/queue/retry';
import { isAtWork } from '../../tenants/tables';
import { sequenceOf } from '../events/store';
import { QUEUED_UNDER_WAY_MAX } from '../limits';
import { deliveries, events, subscriptions } from '../tables';
import { mayBePosted, takesPosts } from './store-attempts';

/** A queue's delay has whole seconds: a message that arrives up to this early still finds its row due. */
const EARLY_MESSAGE_MS = 2_000;

/**
 * Columns of other tables as scalar subqueries, since an UPDATE can return no others. Table names are written out,
 * because Drizzle omits them in a statement about one table.
 */
function ofEvent<T>(value: Condition) {
  return sql<T>`(select ${value} from ${events} as event where event.id = deliveries.event_id)`;
}

const fromSubscription = sql`from ${subscriptions} as subscription where subscription.id = deliveries.subscription_id`;

function ofSubscription<T>(column: string) {
  return sql<T>`(select subscription.${sql.raw(column)} ${fromSubscription})`.as(`subscription_${column}`);
}

/** Everything that a post needs, and by which its claim is known. */
export const CLAIMED = {
  id: deliveries.id,
  orgId: deliveries.orgId,
  eventId: deliveries.eventId,
  subscriptionId: deliveries.subscriptionId,
  trigger: deliveries.trigger,
  attempt: deliveries.attemptCount,
  leaseUntil: deliveries.leaseUntil,
  // An earlier version of this service made deliveries without a type.
  eventType: sql<string>`coalesce(${deliveries.eventType}, ${ofEvent(sql`event.type`)})`.as('type_of_event'),
  body: ofEvent<string>(sql`event.body`).as('event_body'),
  /** What `X-Service-Sequence` says. */
  sequence: ofEvent<number>(sequenceOf('event')).as('event_sequence'),
  url: ofSubscription<string>('url'),
  secretCiphertext: ofSubscription<string>('secret_ciphertext'),
  previousSecretCiphertext: ofSubscription<string | null>('previous_secret_ciphertext'),
  previousSecretUntil: ofSubscription<number | null>('previous_secret_until'),
  /** 1 or 0. */
  isHealthy: ofSubscription<number>('is_healthy'),
  /** `holding` while this attempt tries a failing receiver. */
  subscriptionStatus: ofSubscription<string>('status'),
};

export type ClaimedDelivery = Awaited<ReturnType<typeof claimDeliveries>>[number];

interface Claim {
  now: number;
  leaseUntil: number;
}

/** A claim raises the count and sets the lease in one write, so that two claimers never get the same attempt. */
function claimWhere(which: Condition, { now, leaseUntil }: Named<Claim>, onlyIf: Condition) {
  return orm
    .update(deliveries)
    .set({
      status: 'delivering',
      attemptCount: sql`${deliveries.attemptCount} + 1`,
      leaseUntil: sql`${leaseUntil}`,
    })
    .where(and(which, mayBePosted(now), isAtWork(deliveries.orgId), onlyIf))
    .returning(CLAIMED);
}

/** Attempts of a subscription that are under way. @param of a further condition for a row `open` */
export function countUnderWay(subscriptionId: Condition, now: Value<number>, of: Condition = sql`true`): Condition {
  return sql`(select count(*) from ${deliveries} as open where open.subscription_id = ${subscriptionId}
    and open.status = 'delivering' and open.lease_until > ${now} and ${of})`;
}

const isOfProducts = sql`open.priority > 0`;

/**
 * Claims due deliveries for one attempt each: of each subscription only as many as leave `QUEUED_UNDER_WAY_MAX` under
 * way, and one less of products, so that those never delay an order. What is over stays pending; the next attempt of
 * its subscription that ends claims it (`claimNext`). Nothing is claimed unless the condition holds.
 */
export const claimDeliveries = prepared(
  ({ ids, now, leaseUntil }: Named<Claim & { ids: readonly string[] }>, onlyIf: Condition) => {
    const due = sql`(select id, subscription_id, priority,
      row_number() over (partition by subscription_id order by priority, id) as place,
      row_number() over (partition by subscription_id, priority order by id) as place_of_priority
    from ${deliveries} where id in ${inList(ids)} and status = 'pending' and next_attempt_at <= ${now} + ${EARLY_MESSAGE_MS}
      and attempt_count < ${ATTEMPTS_MAX})`;
    const free = sql`deliveries.id in (select due.id from ${due} as due
    where due.place + ${countUnderWay(sql`due.subscription_id`, now)} <= ${QUEUED_UNDER_WAY_MAX}
      and (due.priority = 0 or due.place_of_priority
        + ${countUnderWay(sql`due.subscription_id`, now, isOfProducts)} <= ${QUEUED_UNDER_WAY_MAX - 1}))`;
    return claimWhere(free, { now, leaseUntil }, onlyIf);
  },
);

/** The ids of a subscription's deliveries that are due, in the order in which they are tried. */
export function nextDue(
  subscriptionId: Condition,
  now: Value<number>,
  limit: number | SQL,
  of: Condition = sql`true`,
): Condition {
  const ofPriority = (priority: number) => sql`select * from (select id, priority, next_attempt_at from ${deliveries}
    where subscription_id = ${subscriptionId} and status = 'pending' and priority = ${priority}
      and next_attempt_at <= ${now} and ${of} order by next_attempt_at, id limit ${limit})`;
  return sql`select id from (${ofPriority(0)} union all ${ofPriority(1)}) order by priority, next_attempt_at, id limit ${limit}`;
}

/** How many attempts of a subscription have just ended, by its id. */
export type Freed = Readonly<Record<string, number>>;

/**
 * The next due deliveries in the place of attempts that have just ended: products only while none of theirs is under way.
 * @returns rows of `id` and `subscription_id`
 */
function nextToClaim(freed: Value<Freed>, now: Value<number>): Condition {
  const most = encoded(freed, (counts) => Math.max(0, ...Object.values(counts)));
  const isProductsTurn = sql`(priority = 0 or ${countUnderWay(sql`freed.key`, now, isOfProducts)} < ${QUEUED_UNDER_WAY_MAX - 1})`;
  return sql`(select id, subscription_id from (
      select due.id, due.subscription_id, freed.value as count,
        row_number() over (partition by due.subscription_id order by due.priority, due.next_attempt_at, due.id) as place
      from json_each(${jsonOf(freed)}) as freed
        join ${subscriptions} as subscription on subscription.id = freed.key and ${takesPosts(now)}
        join ${deliveries} as due on due.id in (${nextDue(sql`freed.key`, now, most, isProductsTurn)})
    ) where place <= count)`;
}

/**
 * Claims the next due deliveries in the place of attempts that have just ended: what is under way never becomes more.
 * Nothing is claimed unless the condition holds.
 */
export const claimNext = prepared(({ freed, now, leaseUntil }: Named<Claim & { freed: Freed }>, onlyIf: Condition) =>
  claimWhere(sql`deliveries.id in (select id from ${nextToClaim(freed, now)})`, { now, leaseUntil }, onlyIf),
);

/** As `claimNext`, without claiming them. */
export const selectNext = prepared(({ freed, now }: Named<{ freed: Freed; now: number }>) =>
  orm
    .select({
      id: sql<string>`next.id`.as('next_id'),
      subscriptionId: sql<string>`next.subscription_id`.as('next_subscription_id'),
    })
    .from(sql`${nextToClaim(freed, now)} as next`),
);
