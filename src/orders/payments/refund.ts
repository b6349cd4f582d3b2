import { recordAudit } from '../../audit/record';
import { requireScope } from '../../platform/access';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { AppError } from '../../platform/errors';
import { orderUpdated } from '../news';
import { loadOrder } from '../read';
import type { ReasonCode } from '../rules';
import { type Order, updateOrderRow } from '../store';

export interface Refund {
  /** Null for everything that is not refunded yet. */
  amountCents: number | null;
  reasonCode: ReasonCode;
  note: string | null;
}

/**
 * Records a full or partial refund of a paid order; once everything is refunded, the payment status is refunded. Moves
 * no money and no stock. Two simultaneous refunds cannot exceed the paid amount: the second one is decided on the
 * result of the first, and a CHECK of the row enforces it.
 * @throws AppError `order_not_found`, `not_paid`, `refund_exceeds_paid`
 */
export function refundOrder(ctx: Context, orderId: string, refund: Refund): Promise<Order> {
  const { orgId } = requireScope(ctx, 'orders.write');
  return retryOnConflict(ctx, async () => {
    const order = await loadOrder(ctx, orgId, orderId);
    const restCents = order.totalCents - order.refundedCents;
    if (order.paymentStatus === 'refunded') throw refundExceedsPaid('The order was refunded whole already.');
    if (order.paymentStatus !== 'paid') {
      throw new AppError('not_paid', 'Only a paid order can be refunded. Mark the order as paid first.');
    }
    const amountCents = refund.amountCents ?? restCents;
    if (amountCents > restCents || amountCents === 0) {
      throw refundExceedsPaid('The refund is larger than the paid amount that is left.');
    }
    const isWhole = amountCents === restCents;
    const changedFields = isWhole ? ['refunded_amount', 'payment_status'] : ['refunded_amount'];
    const columns = {
      refundedCents: order.refundedCents + amountCents,
      refundNote: refund.note,
      ...(isWhole && { paymentStatus: 'refunded' as const }),
      updatedAt: ctx.now(),
    };
    await commit(ctx, {
      order: updateOrderRow(order, columns),
      event: orderUpdated(ctx, order, changedFields),
      audit: recordAudit(ctx, {
        orgId,
        action: 'order.refunded',
        entityId: orderId,
        fields: changedFields,
        reasonCode: refund.reasonCode,
      }),
    });
    return { ...order, ...columns };
  });
}

export function refundExceedsPaid(why: string): AppError {
  return new AppError('refund_exceeds_paid', why);
}
