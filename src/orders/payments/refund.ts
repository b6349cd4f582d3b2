import { recordAudit } from '../../audit/record';
import { selectRecorded } from '../../audit/store';
import { requireScope } from '../../platform/access';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { AppError, invalidField } from '../../platform/errors/errors';
import { newId } from '../../platform/ids';
import { orderUpdated } from '../news';
import { requireOrder } from '../read';
import { carriedOver, type ReasonCode, totalOf, totalsWith, underpaidOf } from '../rules';
import { type OrderRow, selectOrder, updateOrderRow, type VersionedOrder } from '../store';
import type { OrderLine, RefundedLine } from '../tables';

export interface Refund {
  /** The amount to refund, in cents. Null stands for the highest amount that can be refunded. */
  amountCents: number | null;
  reasonCode: ReasonCode;
  note: string | null;
  /**
   * How many packs of each line are refunded, at the index of the line. The price of these packs is then the highest
   * amount that can be refunded. A pack can be refunded once.
   */
  lines?: readonly number[];
  /** Whether the fee is refunded together with `lines`. A refund of the last packs always includes the fee. */
  withFee?: boolean;
  /** Whether an overpayment is returned (`overpaidOf`). It does not count as a refund of the total. */
  isOverpaid?: boolean;
  /** The `refundKey` of the order as the caller saw it. If missing, any state of the order is accepted. */
  seen?: string;
}

/**
 * Returns a text that differs after a change of the refunded amount, the payment difference or the lines. A form posts
 * back the text that it was made with. If the order has another text by then, somebody has changed the order.
 */
export function refundKey(order: Pick<OrderRow, 'refundedCents' | 'paymentDifferenceCents' | 'items'>): string {
  const lines = order.items.map(({ p1Id, quantity, priceCents }) => `${quantity}x${priceCents}x${p1Id ?? ''}`);
  return [order.refundedCents, order.paymentDifferenceCents ?? 0, ...lines].join(':');
}

/**
 * Records that a paid order was refunded, fully or in part. Once everything is refunded, the payment status is
 * `refunded`. No money and no stock is moved.
 * Two refunds at the same time cannot exceed the paid amount. The second one is decided on the result of the first, and
 * a CHECK of the row enforces the limit.
 * @throws AppError `order_not_found`, `not_paid`, `refund_exceeds_paid`, `changed_meanwhile` (since `seen`),
 *   `validation_failed` (packs that the order does not have, or that were refunded)
 */
export function refundOrder(ctx: Context, orderId: string, refund: Refund): Promise<VersionedOrder> {
  const { orgId } = requireScope(ctx, 'orders.write');
  const auditId = newId();
  return retryOnConflict(ctx, async () => {
    const { rows, recorded } = await ctx.db.run({
      rows: selectOrder({ orgId, id: orderId }),
      recorded: selectRecorded(orgId, auditId),
    });
    const order = requireOrder(rows[0]);
    // D1 ran the batch twice, and the first run was committed.
    if (recorded.length > 0) return order;
    if (refund.seen !== undefined && refund.seen !== refundKey(order)) {
      throw new AppError('changed_meanwhile', 'The order was changed or refunded meanwhile. Look at it again.');
    }
    const { columns: refunded, changedFields } = refund.isOverpaid
      ? overpaymentBack(order, refund.amountCents)
      : refundOf(order, refund);
    const columns = { ...refunded, refundNote: refund.note, updatedAt: ctx.now() };
    await commit(ctx, {
      order: updateOrderRow(order, columns),
      event: orderUpdated(ctx, order, changedFields),
      audit: recordAudit(ctx, {
        id: auditId,
        orgId,
        action: 'order.refunded',
        entityId: orderId,
        fields: changedFields,
        reasonCode: refund.reasonCode,
      }),
    });
    return { ...order, ...columns, version: order.version + 1 };
  });
}

function refundOf(order: OrderRow, refund: Refund) {
  const restCents = receivedOf(order) - order.refundedCents;
  if (order.paymentStatus === 'refunded') throw refundExceedsPaid('The order was refunded whole already.');
  if (order.paymentStatus !== 'paid') throw notPaid();
  const linesCents = refund.lines && refundOfLines(order, refund.lines) + feeWith(order, refund);
  const amountCents = refund.amountCents ?? Math.min(linesCents ?? restCents, restCents);
  if (amountCents > Math.min(restCents, linesCents ?? restCents) || amountCents === 0) {
    throw refundExceedsPaid('The refund is larger than the paid amount that is left.');
  }
  const isWhole = amountCents === restCents;
  return {
    columns: {
      refundedCents: order.refundedCents + amountCents,
      ...(refund.lines && { refundedLines: withRefund(order, refund.lines, amountCents) }),
      ...(isWhole && { paymentStatus: 'refunded' as const }),
    },
    changedFields: isWhole ? ['refunded_amount', 'payment_status'] : ['refunded_amount'],
  };
}

function overpaymentBack(order: OrderRow, amount: number | null) {
  if (order.paymentStatus !== 'paid' && order.paymentStatus !== 'refunded') throw notPaid();
  const overpaid = overpaidOf(order);
  const amountCents = amount ?? overpaid;
  if (amountCents > overpaid || amountCents === 0) {
    throw refundExceedsPaid('It is more than what was paid too much.');
  }
  const columns = differenceColumns(order, amountCents - overpaid || null);
  return {
    columns,
    changedFields: columns.paymentAction === null ? [...DIFFERENCE_FIELDS] : ['payment_difference'],
  };
}

function notPaid(): AppError {
  return new AppError('not_paid', 'Only a paid order can be refunded. Mark the order as paid first.');
}

export function refundExceedsPaid(why: string): AppError {
  return new AppError('refund_exceeds_paid', why);
}

/**
 * The next functions compute overpayments, which are to be returned. The pharmacy keeps `total − refunded − difference`
 * of a paid order. A change of the lines does not alter this amount. A refund lowers it by the refunded amount.
 */

type Paid = Pick<OrderRow, Sum | 'paymentStatus' | 'refundedCents' | 'paymentDifferenceCents' | 'paymentAction'>;
type Sum = 'feeCents' | 'discountCents' | 'totalCents';
type Sums = Pick<OrderRow, Sum | 'refundedCents'>;

/** The overpaid amount in cents; 0 if none. */
export function overpaidOf({ paymentDifferenceCents }: Pick<Paid, 'paymentDifferenceCents'>): number {
  return Math.max(0, -(paymentDifferenceCents ?? 0));
}

/**
 * Returns the columns of an order after its total has changed, or after a part of its refunds no longer counts. If the
 * order was refunded in full and its total rises, its payment status becomes `paid` again. Then the open amount can be
 * collected or refunded.
 * @returns `columns`, and the names of the columns that change (`changed`)
 */
export function moneyAfter(order: Paid, after: Sums) {
  const isRaised = order.paymentStatus === 'refunded' && after.totalCents > order.totalCents;
  const columns = {
    ...after,
    ...differenceColumns(order, overpaidAfter(order, after)),
    ...(isRaised && { paymentStatus: 'paid' as const }),
  };
  const keys = Object.keys(columns) as (keyof typeof columns)[];
  return { columns, changed: keys.filter((key) => columns[key] !== order[key]) };
}

type Content = Pick<OrderRow, 'items' | 'feeCents' | 'discountCents'>;

/**
 * Returns the columns of an order after its lines, fee or discount have changed. No payment is booked.
 * @throws AppError `refund_exceeds_paid`
 */
export function moneyWith(order: Paid, after: Content) {
  const sums = totalsWith(after.items, after);
  if (sums.totalCents < order.refundedCents) throw refundExceedsPaid('More than the new total was refunded already.');
  return moneyAfter(order, { ...sums, refundedCents: order.refundedCents });
}

/** @throws AppError `validation_failed` if the discount exceeds the sum of items and fee */
export function assertDiscount({ items, feeCents, discountCents }: Content): void {
  const max = totalOf(items) + feeCents;
  if (discountCents <= max) return;
  throw invalidField('/discount_amount', 'too_big', 'Allowed: at most what items and fee come to.');
}

/** Returns how much of a paid order's total the customer has paid, in cents. Refunds are not subtracted. */
export function receivedOf(order: Pick<Paid, 'totalCents' | 'paymentDifferenceCents'>): number {
  return order.totalCents - underpaidOf(order);
}

/**
 * Returns the new `paymentDifferenceCents` of a paid order after its total or refunds have changed, so that the
 * pharmacy keeps the same amount; null for no difference.
 */
function overpaidAfter(order: Paid, after: Sums): number | null {
  const { paymentStatus, totalCents, refundedCents, paymentDifferenceCents } = order;
  if (paymentStatus !== 'paid' && paymentStatus !== 'refunded') return paymentDifferenceCents;
  const kept = totalCents - refundedCents - (paymentDifferenceCents ?? 0);
  return after.totalCents - after.refundedCents - kept || null;
}

/** Wire names of the two columns of a payment difference. */
export const DIFFERENCE_FIELDS = ['payment_action', 'payment_difference'] as const;

/**
 * Returns the columns for a payment difference. By default, an overpayment is refunded and an underpayment is
 * collected. A decided action stays, unless an overpayment became an underpayment or the other way round.
 */
export function differenceColumns(order: Paid, difference: number | null) {
  if (difference === null) return { paymentDifferenceCents: null, paymentAction: null };
  const isSame = Math.sign(order.paymentDifferenceCents ?? 0) === Math.sign(difference);
  const paymentAction = (isSame ? order.paymentAction : null) ?? (difference < 0 ? 'refund' : 'collect');
  return { paymentDifferenceCents: difference, paymentAction } as const;
}

/** The next functions are about refunds by line. Such a refund names the packs for which money was returned. */

type Refunded = Pick<OrderRow, 'items' | 'refundedLines'>;

const NOTHING: RefundedLine = { quantity: 0, cents: 0 };

/** Returns the refunded packs and cents of a line. */
export function refundedOf({ refundedLines }: Pick<Refunded, 'refundedLines'>, place: number): RefundedLine {
  return refundedLines?.[place] ?? NOTHING;
}

/**
 * Returns the price of these packs, in cents. At most this amount is refunded for them.
 * @param quantities the number of packs of each line
 * @throws AppError `validation_failed` for no packs, or for more packs than are left to refund
 */
function refundOfLines(order: Refunded, quantities: readonly number[]): number {
  order.items.forEach(({ quantity }, place) => {
    const asked = quantities[place] ?? 0;
    const left = quantity - refundedOf(order, place).quantity;
    if (Number.isInteger(asked) && asked >= 0 && asked <= left) return;
    throw invalidField(`/lines/${place}/quantity`, 'invalid_value', `Send 0 to ${left}.`);
  });
  const cents = order.items.reduce((sum, { priceCents }, place) => sum + priceCents * (quantities[place] ?? 0), 0);
  if (cents > 0) return cents;
  throw invalidField('/lines/0/quantity', 'invalid_value', 'Say what is refunded.');
}

/**
 * Returns the part of the fee that is refunded together with lines, in cents. It is the rest of the fee (`feeLeft`) if
 * `withFee` is set, or if this refund leaves no pack to refund. Otherwise it is 0.
 */
export function feeWith(order: Refunded & FeeOf, { lines = [], withFee }: Pick<Refund, 'lines' | 'withFee'>): number {
  const isLast = order.items.every(
    ({ quantity }, place) => refundedOf(order, place).quantity + (lines[place] ?? 0) >= quantity,
  );
  return withFee || isLast ? feeLeft(order) : 0;
}

type FeeOf = Pick<OrderRow, 'feeCents' | 'refundedCents'>;

/**
 * Returns the part of the fee that is not refunded yet, in cents. A refund that names no lines first refunds the fee.
 */
export function feeLeft(order: Refunded & FeeOf): number {
  const ofLines = order.refundedLines?.reduce((sum, { cents }) => sum + cents, 0) ?? 0;
  return Math.max(0, order.feeCents - (order.refundedCents - ofLines));
}

/**
 * Returns the refunded lines after a further refund of packs. The amount is divided among the lines in proportion to
 * the price of their refunded packs. The last line takes the rounding difference. The part of the amount that
 * exceeds the price of all these packs is a refund of the fee.
 */
function withRefund(order: Refunded, quantities: readonly number[], amountCents: number): RefundedLine[] {
  const whole = refundOfLines(order, quantities);
  // An amount above the price of the lines is a refund of the fee.
  let [open, left] = [whole, Math.min(whole, amountCents)];
  return order.items.map(({ priceCents }, place) => {
    const before = refundedOf(order, place);
    const quantity = quantities[place] ?? 0;
    const own = priceCents * quantity;
    const cents = open === 0 ? 0 : Math.round((left * own) / open);
    [open, left] = [open - own, left - cents];
    return { quantity: before.quantity + quantity, cents: before.cents + cents };
  });
}

/**
 * Returns the refunded lines after the order's lines have changed. The new line with the same product keeps the refund
 * of the earlier line. If the new line has fewer packs than were refunded, the refund is dropped.
 */
export function refundedAfter(order: Refunded, items: readonly OrderLine[]): RefundedLine[] | null {
  if (order.refundedLines === null) return null;
  const lines = carriedOver(order.items, items, (place) => refundedOf(order, place));
  return items.map(({ quantity }, place) => {
    const line = lines[place];
    return line && line.quantity <= quantity ? line : NOTHING;
  });
}
