import { orderableByShop, selectOrderable } from '../../inventory/service';
import { requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { AppError } from '../../platform/errors';
import { expiredOf, type PrescriptionRow, selectPrescriptionsOfOrders, uncoveredBy } from '../../prescriptions/service';
import { selectPrescriptionValidDays } from '../../tenants/service';
import { changeOrder } from '../change';
import { waitsForPacking } from '../packed';
import { isNothingHere, owedCount } from '../parts';
import { allowedTransitions, handOverQuestions, isLeaving, isPickup, prescribedOf } from '../rules';
import type { Order } from '../store';
import type { OrderStatus } from '../tables';
import { numbered, selectNumbered, selectSenders } from './store';

/** As many orders as one selection may hold. */
export const BULK_MAX = 50;

/** What staff tell of several orders at once. */
export const BULK_STEPS = ['ready', 'shipped'] as const;
export type BulkStep = (typeof BULK_STEPS)[number];

/** Why an order of a selection is left as it is: it has to be looked at alone. */
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
  | 'prescription_expired';

export interface BulkOrder {
  order: Order;
  isDone: boolean;
  /** Null also of an order that was refused for what is over by now, or was not reached. */
  refusal: BulkRefusal | null;
}

/** The status that a step leads to: ready is for whoever fetches it, or for the parcel. */
function statusAfter(order: Order, step: BulkStep): OrderStatus {
  if (step === 'shipped') return 'shipped';
  return isPickup(order.shippingOption) ? 'ready_pickup' : 'ready_shipping';
}

const isTaken = { ready: ['ready_pickup', 'ready_shipping'], shipped: ['shipped', 'delivered'] } as const;

function isDone({ status }: Order, step: BulkStep): boolean {
  return isTaken[step].some((taken) => taken === status);
}

/** What can be said without its prescriptions. */
export function bulkRefusal(order: Order, step: BulkStep): BulkRefusal | null {
  const to = statusAfter(order, step);
  if (order.withdrawal === 'requested') return 'withdrawn';
  if (order.onHold) return 'on_hold';
  if (order.originalMissing) return 'original_missing';
  if (!allowedTransitions(order).includes(to)) return 'other_status';
  if (isNothingHere(order)) return 'nothing_here';
  if (waitsForPacking(order, to)) return 'not_packed';
  // Whoever hands over a part says so for each.
  if (isLeaving(to) && owedCount(order) > 0) return 'rest_owed';
  const { isUnpaid, isAddressMissing } = handOverQuestions(order, to, []);
  if (isAddressMissing) return 'address_missing';
  return isUnpaid ? 'payment_open' : null;
}

/** @param prescriptions those of the order and its request */
function refusalOf(
  order: Order,
  step: BulkStep,
  prescriptions: readonly PrescriptionRow[],
  valid: { at: number; days: number },
): BulkRefusal | null {
  const plain = bulkRefusal(order, step);
  if (plain !== null) return plain;
  if (uncoveredBy(prescriptions, prescribedOf(order.items)).length > 0) return 'not_covered';
  const expired = step === 'shipped' && expiredOf(prescriptions, valid.at, valid.days).length > 0;
  return expired ? 'prescription_expired' : null;
}

/** How each order of a selection stands towards a step, in the order of the numbers; unknown ones are left out. */
export async function readBulk(ctx: Context, numbers: readonly number[], step: BulkStep): Promise<BulkOrder[]> {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { ids, requestIds } = numbered(orgId, numbers);
  const { rows, prescriptions, settings } = await ctx.db.run({
    rows: selectNumbered(orgId, numbers),
    prescriptions: selectPrescriptionsOfOrders(orgId, ids, requestIds),
    settings: selectPrescriptionValidDays({ orgId }),
  });
  const valid = { at: ctx.now(), days: settings[0]?.validDays ?? 0 };
  return rows.map((order) => {
    const own = prescriptions.filter(
      ({ orderId, orderRequestId }) =>
        orderId === order.id || (orderRequestId !== null && orderRequestId === order.orderRequestId),
    );
    const done = isDone(order, step);
    return {
      order,
      isDone: done,
      refusal: done ? null : refusalOf(order, step, own, valid),
    };
  });
}

/** D1 allows 1,000 queries an invocation, and what was committed is posted to subscribers beside it: no step begins after so many. */
const STATEMENTS_MAX = 700;

/**
 * Takes a step with each order of a selection that is as it should be, one command and one batch each, under its own version; the
 * others are left as they are, and so is what one invocation has no queries for. Nothing is packed, confirmed or answered for
 * anybody. Sent twice, it finds what it did and goes on.
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
      // Changed since it was read: it stays as it is, and the page says how it is now.
      if (!(error instanceof AppError && (error.kind === 'conflict' || error.kind === 'not_found'))) throw error;
    }
  }
}

/** The orders of a selection with what their slips and labels say. */
export async function readPapers(ctx: Context, numbers: readonly number[]) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { shopIds, p1Ids } = numbered(orgId, numbers);
  const { rows, shops, products } = await ctx.db.run({
    rows: selectNumbered(orgId, numbers),
    shops: selectSenders(orgId, shopIds),
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
