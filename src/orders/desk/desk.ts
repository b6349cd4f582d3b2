import { recordAudit } from '../../audit/record';
import { type OrderableProducts, orderableByShop } from '../../inventory/browse';
import { selectOrderable } from '../../inventory/store-listings';
import { requireScope } from '../../platform/access';
import { commit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { inParts } from '../../platform/data/page';
import { AppError } from '../../platform/errors/errors';
import { ABOVE_ALL_IDS } from '../../platform/ids';
import { type Day, dayOf, endOf, startOf } from '../../platform/pharmacy-time';
import { expiredOf, isUncovered } from '../../prescriptions/coverage';
import { type PrescriptionRow, selectPrescriptionsOfOrders } from '../../prescriptions/store';
import { isPickup } from '../../tenants/rules';
import { selectPrescriptionValidDays, selectShopsWithHost } from '../../tenants/store';
import { changeOrder, type OrderPatch } from '../change';
import { DESK_FILE_MAX, TOUR_MAX } from '../limits';
import { completeOrders, loadOrder, searchOrders } from '../read';
import {
  allowedTransitions,
  handOverQuestions,
  isLeaving,
  isNothingHere,
  owedCount,
  prescribedOf,
  waitsForPacking,
} from '../rules';
import { isBlocking, shippingNotices } from '../shipping';
import type { Order } from '../store';
import type { OrderStatus } from '../tables';
import * as store from './store';

/** Filters of the staff's list of orders, and a text to search for. */
export interface DeskSearch extends Omit<store.DeskFilter, 'sought'> {
  search?: string;
}

interface DeskQuery extends DeskSearch {
  limit: number;
  /** Only orders older than this id; null to begin with the newest. */
  before: string | null;
}

/**
 * Reads a page of the staff's list of orders, newest first. Also returns the names of all shops, including inactive
 * ones, and the number of orders in each part.
 * If no index fits the filter, a page may be short although more orders follow. One round trip, or two if a text is
 * searched.
 */
export async function readDesk(ctx: Context, { limit, before, ...query }: DeskQuery) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const filter = await soughtBy(ctx, query);
  const page = { orgId, before: before ?? ABOVE_ALL_IDS, limit: limit + 1 };
  const { rows, end, shops, counted } = await ctx.db.run({
    rows: store.selectDesk(page, filter),
    end: filter.part && store.isDeskLooked(filter) ? store.selectDeskEnd(filter.part, page, filter) : undefined,
    shops: selectShopsWithHost({ orgId }),
    counted: deskCounts(ctx, orgId),
  });
  const { page: orders, nextCursor } = await completeOrders(ctx, rows, limit, ({ id }) => id);
  return { orders, shops, counts: countsOf(counted), nextCursor: nextCursor ?? end?.[0]?.before ?? null };
}

/** Returns the query that counts orders for the tabs of the orders pages. It does not count the orders to be packed. */
export function deskCounts(ctx: Context, orgId: string) {
  return store.countDesk({ orgId, day: dayOf(ctx.now()) });
}

/** Returns the only row of the query `deskCounts`. */
export function countsOf(counted: readonly store.DeskCounts[]): store.DeskCounts {
  // SAFETY: the query always returns one row.
  return counted[0] as store.DeskCounts;
}

async function soughtBy(ctx: Context, { search, ...filter }: DeskSearch): Promise<store.DeskFilter> {
  return search === undefined ? filter : { ...filter, sought: await searchOrders(ctx, search) };
}

export type Desk = Awaited<ReturnType<typeof readDesk>>;

/**
 * Returns a line of a file for each order of the list. Null if there are more orders than `DESK_FILE_MAX`. First writes
 * the number of orders to the audit log.
 * Two round trips, or three if a text is searched. More if orders are large, because these are read in parts.
 * @param lineOf makes the line of an order, so that nothing else of the order is kept in memory
 */
export async function exportDesk<Line>(
  ctx: Context,
  query: DeskSearch,
  lineOf: (order: Order, shopName: string | null) => Line,
): Promise<Line[] | null> {
  const { orgId } = requireScope(ctx, 'orders.read');
  const filter = await soughtBy(ctx, query);
  const { rows, shops } = await ctx.db.run({
    rows: store.selectDesk({ orgId, before: ABOVE_ALL_IDS, limit: DESK_FILE_MAX + 1 }, filter),
    shops: selectShopsWithHost({ orgId }),
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

/** The steps that staff can take with several orders at once. */
export const BULK_STEPS = ['ready', 'shipped'] as const;
export type BulkStep = (typeof BULK_STEPS)[number];

/** Why the bulk step skips an order. Staff have to look at it individually. */
export type BulkRefusal =
  | 'withdrawn'
  | 'on_hold'
  | 'original_missing'
  | 'not_covered'
  | 'nothing_here'
  | 'not_packed'
  | 'rest_owed'
  | 'other_status'
  | 'payment_open'
  | 'address_missing'
  | 'prescription_expired'
  | 'rule_blocks';

export interface BulkOrder {
  order: Order;
  isDone: boolean;
  /** Why the step is refused for this order. Null if the step is done already, or if nothing prevents it. */
  refusal: BulkRefusal | null;
}

/** Returns the status that a step leads to. The status for `ready` depends on the shipping option. */
function statusAfter(order: Order, step: BulkStep): OrderStatus {
  if (step === 'shipped') return 'shipped';
  return isPickup(order.shippingOption) ? 'ready_pickup' : 'ready_shipping';
}

const isTaken = { ready: ['ready_pickup', 'ready_shipping'], shipped: ['shipped', 'delivered'] } as const;

/** Returns why a step is refused for an order; null if it is not refused. Prescriptions are not considered. */
export function bulkRefusal(order: Order, step: BulkStep): BulkRefusal | null {
  const to = statusAfter(order, step);
  if (order.withdrawal === 'requested') return 'withdrawn';
  if (order.onHold) return 'on_hold';
  if (order.originalMissing) return 'original_missing';
  if (!allowedTransitions(order).includes(to)) return 'other_status';
  if (isNothingHere(order)) return 'nothing_here';
  if (waitsForPacking(order, to)) return 'not_packed';
  // The hand-over of a part must be confirmed for each order.
  if (isLeaving(to) && owedCount(order) > 0) return 'rest_owed';
  const { isUnpaid, isAddressMissing } = handOverQuestions(order, to, []);
  if (isAddressMissing) return 'address_missing';
  return isUnpaid ? 'payment_open' : null;
}

/**
 * Returns why a step is refused for an order; null if it is not refused. Prescriptions are considered too.
 * @param prescriptions the prescriptions of the order and its request
 */
function refusalOf(
  order: Order,
  step: BulkStep,
  prescriptions: readonly PrescriptionRow[],
  products: OrderableProducts,
  valid: { at: number; days: number },
): BulkRefusal | null {
  const plain = bulkRefusal(order, step);
  if (plain !== null) return plain;
  if (isUncovered(prescriptions, order.items, prescribedOf(order.items))) return 'not_covered';
  const expired = step === 'shipped' && expiredOf(prescriptions, valid.at, valid.days).length > 0;
  if (expired) return 'prescription_expired';
  const { shopId, shippingOption: option, items } = order;
  const sent = { shopId, option, today: dayOf(valid.at) };
  const isRuled = step === 'shipped' && shippingNotices(items, products, sent, 'rules').some(isBlocking);
  return isRuled ? 'rule_blocks' : null;
}

/**
 * Returns the orders of a selection, newest first. For each order, says whether the step is done already, or why it is
 * refused. Unknown numbers are left out.
 */
export async function readBulk(ctx: Context, numbers: readonly number[], step: BulkStep): Promise<BulkOrder[]> {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { ids, requestIds, shopIds, p1Ids } = store.numbered(orgId, numbers);
  const { rows, prescriptions, products, settings } = await ctx.db.run({
    rows: store.selectNumbered(orgId, numbers),
    prescriptions: selectPrescriptionsOfOrders(orgId, ids, requestIds),
    products: selectOrderable(orgId, shopIds, p1Ids),
    settings: selectPrescriptionValidDays({ orgId }),
  });
  const productsOf = orderableByShop(products);
  const valid = { at: ctx.now(), days: settings[0]?.validDays ?? 0 };
  return rows.map((order) => {
    const own = prescriptions.filter(
      ({ orderId, orderRequestId }) =>
        orderId === order.id || (orderRequestId !== null && orderRequestId === order.orderRequestId),
    );
    const done = isTaken[step].some((taken) => taken === order.status);
    return {
      order,
      isDone: done,
      refusal: done ? null : refusalOf(order, step, own, productsOf(order.shopId), valid),
    };
  });
}

/**
 * The number of statements after which no further step begins. D1 allows 1,000 queries per invocation, and posting to
 * subscribers shares them.
 */
const STATEMENTS_MAX = 700;

/**
 * Takes a step with each order of a selection, except orders for which the step is refused. Each order has its own
 * command and batch. If the invocation has no queries left, the remaining orders stay unchanged.
 * Nothing is packed, confirmed or answered on anybody's behalf. Safe to repeat: a second call continues where the first
 * one stopped.
 * @param numbers at most `BULK_MAX`
 */
export async function stepOrders(ctx: Context, numbers: readonly number[], step: BulkStep): Promise<void> {
  requireScope(ctx, 'orders.write');
  const one = { ...ctx, mail: ctx.mail && { ...ctx.mail, isLater: true } };
  for (const { order, isDone, refusal } of await readBulk(ctx, numbers, step)) {
    if (isDone || refusal !== null || ctx.db.meter.statements >= STATEMENTS_MAX) continue;
    try {
      await changeOrder(one, order.id, { status: statusAfter(order, step) });
    } catch (error) {
      // The order was changed since it was read. It is skipped, and the page shows its current state.
      if (!(error instanceof AppError && (error.kind === 'conflict' || error.kind === 'not_found'))) throw error;
    }
  }
}

/** Returns the orders of a selection, with the data for their slips and labels. */
export async function readPapers(ctx: Context, numbers: readonly number[]) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { shopIds, p1Ids } = store.numbered(orgId, numbers);
  const { rows, shops, products } = await ctx.db.run({
    rows: store.selectNumbered(orgId, numbers),
    shops: store.selectSenders(orgId, shopIds),
    products: selectOrderable(orgId, shopIds, p1Ids),
  });
  const productsOf = orderableByShop(products);
  const orders: readonly Order[] = rows;
  return orders.map((order) => {
    const shop = shops.find(({ id }) => id === order.shopId) ?? null;
    return { order, products: productsOf(order.shopId), shop, shopName: shop?.name ?? null };
  });
}

export type Papers = Awaited<ReturnType<typeof readPapers>>[number];

/**
 * Returns the stops of the pharmacy's courier. Stops that staff arranged come first, in the arranged sequence. The
 * others follow, sorted by postal code, town, street and house number.
 * Also returns the orders that were handed over on `day`. `older` is not null if older stops are or may be left out.
 * One round trip.
 * @param day the day whose handed-over orders are returned; waiting stops do not depend on it
 */
export async function readTour(ctx: Context, { day, shopId }: { day: Day; shopId?: string }) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const page = { orgId, before: ABOVE_ALL_IDS, limit: TOUR_MAX + 1 };
  const filter: store.DeskFilter = { part: 'courier', shopId };
  const { rows, end, carried, sequence, shops, counted } = await ctx.db.run({
    rows: store.selectDesk(page, filter),
    end: store.isDeskLooked(filter) ? store.selectDeskEnd('courier', page, filter) : undefined,
    carried: store.selectCarried({ orgId, from: startOf(day), to: endOf(day) }),
    sequence: store.selectSequence({ orgId }),
    shops: selectShopsWithHost({ orgId }),
    counted: deskCounts(ctx, orgId),
  });
  const places = new Map(sequence[0]?.sequence.map((id, place) => [id, place]));
  const placeOf = ({ id }: Order) => places.get(id) ?? Number.MAX_SAFE_INTEGER;
  const { page: newest, nextCursor } = await completeOrders(ctx, rows, TOUR_MAX, ({ id }) => id);
  const stops: Order[] = newest.toSorted((one, other) => placeOf(one) - placeOf(other) || byAddress(one, other));
  const isOfShop = (order: Order) => shopId === undefined || order.shopId === shopId;
  const older = olderStops(nextCursor, end?.[0]?.before ?? null);
  return { stops, older, carried: carried.filter(isOfShop), shops, counts: countsOf(counted) };
}

/**
 * Returns the cursor of the older stops that the tour leaves out (`before`); null if there are none. `isCertain` is
 * false if the search for a shop's stops ended at its limit, because it is then unknown whether there are older stops.
 */
function olderStops(nextCursor: string | null, lookedEnd: string | null) {
  const before = nextCursor ?? lookedEnd;
  return before === null ? null : { before, isCertain: nextCursor !== null };
}

export type Tour = Awaited<ReturnType<typeof readTour>>;

let collator: Intl.Collator | undefined;

/** Compares stops by address, with numeric order (2 before 10). */
function byAddress(one: Order, other: Order): number {
  // The collator is created on first use, because it loads the runtime's language data.
  collator ??= new Intl.Collator('de', { numeric: true });
  for (const key of ['addressPostalCode', 'addressCity', 'addressStreet', 'customerName'] as const) {
    // An order without an address comes first, because somebody has to ask for it.
    const order = collator.compare(one[key] ?? '', other[key] ?? '');
    if (order !== 0) return order;
  }
  return one.number - other.number;
}

/**
 * Stores the sequence of these stops. Other stops that were arranged before are put after them.
 * @param orderIds at most `TOUR_MAX`
 * @param isByAddress removes these stops from the sequence, so that they are sorted by address
 */
export async function arrangeTour(ctx: Context, orderIds: readonly string[], isByAddress: boolean): Promise<void> {
  const { orgId } = requireScope(ctx, 'orders.write');
  const stops = orderIds.slice(0, TOUR_MAX);
  await commit(ctx, { sequence: store.writeSequence(orgId, isByAddress ? [] : stops, stops) });
}

/**
 * Hands an order over at the customer's door. One batch marks it as shipped, a second one as delivered. Safe to repeat:
 * a second call continues where the first one stopped. With `isPart`, only the packs in the pharmacy leave, and the
 * order is not marked as delivered. The other packs are packed after they have arrived. Staff must answer the same
 * questions as in `changeOrder`.
 * @throws AppError as `changeOrder`
 */
export async function deliverOrder(ctx: Context, orderId: string, patch: Omit<OrderPatch, 'status'>): Promise<void> {
  const { orgId } = requireScope(ctx, 'orders.write');
  if (patch.isPart) {
    await changeOrder(ctx, orderId, { ...patch, status: 'shipped' });
    return;
  }
  const { status } = await loadOrder(ctx, orgId, orderId);
  // The customer at the door gets no e-mail that the order is on its way.
  const silent = { ...ctx, mail: null };
  if (status !== 'shipped' && status !== 'delivered') {
    await changeOrder(silent, orderId, { ...patch, status: 'shipped' });
  }
  await changeOrder(ctx, orderId, { status: 'delivered' });
}
