import { sql } from 'drizzle-orm';
import { type Condition, insertSelect } from '../platform/data/db';
import { orm } from '../platform/data/statements';
import { firstIdAt } from '../platform/ids';
import { isSettled, organizations } from '../tenants/tables';
import { deliveries, subscriptions } from '../webhooks/tables';
import { nextPart, partOf, type Range } from './parts';
import { deliveryTotals } from './tables';

/** Up to where an organization's deliveries are in its totals; 0 without any. */
function summedUntil(orgId: Condition): Condition {
  return sql`coalesce((select latest.summed_until from ${deliveryTotals} as latest where latest.org_id = ${orgId}
    order by latest.starts_at desc limit 1), 0)`;
}

/** As `firstIdAt`, of a time in SQL. A delivery counts for when its id was made. */
function firstIdOf(at: Condition): Condition {
  const hex = sql`printf('%012x', ${at})`;
  return sql`substr(${hex}, 1, 8) || '-' || substr(${hex}, 9)`;
}

/**
 * From where the deliveries of a period are counted one by one: behind what is in the totals, or from the last part on when the
 * total of that goes beyond the period.
 */
function unsummedFrom(orgId: string, { from, to }: Range): Condition {
  const until = summedUntil(sql`${orgId}`);
  return sql`(select max(${nextPart(from)}, iif(until <= ${to}, until, ${partOf(to)})) from (select ${until} as until))`;
}

/** How deliveries of a period ended, as far as totals hold it: up to three rows a day. */
export function selectDeliveryTotals(orgId: string, period: Range) {
  const { delivered, exhausted } = deliveryTotals;
  return orm
    .select({ delivered, exhausted })
    .from(deliveryTotals)
    .where(
      sql`org_id = ${orgId} and starts_at >= ${nextPart(period.from)} and starts_at < ${unsummedFrom(orgId, period)}`,
    );
}

/**
 * The same of those that no total holds: what was made before the period's first whole part, and in the last hours. An
 * organization has only a few subscriptions, so this reads few ranges; deleted subscriptions count too.
 */
export function selectDeliveries(orgId: string, period: Range) {
  const { from, to } = period;
  const ranges = sql`(select ${from} as since, ${Math.min(nextPart(from), to)} as until
    union all select ${unsummedFrom(orgId, period)}, ${to})`;
  return orm
    .select({
      delivered: sql<number>`coalesce(sum(deliveries.status = 'succeeded'), 0)`.as('delivered'),
      exhausted: sql<number>`coalesce(sum(deliveries.status = 'exhausted'), 0)`.as('exhausted'),
    })
    .from(sql`${ranges} as span cross join ${subscriptions} on subscriptions.org_id = ${orgId}
      cross join ${deliveries} on deliveries.subscription_id = subscriptions.id
        and deliveries.id >= ${firstIdOf(sql`span.since`)} and deliveries.id < ${firstIdOf(sql`span.until`)}`);
}

/**
 * Organizations with deliveries that no total holds, those with the oldest first. Reads a few rows of each organization.
 * @param before only deliveries made earlier; epoch ms
 */
export function selectUnsummed(before: number, limit: number) {
  const first = sql`select delivery.id from ${deliveries} as delivery
    where delivery.subscription_id = subscription.id and delivery.id >= ${firstIdOf(sql`summed.until`)}
    order by delivery.id limit 1`;
  const unsummed = sql`(with summed as materialized (
      select organizations.id, ${summedUntil(sql`organizations.id`)} as until from ${organizations} where ${isSettled(sql`organizations.id`)}
    ), unsummed as materialized (
      select summed.id, summed.until, (select min((${first})) from ${subscriptions} as subscription where subscription.org_id = summed.id) as first_id
      from summed
    ) select * from unsummed where first_id < ${firstIdAt(before)})`;
  return orm
    .select({
      orgId: sql<string>`id`.as('unsummed_org'),
      summedUntil: sql<number>`until`.as('unsummed_after'),
      firstId: sql<string>`first_id`.as('unsummed_first'),
    })
    .from(sql`${unsummed} as found`)
    .orderBy(sql`first_id`)
    .limit(limit);
}

export type Unsummed = Awaited<ReturnType<typeof selectUnsummed>>[number];

/** An organization's next deliveries to add to its totals. */
export interface Step extends Range {
  orgId: string;
  /** What it had when the step was planned; nothing is added unless it still has. */
  summedUntil: number;
}

/** Adds each step's deliveries to the total of its part of the day; when D1 runs it twice, once. */
export function addToTotals(steps: readonly Step[]) {
  const bounded = steps.map(({ orgId, summedUntil: after, from, to }) => {
    return { orgId, after, to, startsAt: partOf(from), first: firstIdAt(from), end: firstIdAt(to) };
  });
  const of = (name: keyof (typeof bounded)[number]) => sql`step.value ->> ${sql.raw(`'${name}'`)}`;
  return insertSelect(
    deliveryTotals,
    {
      orgId: of('orgId'),
      startsAt: of('startsAt'),
      summedUntil: of('to'),
      delivered: sql`coalesce(sum(deliveries.status = 'succeeded'), 0)`,
      exhausted: sql`coalesce(sum(deliveries.status = 'exhausted'), 0)`,
    },
    sql`from json_each(${JSON.stringify(bounded)}) as step
      left join ${subscriptions} on subscriptions.org_id = ${of('orgId')}
      left join ${deliveries} on deliveries.subscription_id = subscriptions.id
        and deliveries.id >= ${of('first')} and deliveries.id < ${of('end')}
      where ${summedUntil(of('orgId'))} = ${of('after')} and ${isSettled(of('orgId'))}
      group by step.key`,
  ).onConflictDoUpdate({
    target: [deliveryTotals.orgId, deliveryTotals.startsAt],
    set: {
      summedUntil: sql`excluded.summed_until`,
      delivered: sql`delivery_totals.delivered + excluded.delivered`,
      exhausted: sql`delivery_totals.exhausted + excluded.exhausted`,
    },
  });
}
