import { recordAudit } from '../audit/record';
import { orderableById } from '../inventory/browse';
import { moveOrderStock } from '../inventory/ledger';
import { selectOrderable } from '../inventory/store-listings';
import { requireRole } from '../platform/access';
import { commit } from '../platform/commit';
import { retryOnConflict } from '../platform/conflict';
import type { Context } from '../platform/context';
import { AppError, invalidField } from '../platform/errors/errors';
import { orderStatusUpdated, orderUpdated, settledWithdrawal } from './news';
import { requireOrder } from './read';
import {
  allowedTransitions,
  areLinesLocked,
  assertWholeHere,
  endMoves,
  InvalidTransition,
  isWeighed,
  promisedOf,
  quantitiesOf,
  suppliedCount,
  supplyOf,
} from './rules';
import { type OrderRow, productsOf, selectOrder, shopIdOf, updateOrderRow } from './store';
import type { OrderLine, ReturnedLine } from './tables';

/**
 * The packs of one line that come back now: how many, and whether they go into stock. A list has one entry for each
 * line of the order, in the same sequence.
 */
export interface ReturnedNow {
  quantity: number;
  isRestocked: boolean;
}

/**
 * Returns how many packs of a line can still come back. If the order was cancelled, only packs that had left before can
 * come back.
 */
export function returnableOf(
  { status, items, supply, returned }: Pick<OrderRow, 'status' | 'items' | 'supply' | 'returned'>,
  place: number,
): number {
  const left = status === 'cancelled' ? supplyOf({ supply }, place).supplied : (items[place]?.quantity ?? 0);
  return left - (returned?.[place]?.quantity ?? 0);
}

/** Whether staff can record now that packs come back. */
export function takesReturns(order: Pick<OrderRow, 'status' | 'shippingOption' | 'supply'>): boolean {
  if (order.status === 'cancelled') return suppliedCount(order) > 0;
  const isOpen = !areLinesLocked(order.status) && order.supply !== null;
  return !isOpen && allowedTransitions(order).includes('returned');
}

/** Returns how many packs of an order came back, in all returns together. */
export function returnedCount({ returned }: Pick<OrderRow, 'returned'>): number {
  return returned?.reduce((sum, { quantity }) => sum + quantity, 0) ?? 0;
}

/**
 * Records which packs came back. Once all packs are back, the order's status is `returned`. Stock rises only for lines
 * with `isRestocked`. Prescription products and weighed products cannot be restocked. Moves no money.
 * @param input.lines one entry for each line of the order
 * @param input.seen the number of returned packs that the form showed, so that a form that is sent twice counts once
 * @throws AppError `order_not_found`, `invalid_transition`, `rest_owed`, `changed_meanwhile`, `validation_failed` (no
 *   packs, or more than have left; not all packs of an order that never left; restocking of a prescription product, of
 *   a weighed product or of a line without a product)
 */
export function returnOrder(
  ctx: Context,
  orderId: string,
  input: { lines: readonly ReturnedNow[]; seen: number },
): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner', 'pharmacist', 'staff']);
  return retryOnConflict(ctx, async () => {
    const { rows, found } = await ctx.db.run({
      rows: selectOrder({ orgId, id: orderId }),
      found: selectOrderable(orgId, shopIdOf(orgId, orderId), productsOf(orgId, orderId)),
    });
    const order = requireOrder(rows[0]);
    const allowed = allowedTransitions(order);
    // True if a part of the order had left before it was cancelled.
    const isCancelled = order.status === 'cancelled' && suppliedCount(order) > 0;
    if (!isCancelled && !allowed.includes('returned')) throw new InvalidTransition(order.status, 'returned', allowed);
    if (returnedCount(order) !== input.seen || input.lines.length !== order.items.length) {
      throw new AppError('changed_meanwhile', 'The order was changed elsewhere. Look at it again.');
    }
    const products = orderableById(found);
    const needsPrescription = (item: OrderLine) =>
      item.prescriptionRequired || products.get(item.p1Id ?? '')?.prescriptionRequired !== false;
    const returned = afterReturn(order, input.lines, needsPrescription);
    if (!areLinesLocked(order.status)) assertWholeHere(order);
    const isWhole = !isCancelled && order.items.every(({ quantity }, place) => returned[place]?.quantity === quantity);
    await commitReturn(ctx, order, { returned, isWhole, lines: input.lines });
  });
}

function afterReturn(
  order: OrderRow,
  lines: readonly ReturnedNow[],
  needsPrescription: (item: OrderLine) => boolean,
): ReturnedLine[] {
  const returned = order.items.map((item, place): ReturnedLine => {
    const before = order.returned?.[place] ?? { quantity: 0, restocked: 0 };
    const { quantity, isRestocked } = lines[place] as ReturnedNow;
    const left = returnableOf(order, place);
    const after = before.quantity + quantity;
    if (!Number.isInteger(quantity) || quantity < 0 || quantity > left) {
      throw refused(place, 'quantity', `Send 0 to ${left}.`);
    }
    if (quantity > 0 && isRestocked && (isWeighed(item) || needsPrescription(item))) {
      throw refused(place, 'restock', 'What needs a prescription, was weighed or is no product never goes back.');
    }
    return { quantity: after, restocked: before.restocked + (isRestocked ? quantity : 0) };
  });
  if (lines.every(({ quantity }) => quantity === 0)) throw refused(0, 'quantity', 'Say what comes back.');
  const isPart = order.items.some(({ quantity }, place) => returned[place]?.quantity !== quantity);
  // An order that never left can come back only as a whole, because the lines of such an order can still change.
  if (isPart && !areLinesLocked(order.status))
    throw refused(0, 'quantity', 'The order never left: all of it comes back.');
  return returned;
}

function refused(place: number, member: string, message: string): AppError {
  return invalidField(`/lines/${place}/${member}`, 'invalid_value', message);
}

async function commitReturn(
  ctx: Context,
  order: OrderRow,
  { returned, isWhole, lines }: { returned: ReturnedLine[]; isWhole: boolean; lines: readonly ReturnedNow[] },
): Promise<void> {
  const { orgId, id } = order;
  const restocked = order.items.flatMap((item, place) => {
    const { quantity, isRestocked } = lines[place] as ReturnedNow;
    return isRestocked && quantity > 0 ? [{ ...item, quantity }] : [];
  });
  const step = isWhole ? { status: 'returned' as const, ...settledWithdrawal(order, { status: 'returned' }) } : {};
  await commit(ctx, {
    order: updateOrderRow(order, { returned, ...step, updatedAt: ctx.now() }),
    stock: moveOrderStock(ctx, {
      orgId,
      orderId: id,
      reason: 'return',
      moves: endMoves(promisedOf(order), quantitiesOf(restocked)),
    }),
    event: isWhole ? orderStatusUpdated(ctx, order, { status: 'returned' }) : undefined,
    withdrawal: 'withdrawal' in step ? orderUpdated(ctx, order, ['withdrawal']) : undefined,
    audit: recordAudit(ctx, {
      orgId,
      action: 'order.returned',
      entityId: id,
      fields: isWhole ? ['status'] : undefined,
    }),
  });
}
