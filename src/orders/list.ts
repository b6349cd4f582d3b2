import { requireShopRow, selectShop } from '../inventory/service';
import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { changeAt } from '../platform/data/changes';
import { inList } from '../platform/data/db';
import { completePage } from '../platform/data/wide-rows';
import { ABOVE_ALL_IDS } from '../platform/ids';
import type { Place } from '../platform/page';
import type { OrderRow } from './store';
import {
  isLookedThrough,
  type OrderFilter,
  selectAllOrders,
  selectChangedOrders,
  selectLookedChange,
  selectLookedEnd,
  selectOrders,
  selectWholeOrders,
} from './store-list';

export interface OrderQuery extends OrderFilter {
  limit: number;
  from: Place;
}

/**
 * Orders, newest first, or by their last changes, deleted ones too. Where no index finds what is asked for, a page may be short
 * although more follow.
 * @returns one page, the place of the next (null at the end), and the place behind one of its orders
 * @throws AppError `shop_not_found`
 */
export async function listOrders(ctx: Context, { from, limit, ...filter }: OrderQuery) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const shop = filter.shopId === undefined ? undefined : selectShop({ orgId, shopId: filter.shopId });
  if ('before' in from) {
    const page = { orgId, before: from.before ?? ABOVE_ALL_IDS, limit: limit + 1 };
    const { found, rows, end } = await ctx.db.run({
      found: shop,
      rows: pageOfOrders(page, filter),
      end: isLookedThrough(filter) ? selectLookedEnd(page, filter) : undefined,
    });
    if (found) requireShopRow(found);
    const { page: orders, nextCursor } = await completeOrders(ctx, rows, limit, ({ id }) => id);
    const before = nextCursor ?? end?.[0]?.before ?? null;
    return {
      orders,
      next: before === null ? null : { before },
      placeOf: ({ id }: Pick<OrderRow, 'id' | 'changeNumber'>): Place => ({ before: id }),
    };
  }
  const after = 'changedAfter' in from ? from.changedAfter : changeAt(from.updatedAfter);
  const { found, rows, end } = await ctx.db.run({
    found: shop,
    rows: selectChangedOrders({ orgId, after, limit: limit + 1 }, filter),
    end: isFiltered(filter) ? selectLookedChange(orgId, after) : undefined,
  });
  if (found) requireShopRow(found);
  const { page: orders, nextCursor } = await completeOrders(ctx, rows, limit, ({ changeNumber }) => changeNumber);
  const changedAfter = nextCursor ?? end?.[0]?.changedAfter ?? null;
  const placeOf = ({ changeNumber }: Pick<OrderRow, 'id' | 'changeNumber'>): Place => ({ changedAfter: changeNumber });
  return { orders, next: changedAfter === null ? null : { changedAfter }, placeOf };
}

type Listed = OrderRow & { octets: number };

/** A page of orders as `completePage` makes it. */
export function completeOrders<Cursor>(
  ctx: Context,
  rows: readonly Listed[],
  size: number,
  cursorOf: (row: Listed) => Cursor,
) {
  const orgId = rows[0]?.orgId ?? '';
  return completePage(rows, size, cursorOf, (ids) => ctx.db.rows(selectWholeOrders(orgId, inList(ids))));
}

/** The statement that reads a page of what matches. */
function pageOfOrders(page: Parameters<typeof selectAllOrders>[0], filter: OrderFilter) {
  return isFiltered(filter) ? selectOrders(page, filter) : selectAllOrders(page);
}

function isFiltered(filter: OrderFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
