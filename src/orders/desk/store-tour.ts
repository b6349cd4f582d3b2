import { and, eq, sql } from 'drizzle-orm';
import { inList } from '../../platform/data/db';
import { type Named, orm, prepared } from '../../platform/data/statements';
import { LOOKED_MAX } from '../../platform/page';
import { courierTours, IS_PARCEL, orders } from '../tables';

/** What was delivered within a time and went by no parcel, the last first; so many ended orders are looked through. */
export const selectCarried = prepared(({ orgId, from, to }: Named<{ orgId: string; from: number; to: number }>) => {
  const ended = sql`(select rowid as ended from ${orders} indexed by orders_ended where org_id = ${orgId}
    and updated_at between ${from} and ${to} and erased_at is null
    and status in ('delivered', 'picked_up', 'returned', 'cancelled') order by updated_at desc limit ${LOOKED_MAX})`;
  return orm
    .select()
    .from(orders)
    .where(
      and(
        // By the rowids: without statistics SQLite would rather read all orders of the organization.
        sql`+${orders.orgId} = ${orgId}`,
        sql`orders.rowid in ${ended} and +status = 'delivered' and not ${IS_PARCEL} and deleted_at is null`,
      ),
    )
    .orderBy(sql`updated_at desc`);
});

export const selectSequence = prepared(({ orgId }: Named<{ orgId: string }>) =>
  orm.select({ sequence: courierTours.sequence }).from(courierTours).where(eq(courierTours.orgId, orgId)),
);

/** The stops that were arranged come first; what is said of others (of another shop) stays. @param stops all that were seen */
export function writeSequence(orgId: string, sequence: readonly string[], stops: readonly string[]) {
  const others = sql`select value from json_each(${courierTours.sequence}) where value not in ${inList(stops)}`;
  const all = sql`select value from json_each(${JSON.stringify(sequence)}) union all ${others} limit ${KEPT_MAX}`;
  return orm
    .insert(courierTours)
    .values({ orgId, sequence })
    .onConflictDoUpdate({
      target: courierTours.orgId,
      set: { sequence: sql`(select json_group_array(value) from (${all}))` },
    });
}

/** Stops whose place is kept, those that have been made among them. */
const KEPT_MAX = 500;
