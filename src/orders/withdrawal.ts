import { recordAudit } from '../audit/record';
import type { BatchEntry } from '../platform/commit';
import type { Context } from '../platform/context';
import { AppError } from '../platform/errors';
import { orderStatusUpdated, orderUpdated } from './news';
import { suppliedCount } from './parts';
import { TRANSITIONS } from './rules';
import { type OrderRow, updateOrderRow } from './store';
import type { OrderStatus, Withdrawal } from './tables';

/** `holdReason` of a hold that a withdrawal began, and that therefore ends with it. */
export const WITHDRAWAL_HOLD = 'withdrawal';

/** Whether a platform may still withdraw it: nothing has left the pharmacy. */
export function mayBeWithdrawn({
  status,
  withdrawal,
  supply,
}: Pick<OrderRow, 'status' | 'withdrawal' | 'supply'>): boolean {
  return withdrawal === 'none' && TRANSITIONS[status].includes('cancelled') && suppliedCount({ supply }) === 0;
}

/** The statements by which a platform's withdrawal holds an order until staff decide; undone unless the order is as it was read. */
export function withdrawalEntries(ctx: Context, order: OrderRow): BatchEntry[] {
  const { orgId, id, onHold } = order;
  const hold = onHold ? {} : { onHold: true, holdReason: WITHDRAWAL_HOLD };
  return [
    updateOrderRow(order, { ...hold, withdrawal: 'requested', updatedAt: ctx.now() }),
    ...(onHold ? [] : [orderStatusUpdated(ctx, order, { flags: ['on_hold'] })]),
    orderUpdated(ctx, order, ['withdrawal']),
    recordAudit(ctx, {
      orgId,
      action: 'order.updated',
      entityId: id,
      fields: onHold ? ['withdrawal'] : ['on_hold', 'withdrawal'],
    }),
  ];
}

interface Asked {
  status?: OrderStatus;
  withdrawal?: Withdrawal;
  onHold?: boolean;
}

type Settled = Partial<Pick<OrderRow, 'withdrawal' | 'onHold' | 'holdReason'>>;

/**
 * What a change makes of a requested withdrawal: an order that is cancelled or comes back accepts it. Either way the hold goes
 * that it began, and no other.
 */
export function settledWithdrawal(order: OrderRow, { status, withdrawal }: Asked): Settled {
  const to = status === 'cancelled' || status === 'returned' ? 'accepted' : withdrawal;
  if (order.withdrawal !== 'requested' || to === undefined) return {};
  return { withdrawal: to, ...(order.holdReason === WITHDRAWAL_HOLD && { onHold: false, holdReason: null }) };
}

/**
 * A withdrawal is decided by cancelling or refusing, and the hold stays until then.
 * @throws AppError `withdrawal_undecided`, `withdrawal_decided`
 */
export function assertWithdrawal(order: OrderRow, { status, withdrawal, onHold }: Asked): void {
  if (withdrawal !== undefined && order.withdrawal !== 'requested' && withdrawal !== order.withdrawal) {
    throw new AppError('withdrawal_decided', 'No withdrawal of this order is requested, or it is decided already.');
  }
  const isDecided = withdrawal !== undefined || status === 'cancelled';
  if (order.withdrawal === 'requested' && onHold === false && !isDecided) {
    throw new AppError(
      'withdrawal_undecided',
      'The platform withdrew the order. Cancel the order, or refuse the withdrawal; that lifts its hold.',
    );
  }
}
