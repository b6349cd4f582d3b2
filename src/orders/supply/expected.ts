import { selectPromisable } from '../../inventory/service';
import { requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { type Day, dayOf } from '../../platform/pharmacy-time';
import { countsOf, deskCounts } from '../desk/list';
import { supplyKey, supplyOf } from '../parts';
import { type OrderRow, selectOrder } from '../store';
import { EXPECTED_MAX, expectedProducts, selectExpected, selectPzns } from './store';

const LAST_DAY = '9999-12-31';
/** As many lines as a page shows: an order has up to a hundred. */
const LINES_SHOWN = 60;

/** Packs of one line that are still to come. */
export interface ExpectedLine {
  order: Pick<OrderRow, 'id' | 'number' | 'shopId' | 'customerName' | 'shelf' | 'shippingOption'>;
  /** What the command about it names (`supplyKey`). */
  key: string;
  name: string;
  pzn: string | null;
  quantity: number;
  expectedOn: Day;
  /** Since when it is owed, epoch ms. */
  since: number | null;
  /** What can be promised of the product: as many as were booked already. */
  stock: number;
}

/**
 * What is expected by today, or at any time: what waits longest first.
 * @param input.lastId an order to be read with it
 * @param input.from how many lines were shown before
 * @returns a page of the lines of at most 200 orders, how many they are and where the next page begins (null at the end), whether
 *   there are more orders, the order that was asked for, and how many orders the tabs have
 */
export async function listExpected(
  ctx: Context,
  { isLater = false, lastId, from = 0 }: { isLater?: boolean; lastId?: string; from?: number } = {},
) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const today = dayOf(ctx.now());
  const day = isLater ? LAST_DAY : today;
  const { rows, pzns, stocks, last, counted } = await ctx.db.run({
    rows: selectExpected({ orgId, day }),
    pzns: selectPzns(expectedProducts(orgId, day)),
    stocks: selectPromisable(orgId, expectedProducts(orgId, day)),
    last: lastId === undefined ? undefined : selectOrder({ orgId, id: lastId }),
    counted: deskCounts(ctx, orgId),
  });
  const pznOf = new Map(pzns.map(({ p1Id, pzn }) => [p1Id, pzn]));
  const stockOf = new Map(stocks.map(({ p1Id, stockQuantity }) => [p1Id, stockQuantity]));
  const lines = rows.flatMap((order) =>
    order.items.flatMap((item, place): ExpectedLine[] => {
      const { owed, expectedOn, at } = supplyOf(order, place);
      if (owed === 0 || expectedOn === null || expectedOn > day) return [];
      return [
        {
          order,
          key: supplyKey(order, place),
          name: item.productName ?? item.name,
          pzn: pznOf.get(item.p1Id ?? '') ?? null,
          quantity: owed,
          expectedOn,
          since: at,
          stock: stockOf.get(item.p1Id ?? '') ?? 0,
        },
      ];
    }),
  );
  const to = from + LINES_SHOWN;
  return {
    today,
    lines: lines.sort(byDay).slice(from, to),
    count: lines.length,
    next: to < lines.length ? to : null,
    hasMore: rows.length === EXPECTED_MAX,
    last: last?.[0],
    counts: countsOf(counted),
  };
}

function byDay(one: ExpectedLine, other: ExpectedLine): number {
  return one.expectedOn < other.expectedOn ? -1 : one.expectedOn > other.expectedOn ? 1 : 0;
}
