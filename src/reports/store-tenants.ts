import { sql } from 'drizzle-orm';
import { BELONGINGS } from '../directory/move/belongings';
import { countRows } from '../directory/move/store';
import { orderRequests } from '../order-requests/tables';
import { orders } from '../orders/tables';
import { orm } from '../platform/data/statements';
import { firstIdAt } from '../platform/ids';
import { type OrganizationState, organizations } from '../platform/tables';
import { prescriptions } from '../prescriptions/tables';
import { deliveries, subscriptions } from '../webhooks/tables';
import type { Range } from './parts';
import { firstIdOf, summedUntil } from './store';
import { dayTotals, deliveryTotals } from './tables';

/** An organization as the operator's list has it; no row if it is not in this database. */
export function selectTenant(orgId: string, rowsMax: number) {
  return orm.all<{
    name: string;
    state: OrganizationState;
    suspended: number;
    rows: number;
    last: number | null;
  }>(sql`select o.name, o.state, o.suspended_at is not null as suspended, ${countRows(BELONGINGS, orgId, rowsMax)} as rows,
      (select created_at from ${orders} where org_id = o.id order by id desc limit 1) as last
    from ${organizations} as o where o.id = ${orgId}`);
}

export interface Usage {
  orgId: string;
  requests: number;
  orders: number;
  deliveries: number;
}

/**
 * What the organizations of a page, by id, did in a month: from the totals, what waits in the inbox, and the deliveries of the last
 * hours. @param month whole parts of days
 */
export function selectUsage({ from, to }: Range, after: string, limit: number) {
  const inMonth = sql`org_id = o.id and starts_at >= ${from} and starts_at < ${to}`;
  const ids = sql`id >= ${firstIdAt(from)} and id < ${firstIdAt(to)}`;
  return orm.all<Usage>(sql`select o.id as orgId,
      coalesce((select sum(approved + rejected + deleted) from ${dayTotals} where ${inMonth}), 0)
        + (select count(*) from ${orderRequests} where org_id = o.id and status = 'pending' and ${ids}) as requests,
      coalesce((select sum(of_status.value ->> 0) from ${dayTotals}, json_each(${dayTotals}.orders) as of_status where ${inMonth}), 0) as orders,
      coalesce((select sum(delivered + exhausted) from ${deliveryTotals} where ${inMonth}), 0)
        + (select count(*) from ${subscriptions} as to_whom cross join ${deliveries} as run on run.subscription_id = to_whom.id
            and run.id >= ${firstIdOf(sql`max(${from}, ${summedUntil(sql`o.id`)})`)} and run.id < ${firstIdAt(to)}
            and run.status in ('succeeded', 'exhausted') where to_whom.org_id = o.id) as deliveries
    from ${organizations} as o where o.id > ${after} and o.state <> 'gone' order by o.id limit ${limit}`);
}

/** Bytes of the PDFs that came before the end of a range, by organization. Reads at most `limit` files after an id. */
export function selectFileBytes({ to }: Range, after: string, limit: number) {
  const page = sql`(select id, org_id, size_bytes from ${prescriptions} where id > ${after} and id < ${firstIdAt(to)}
    order by id limit ${limit})`;
  return orm.all<{ orgId: string; bytes: number; files: number; last: string }>(sql`select org_id as orgId,
      coalesce(sum(size_bytes), 0) as bytes, count(*) as files, max(id) as last from ${page} group by org_id`);
}
