import { recordAudit } from '../audit/record';
import type { BatchEntry, OutboxEntry } from '../platform/commit';
import type { Context } from '../platform/context';
import { AppError } from '../platform/errors/errors';
import { outboxEvent } from '../webhooks/outbox';
import { suppliedCount, TRANSITIONS } from './rules';
import { type OrderRow, updateOrderRow } from './store';

/** Returns event metadata that name the order's request. */
function requestKeysOf({ orderRequestId, externalReference }: OrderRow) {
  if (orderRequestId === null) return {};
  return { order_request_id: orderRequestId, external_reference: externalReference ?? '' };
}

/**
 * Returns the event `order_updated`.
 * @param changed the wire names of the changed fields
 */
export function orderUpdated(ctx: Context, order: OrderRow, changed: string[]): OutboxEntry {
  return outboxEvent(ctx, {
    type: 'order_updated',
    orgId: order.orgId,
    about: order,
    metadata: { order_id: order.id, changed_fields: changed, ...requestKeysOf(order) },
  });
}

/** Returns the event `order_status_updated`, about a new status or changed flags. */
export function orderStatusUpdated(
  ctx: Context,
  order: OrderRow,
  { status = order.status, flags = [] }: { status?: OrderRow['status']; flags?: string[] },
): OutboxEntry {
  return outboxEvent(ctx, {
    type: 'order_status_updated',
    orgId: order.orgId,
    about: order,
    metadata: {
      order_id: order.id,
      old_status: order.status,
      new_status: status,
      ...(flags.length > 0 && { changed_flags: flags }),
      ...requestKeysOf(order),
    },
  });
}

/** The `holdReason` of a hold that a withdrawal started. The hold ends when staff decide about the withdrawal. */
export const WITHDRAWAL_HOLD = 'withdrawal';

/**
 * Whether a platform may withdraw the order. True if no withdrawal was requested before, the order can still be
 * cancelled, and nothing of the order has left the pharmacy.
 */
export function mayBeWithdrawn({
  status,
  withdrawal,
  supply,
}: Pick<OrderRow, 'status' | 'withdrawal' | 'supply'>): boolean {
  return withdrawal === 'none' && TRANSITIONS[status].includes('cancelled') && suppliedCount({ supply }) === 0;
}

/**
 * Returns the entries that put an order on hold because a platform withdraws it. The hold lasts until staff decide. The
 * batch is undone if the order has changed since it was read.
 */
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

type Asked = Partial<Pick<OrderRow, 'status' | 'withdrawal' | 'onHold'>>;

type Settled = Partial<Pick<OrderRow, 'withdrawal' | 'onHold' | 'holdReason'>>;

/**
 * Returns the columns that decide a requested withdrawal along with another change of the order. Cancelling or
 * returning the order accepts the withdrawal. A decision also lifts the hold that the withdrawal started, but no other
 * hold.
 */
export function settledWithdrawal(order: OrderRow, { status, withdrawal }: Asked): Settled {
  const to = status === 'cancelled' || status === 'returned' ? 'accepted' : withdrawal;
  if (order.withdrawal !== 'requested' || to === undefined) return {};
  return { withdrawal: to, ...(order.holdReason === WITHDRAWAL_HOLD && { onHold: false, holdReason: null }) };
}

/**
 * Refuses to lift an order's hold while a withdrawal is undecided. It may be lifted by a change that cancels the order
 * or decides the withdrawal. Also refuses to decide a withdrawal that is not requested.
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
