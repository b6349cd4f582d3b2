import { recordAudit } from '../../audit/record';
import { selectShops } from '../../inventory/service';
import { requireScope } from '../../platform/access';
import { commit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { ABOVE_ALL_IDS } from '../../platform/ids';
import { inParts } from '../../platform/page';
import { dayOf } from '../../platform/pharmacy-time';
import { completeOrders } from '../list';
import { searchOrders } from '../search';
import type { Order } from '../store';
import { countDesk, type DeskCounts, type DeskFilter, isDeskLooked, selectDesk, selectDeskEnd } from './store';

/** What a list is filtered by, with a text to search for. */
export interface DeskSearch extends Omit<DeskFilter, 'sought'> {
  search?: string;
}

export interface DeskQuery extends DeskSearch {
  limit: number;
  /** Only orders older than this id; null to begin with the newest. */
  before: string | null;
}

/**
 * A page of the staff's list of orders, newest first, with the names of all shops, inactive ones too, and how many orders each part
 * has: one round trip, two with a text to search for. Where no index finds what is asked for, a page may be short although more follow.
 */
export async function readDesk(ctx: Context, { limit, before, ...query }: DeskQuery) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const filter = await soughtBy(ctx, query);
  const page = { orgId, before: before ?? ABOVE_ALL_IDS, limit: limit + 1 };
  const { rows, end, shops, counted } = await ctx.db.run({
    rows: selectDesk(page, filter),
    end: filter.part && isDeskLooked(filter) ? selectDeskEnd(filter.part, page, filter) : undefined,
    shops: selectShops({ orgId }),
    counted: deskCounts(ctx, orgId),
  });
  const { page: orders, nextCursor } = await completeOrders(ctx, rows, limit, ({ id }) => id);
  return { orders, shops, counts: countsOf(counted), nextCursor: nextCursor ?? end?.[0]?.before ?? null };
}

/** What counts the tabs of everything about orders, but what is to be packed. */
export function deskCounts(ctx: Context, orgId: string) {
  return countDesk({ orgId, day: dayOf(ctx.now()) });
}

/** The one row of them. */
export function countsOf(counted: readonly DeskCounts[]): DeskCounts {
  // SAFETY: a row is counted whatever the organization has.
  return counted[0] as DeskCounts;
}

async function soughtBy(ctx: Context, { search, ...filter }: DeskSearch): Promise<DeskFilter> {
  return search === undefined ? filter : { ...filter, sought: await searchOrders(ctx, search) };
}

export type Desk = Awaited<ReturnType<typeof readDesk>>;

/** As many orders as one file may hold. */
export const DESK_FILE_MAX = 2000;

/**
 * The same orders for a file; null when there are more than one may hold. An audit row with their number is written before they are
 * given to anybody. Two round trips, three with a text to search for; large orders are read in parts.
 * @param lineOf what the file has of an order, so that no more of it is kept
 */
export async function exportDesk<Line>(
  ctx: Context,
  query: DeskSearch,
  lineOf: (order: Order, shopName: string | null) => Line,
): Promise<Line[] | null> {
  const { orgId } = requireScope(ctx, 'orders.read');
  const filter = await soughtBy(ctx, query);
  const { rows, shops } = await ctx.db.run({
    rows: selectDesk({ orgId, before: ABOVE_ALL_IDS, limit: DESK_FILE_MAX + 1 }, filter),
    shops: selectShops({ orgId }),
  });
  if (rows.length > DESK_FILE_MAX) return null;
  const fields = [`orders:${rows.length}`];
  await commit(ctx, { audit: recordAudit(ctx, { orgId, action: 'organization.rows_read', entityId: orgId, fields }) });
  const names = new Map(shops.map(({ id, name }) => [id, name]));
  const lines: Line[] = [];
  for (const part of inParts(rows)) {
    const { page } = await completeOrders(ctx, part, part.length, ({ id }) => id);
    lines.push(...page.map((order) => lineOf(order, names.get(order.shopId) ?? null)));
  }
  return lines;
}
