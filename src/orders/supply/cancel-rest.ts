import { recordAudit } from '../../audit/record';
import { requireRole } from '../../platform/access';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { invalidInput } from '../../platform/errors';
import { wireNames } from '../../platform/fields';
import { ordersFields } from '../fields';
import { orderStatusUpdated, orderUpdated } from '../news';
import { changedMeanwhile } from '../packing/pack';
import { isNothingHere, owedCount, suppliedCount, supplyColumns, supplyKey, supplyOf, withoutOwed } from '../parts';
import { endPaymentLinks } from '../payments/ending';
import { moneyAfter } from '../payments/overpaid';
import { refundedOf } from '../payments/refunded-lines';
import { loadOrder } from '../read';
import { isPickup, type ReasonCode, totalOf } from '../rules';
import { type Order, type OrderRow, updateOrderRow } from '../store';
import { assertNotOnHold, SUPPLY_ROLES } from './split';

/** All that is owed, as a form names it: refused where more or less is by now. */
export function restKey(order: Pick<OrderRow, 'items' | 'supply'>): string {
  return `${owedCount(order)}:${suppliedCount(order)}:${totalOf(order.items)}`;
}

/**
 * Cancels what is still to come, of one line or of all: the lines keep what is there or has left, and total and what is paid too
 * much follow. An order of which everything has left ends with it, as fetched or sent.
 * @param input.line as `supplyKey` gives it; null for all that is owed, which must be as `seen` says it (`restKey`)
 * @throws AppError `order_not_found`, `changed_meanwhile`, `on_hold`, `validation_failed` (nothing of the order would be left:
 *   cancel the order)
 */
export function cancelRest(
  ctx: Context,
  orderId: string,
  input: { line: string | null; seen?: string; reasonCode: ReasonCode },
): Promise<void> {
  const { orgId } = requireRole(ctx, SUPPLY_ROLES);
  return retryOnConflict(ctx, async () => {
    const order = await loadOrder(ctx, orgId, orderId);
    const isMeant = (place: number) =>
      supplyOf(order, place).owed > 0 && (input.line === null || supplyKey(order, place) === input.line);
    const isSeen = input.line !== null || input.seen === restKey(order);
    if (!isSeen || !order.items.some((_, place) => isMeant(place))) throw changedMeanwhile();
    assertNotOnHold(order);
    const left = linesAfter(order, isMeant);
    if (left.items.length === 0) {
      const message = 'Nothing of the order would be left. Cancel the order instead.';
      throw invalidInput([{ pointer: '/line', code: 'invalid_value', message }]);
    }
    const money = moneyAfterEnd(order, left);
    const isEnding = owedCount(left) === 0 && suppliedCount(left) > 0 && isNothingHere(left);
    const status = isPickup(order.shippingOption) ? ('picked_up' as const) : ('shipped' as const);
    const changed = wireNames(ordersFields, ['items', ...money.changed]);
    await commit(ctx, {
      order: updateOrderRow(order, {
        ...left,
        ...money.columns,
        ...(isEnding && { status, ...withoutOwed(left) }),
        updatedAt: ctx.now(),
      }),
      links: money.columns.totalCents === order.totalCents ? undefined : endPaymentLinks(orderId, 'voided'),
      status: isEnding ? orderStatusUpdated(ctx, order, { status }) : undefined,
      event: orderUpdated(ctx, order, changed),
      audit: recordAudit(ctx, {
        orgId,
        action: 'order.rest_cancelled',
        entityId: orderId,
        fields: isEnding ? [`status:${status}`, ...changed] : changed,
        reasonCode: input.reasonCode,
      }),
    });
  });
}

type Lines = Pick<OrderRow, 'items' | 'packing' | 'returned' | 'refundedLines' | 'supply' | 'expectedOn'>;

/** The lines without what is cancelled; of what nothing is left, the line goes, and everything at its place. */
function linesAfter(order: Order, isCancelled: (place: number) => boolean): Lines {
  const lines = order.items.map((item, place) => {
    const supply = supplyOf(order, place);
    if (!isCancelled(place)) return { place, item, supply, refunded: refundedOf(order, place) };
    const quantity = item.quantity - supply.owed;
    return {
      place,
      item: { ...item, quantity },
      supply: { ...supply, owed: 0, expectedOn: null },
      refunded: refundedWithin(order, place, quantity),
    };
  });
  const kept = lines.filter(({ item }) => item.quantity > 0);
  const at = <T>(values: readonly T[] | null) => values && kept.map(({ place }) => values[place] as T);
  return {
    items: kept.map(({ item }) => item),
    packing: at(order.packing),
    returned: at(order.returned),
    refundedLines: order.refundedLines && kept.map(({ refunded }) => refunded),
    ...supplyColumns(kept.map(({ supply }) => supply)),
  };
}

/** What stays refunded of a line with fewer packs: those that were refunded before are the first that are cancelled. */
function refundedWithin(order: Order, place: number, quantity: number) {
  const { quantity: packs, cents } = refundedOf(order, place);
  const cancelled = (order.items[place]?.quantity ?? 0) - quantity;
  const left = Math.max(0, packs - cancelled);
  return { quantity: left, cents: packs === 0 ? 0 : Math.round((cents * left) / packs) };
}

/** What the whole rest's end makes of the total and of what is paid too much, for the page that asks. */
export function moneyWithoutRest(order: Order) {
  return moneyAfterEnd(
    order,
    linesAfter(order, () => true),
  ).columns;
}

/** The total, and what is paid too much: what was refunded for cancelled packs no longer counts as a refund of the total. */
function moneyAfterEnd(order: Order, after: Lines) {
  const totalCents = totalOf(after.items);
  const ofLines = (lines: OrderRow['refundedLines']) => lines?.reduce((sum, { cents }) => sum + cents, 0) ?? 0;
  const ended = ofLines(order.refundedLines) - ofLines(after.refundedLines);
  return moneyAfter(order, { totalCents, refundedCents: Math.min(order.refundedCents - ended, totalCents) });
}
