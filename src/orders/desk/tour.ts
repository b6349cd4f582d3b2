import { selectShops } from '../../inventory/service';
import { requireScope } from '../../platform/access';
import { commit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { ABOVE_ALL_IDS } from '../../platform/ids';
import { type Day, endOf, startOf } from '../../platform/pharmacy-time';
import { changeOrder } from '../change';
import { completeOrders } from '../list';
import type { OrderPatch } from '../patch';
import { loadOrder } from '../read';
import type { Order } from '../store';
import { countsOf, deskCounts } from './list';
import { type DeskFilter, isDeskLooked, selectDesk, selectDeskEnd } from './store';
import { selectCarried, selectSequence, writeSequence } from './store-tour';

/** As many stops as one tour shows: the newest. Its page stays below 60 KB. */
export const TOUR_MAX = 70;

/**
 * What the pharmacy's courier takes along, in the order in which the stops are made: as staff arranged them, the others by postal
 * code, town, street and house number; and what was handed over on the day. `older` says that older stops are not among them. One
 * round trip.
 * @param day of which it says what was handed over; what waits is for the next tour, whichever day it is
 */
export async function readTour(ctx: Context, { day, shopId }: { day: Day; shopId?: string }) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const page = { orgId, before: ABOVE_ALL_IDS, limit: TOUR_MAX + 1 };
  const filter: DeskFilter = { part: 'courier', shopId };
  const { rows, end, carried, sequence, shops, counted } = await ctx.db.run({
    rows: selectDesk(page, filter),
    end: isDeskLooked(filter) ? selectDeskEnd('courier', page, filter) : undefined,
    carried: selectCarried({ orgId, from: startOf(day), to: endOf(day) }),
    sequence: selectSequence({ orgId }),
    shops: selectShops({ orgId }),
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

/** Where the stops end that are not on the tour; not certain are those of a shop behind all orders that were looked through. */
function olderStops(nextCursor: string | null, lookedEnd: string | null) {
  const before = nextCursor ?? lookedEnd;
  return before === null ? null : { before, isCertain: nextCursor !== null };
}

export type Tour = Awaited<ReturnType<typeof readTour>>;

let collator: Intl.Collator | undefined;

/** As streets are walked: 2 before 10. */
function byAddress(one: Order, other: Order): number {
  // Late: the first one loads the runtime's data about languages.
  collator ??= new Intl.Collator('de', { numeric: true });
  for (const key of ['addressPostalCode', 'addressCity', 'addressStreet', 'customerName'] as const) {
    // Without an address it comes first: somebody has to ask.
    const order = collator.compare(one[key] ?? '', other[key] ?? '');
    if (order !== 0) return order;
  }
  return one.number - other.number;
}

/**
 * Keeps in which order these stops are made; others keep their place.
 * @param orderIds at most `TOUR_MAX`
 * @param isByAddress they are made by address
 */
export async function arrangeTour(ctx: Context, orderIds: readonly string[], isByAddress: boolean): Promise<void> {
  const { orgId } = requireScope(ctx, 'orders.write');
  const stops = orderIds.slice(0, TOUR_MAX);
  await commit(ctx, { sequence: writeSequence(orgId, isByAddress ? [] : stops, stops) });
}

/**
 * Hands an order over at the customer's door: it leaves and arrives, each step a command of its own; sent again, it goes on where it
 * ended. Of which a part is still to come, that stays here and is packed when it comes (`isPart`). What `changeOrder` asks before goods leave is asked here, too.
 * @throws AppError as `changeOrder`
 */
export async function deliverOrder(ctx: Context, orderId: string, patch: Omit<OrderPatch, 'status'>): Promise<void> {
  const { orgId } = requireScope(ctx, 'orders.write');
  if (patch.isPart) {
    await changeOrder(ctx, orderId, { ...patch, status: 'shipped' });
    return;
  }
  const { status } = await loadOrder(ctx, orgId, orderId);
  // Whoever opens the door is not told that the order is on its way.
  const silent = { ...ctx, mail: null };
  if (status !== 'shipped' && status !== 'delivered') {
    await changeOrder(silent, orderId, { ...patch, status: 'shipped' });
  }
  await changeOrder(ctx, orderId, { status: 'delivered' });
}
