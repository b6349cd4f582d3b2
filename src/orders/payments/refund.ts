import { recordAudit } from '../../audit/record';
import { selectRecorded } from '../../audit/service';
import { requireScope } from '../../platform/access';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { AppError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { orderUpdated } from '../news';
import { requireOrder } from '../require';
import type { ReasonCode } from '../rules';
import { type OrderRow, selectOrder, updateOrderRow, type VersionedOrder } from '../store';
import { DIFFERENCE_FIELDS, differenceColumns, overpaidOf, receivedOf } from './overpaid';
import { refundOfLines, withRefund } from './refunded-lines';

export interface Refund {
  /** Null for everything that is not refunded yet. */
  amountCents: number | null;
  reasonCode: ReasonCode;
  note: string | null;
  /**
   * Which packs it is for: how many of each line, at the line's place. The amount is then at most what they come to, and what they
   * come to where it is null. A pack is refunded once.
   */
  lines?: readonly number[];
  /** It gives back what was paid beyond the total (`overpaidOf`), which is no refund of the total. */
  isOverpaid?: boolean;
  /** What was refunded and paid too much, and the lines, as somebody saw them (`refundKey`); without it, any. */
  seen?: string;
}

/** What an order has given back and still has to, and its lines, as a form names them: a program may change the lines meanwhile. */
export function refundKey(order: Pick<OrderRow, 'refundedCents' | 'paymentDifferenceCents' | 'items'>): string {
  const lines = order.items.map(({ p1Id, quantity, priceCents }) => `${quantity}x${priceCents}x${p1Id ?? ''}`);
  return [order.refundedCents, order.paymentDifferenceCents ?? 0, ...lines].join(':');
}

/**
 * Records a full or partial refund of a paid order; once everything is refunded, the payment status is refunded. Moves
 * no money and no stock. Two simultaneous refunds cannot exceed the paid amount: the second one is decided on the
 * result of the first, and a CHECK of the row enforces it.
 * @throws AppError `order_not_found`, `not_paid`, `refund_exceeds_paid`, `changed_meanwhile` (since `seen`), `validation_failed`
 *   (packs that the order has not, or that were refunded)
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
    // D1 was sent the batch twice, and the first one was carried out.
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
  const linesCents = refund.lines && refundOfLines(order, refund.lines);
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
