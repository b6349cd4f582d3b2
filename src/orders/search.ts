import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { TAIL_MAX } from '../search/limits';
import { readQuery, type Sought, selectTail, soughtIn } from '../search/service';
import { SEARCHED_ORDERS } from './store-search';

/**
 * What a text finds among orders, for a list that is filtered by it: `foundIds` makes ids of it, with `stateTerm` of a status and
 * `shopTerm` of a shop. One round trip.
 * @param text one line, as typed
 */
export async function searchOrders(ctx: Context, text: string): Promise<Sought> {
  const { orgId } = requireScope(ctx, 'orders.read');
  const tail = await ctx.db.rows(selectTail(SEARCHED_ORDERS, orgId, TAIL_MAX, 'newest'));
  return soughtIn(SEARCHED_ORDERS, orgId, readQuery(text), tail);
}
