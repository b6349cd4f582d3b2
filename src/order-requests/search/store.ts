import { desc, sql } from 'drizzle-orm';
import { pick } from '../../platform/data/columns';
import { type Condition, orm } from '../../platform/data/statements';
import type { Searchable } from '../../search/store';
import { orderRequestsFields } from '../fields';
import { orderRequests } from '../tables';

/** How order requests are indexed for the search. Lists of requests filter the search results by tab and shop. */
export const SEARCHED_REQUESTS: Searchable = {
  kind: 'r',
  table: orderRequests,
  changes: 'order_requests_changes',
  fields: orderRequestsFields,
  isGone: sql`erased_at is not null or status = 'deleted'`,
  state: sql`'s' || case status when 'pending' then iif(needs_info, 'needsinfo', 'open') else status end
    || ' h' || substr(shop_id, -12)`,
};

/** Selects requests with the columns that a search shows. @param ids a subquery */
export function selectFoundRequests(orgId: string, ids: Condition, limit: number) {
  return orm
    .select(
      pick(orderRequests, [
        'id',
        'status',
        'needsInfo',
        'customerName',
        'customerEmail',
        'items',
        'approvedItems',
        'orderId',
        'createdAt',
      ]),
    )
    .from(orderRequests)
    .where(
      sql`${orderRequests.id} in ${ids} and +${orderRequests.orgId} = ${orgId} and ${orderRequests.status} <> 'deleted'`,
    )
    .orderBy(desc(orderRequests.id))
    .limit(limit);
}
