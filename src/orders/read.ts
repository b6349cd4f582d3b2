import { recordAudit } from '../audit/record';
import { requireShopRow } from '../inventory/products';
import { readsPrescriptionsOf, requireScope } from '../platform/access';
import { commit } from '../platform/commit';
import type { Context } from '../platform/context';
import { changeAt } from '../platform/data/columns';
import { inList } from '../platform/data/db';
import { type Place, pageOf } from '../platform/data/page';
import { completePage } from '../platform/data/wide-rows';
import { invalidField, notFound } from '../platform/errors/errors';
import { ABOVE_ALL_IDS } from '../platform/ids';
import { type Sought, selectTail, soughtIn } from '../search/store';
import { readQuery, TAIL_MAX } from '../search/words';
import { type ShippingAliases, shippingOptionIn, shippingOptionsOf } from '../tenants/rules';
import { selectShopOfOrganization } from '../tenants/store';
import { foldBatch } from './batch-rules';
import * as store from './store';

/** Returns an order, or undefined if there is none. Does not check access. */
export async function findOrder(ctx: Context, orgId: string, orderId: string): Promise<store.OrderRow | undefined> {
  const rows = await ctx.db.rows(store.selectOrder({ orgId, id: orderId }));
  return rows[0];
}

/** @throws AppError `order_not_found` */
export async function getOrder(ctx: Context, orderId: string): Promise<store.VersionedOrder> {
  const { orgId } = requireScope(ctx, 'orders.read');
  return loadOrder(ctx, orgId, orderId);
}

/** Returns the row of an order. Does not check access. @throws AppError `order_not_found` */
export async function loadOrder(ctx: Context, orgId: string, orderId: string): Promise<store.OrderRow> {
  return requireOrder(await findOrder(ctx, orgId, orderId));
}

export function requireOrder(order: store.OrderRow | undefined): store.OrderRow {
  if (!order) throw notFound('order_not_found');
  return order;
}

/**
 * Returns the shop's own name of the shipping option that `option` means.
 * @throws AppError `unknown_shipping_option` with the options that the shop offers
 */
export function requireShippingOption(
  option: string,
  shop: { deliveryServiceName: string; shippingAliases: ShippingAliases } | undefined,
): string {
  const found = shop && shippingOptionIn(option, shop);
  if (found !== undefined) return found;
  const options = shop ? shippingOptionsOf(shop) : [];
  throw invalidField('/shipping_option', 'unknown_shipping_option', `Allowed: ${options.join(', ')}.`);
}

interface OrderQuery extends store.OrderFilter {
  limit: number;
  from: Place;
}

/**
 * Lists orders, newest first. With `changedAfter` or `updatedAfter`, lists them by change number instead, including
 * deleted orders. If no index fits the filter, a page may be short although more orders follow.
 * @returns one page, the cursor of the next page (null at the end), and a function that returns the cursor after one of
 *   the page's orders
 * @throws AppError `shop_not_found`
 */
export async function listOrders(ctx: Context, { from, limit, ...filter }: OrderQuery) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const shop = filter.shopId === undefined ? undefined : selectShopOfOrganization({ orgId, shopId: filter.shopId });
  if ('before' in from) {
    const page = { orgId, before: from.before ?? ABOVE_ALL_IDS, limit: limit + 1 };
    const { found, rows, end } = await ctx.db.run({
      found: shop,
      rows: pageOfOrders(page, filter),
      end: store.isLookedThrough(filter) ? store.selectLookedEnd(page, filter) : undefined,
    });
    if (found) requireShopRow(found);
    const { page: orders, nextCursor } = await completeOrders(ctx, rows, limit, ({ id }) => id);
    const before = nextCursor ?? end?.[0]?.before ?? null;
    return {
      orders,
      next: before === null ? null : { before },
      placeOf: ({ id }: Pick<store.OrderRow, 'id' | 'changeNumber'>): Place => ({ before: id }),
    };
  }
  const after = 'changedAfter' in from ? from.changedAfter : changeAt(from.updatedAfter);
  const { found, rows, end } = await ctx.db.run({
    found: shop,
    rows: store.selectChangedOrders({ orgId, after, limit: limit + 1 }, filter),
    end: isFiltered(filter) ? store.selectLookedChange(orgId, after) : undefined,
  });
  if (found) requireShopRow(found);
  const { page: orders, nextCursor } = await completeOrders(ctx, rows, limit, ({ changeNumber }) => changeNumber);
  const changedAfter = nextCursor ?? end?.[0]?.changedAfter ?? null;
  const placeOf = ({ changeNumber }: Pick<store.OrderRow, 'id' | 'changeNumber'>): Place => ({
    changedAfter: changeNumber,
  });
  return { orders, next: changedAfter === null ? null : { changedAfter }, placeOf };
}

type Listed = store.OrderRow & { octets: number };

/**
 * Returns a page of orders from the rows that were read. The large orders of the page are read separately
 * (`completePage`).
 */
export function completeOrders<Cursor>(
  ctx: Context,
  rows: readonly Listed[],
  size: number,
  cursorOf: (row: Listed) => Cursor,
) {
  const orgId = rows[0]?.orgId ?? '';
  return completePage(rows, size, cursorOf, (ids) => ctx.db.rows(store.selectWholeOrders(orgId, inList(ids))));
}

/** Returns the statement that reads a page of orders. */
function pageOfOrders(page: Parameters<typeof store.selectAllOrders>[0], filter: store.OrderFilter) {
  return isFiltered(filter) ? store.selectOrders(page, filter) : store.selectAllOrders(page);
}

function isFiltered(filter: store.OrderFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

/**
 * Returns the customer with this e-mail address, and the number of the customer's orders. Empty if there is none, or if
 * the customer was erased.
 */
export async function findCustomers(ctx: Context, email: string) {
  const { orgId } = requireScope(ctx, 'customers.read');
  return ctx.db.rows(store.selectCustomersByEmail(orgId, email.toLowerCase()));
}

export type FoundCustomer = Awaited<ReturnType<typeof findCustomers>>[number];

/**
 * Searches orders for a text. Returns a filter for lists, from which `foundIds` makes a subquery of order ids. One
 * round trip.
 * @param text one line, as the user entered it
 */
export async function searchOrders(ctx: Context, text: string): Promise<Sought> {
  const { orgId } = requireScope(ctx, 'orders.read');
  const tail = await ctx.db.rows(selectTail(store.SEARCHED_ORDERS, orgId, TAIL_MAX, 'newest'));
  return soughtIn(store.SEARCHED_ORDERS, orgId, readQuery(text), tail);
}

/**
 * Lists the orders that have packs of a batch, for a recall, newest order first. For each order, only its lines with
 * packs of the batch are returned.
 * The law requires some names of erased orders to be kept. A caller who may see prescriptions gets these names, too.
 * Each page writes one row of the audit log.
 * @param input.after the last order of the previous page
 */
export async function findBatch(ctx: Context, input: { batch: string; limit: number; after: string | null }) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { limit, after } = input;
  const batch = foldBatch(input.batch);
  const { rows } = await commit(ctx, {
    audit: recordAudit(ctx, { orgId, action: 'organization.rows_read', entityId: orgId, fields: ['batches'] }),
    rows: store.selectOrdersOfBatch({ orgId, batch, after, limit: limit + 1 }),
  });
  const { page, nextCursor } = pageOf(rows, limit, ({ id }) => id);
  const supplied = page.flatMap((order) => {
    const kept = readsPrescriptionsOf(ctx, order.shopId) ? order.restricted : null;
    return order.items.flatMap((item, line) =>
      (item.batches ?? [])
        // Packs of a cancelled order went back into stock, unless they had left.
        .filter((each) => foldBatch(each.batch) === batch && (each.left || order.status !== 'cancelled'))
        .map((each) => ({
          order,
          line,
          item,
          ...each,
          customerName: order.customerName ?? kept?.customer_name ?? null,
          prescriberName: order.prescriberName ?? kept?.prescriber_name ?? null,
        })),
    );
  });
  return { supplied, nextCursor };
}

export type SuppliedBatch = Awaited<ReturnType<typeof findBatch>>['supplied'][number];
