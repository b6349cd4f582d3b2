import { sql } from 'drizzle-orm';
import type { Condition } from '../../platform/data/db';
import { orm } from '../../platform/data/statements';
import { deliveries, subscriptions } from '../tables';
import { DUE } from './rows';

/**
 * Deliveries follow the status of their subscription: what is due waits as `held` while that takes no posts, is due again when
 * it does, and ends when it was deleted. One statement moves so many; the sweep moves the others (`noteUnsettled`), so that neither
 * a reader nor a post waits for all that a subscription has.
 */
export const MOVED_AT_ONCE = 1_000;

/** The oldest deliveries of a subscription with a status, if that of the subscription is such. */
function page(subscriptionId: string, status: 'pending' | 'held', ofSubscription: Condition): Condition {
  return sql`(select id from ${deliveries} as waiting where waiting.subscription_id = ${subscriptionId}
      and waiting.status = '${sql.raw(status)}' and waiting.id <> coalesce((select probe_id from ${subscriptions} where id = ${subscriptionId}), '')
      and exists (select 1 from ${subscriptions} where id = ${subscriptionId} and ${ofSubscription})
    order by ${sql.raw(status === 'held' ? 'id' : 'priority, next_attempt_at')} limit ${MOVED_AT_ONCE})`;
}

/**
 * Makes deliveries due whose next attempt a receiver has put off, if it asked to wait: an owner has said that it takes posts again,
 * or named another one. It reads whether there is such a wait, so that it comes before what ends that.
 */
export function hastenDeliveries(subscriptionId: string, now: number) {
  return orm
    .update(deliveries)
    .set({ nextAttemptAt: now })
    .where(
      sql`id in (select id from ${deliveries} as waiting where waiting.subscription_id = ${subscriptionId}
        and waiting.status in ('pending', 'held') and waiting.next_attempt_at > ${now}
        and exists (select 1 from ${subscriptions} where id = ${subscriptionId} and wait_until > ${now}) limit ${MOVED_AT_ONCE})`,
    )
    .returning(DUE);
}

/** Keeps due deliveries of a subscription that takes no posts now, but for the one that tries it. */
export function holdDeliveries(subscriptionId: string) {
  const isStopped = sql`deleted_at is null and status <> 'active'`;
  return orm
    .update(deliveries)
    .set({ status: 'held' })
    .where(sql`id in ${page(subscriptionId, 'pending', isStopped)}`);
}

/** Makes held deliveries of an active subscription due again, the oldest ones, each no earlier than its schedule said. */
export function releaseDeliveries(subscriptionId: string) {
  const isActive = sql`deleted_at is null and status = 'active'`;
  return orm
    .update(deliveries)
    .set({ status: 'pending' })
    .where(sql`id in ${page(subscriptionId, 'held', isActive)}`)
    .returning(DUE);
}

/** Ends deliveries of a subscription that was deleted. */
export function cancelDeliveries(subscriptionId: string, now: number) {
  const isDeleted = sql`deleted_at is not null`;
  return orm
    .update(deliveries)
    .set({ status: 'cancelled', finishedAt: now })
    .where(
      sql`(id in ${page(subscriptionId, 'pending', isDeleted)} or id in ${page(subscriptionId, 'held', isDeleted)})`,
    );
}

/** Notes whether some deliveries do not follow the status of the subscription yet; put it behind what moves them. */
export function noteUnsettled(subscriptionId: string) {
  const has = (status: 'pending' | 'held') =>
    sql`exists (select 1 from ${deliveries} as waiting where waiting.subscription_id = ${subscriptionId}
      and waiting.status = '${sql.raw(status)}' and waiting.id <> coalesce(probe_id, ''))`;
  const isUnsettled = sql`case when deleted_at is not null then ${has('held')} or ${has('pending')}
    when status = 'active' then ${has('held')} else ${has('pending')} end`;
  return orm
    .update(subscriptions)
    .set({ isSettling: sql`not is_settling` })
    .where(sql`id = ${subscriptionId} and is_settling <> (${isUnsettled})`);
}
