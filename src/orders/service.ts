import { recordAudit } from '../audit/record';
import { journaling } from '../audit/service';
import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { inList, mustChangeOne } from '../platform/db';
import { ring } from '../platform/doorbell';
import { AppError } from '../platform/errors';
import { againOnRace } from '../platform/race';
import { announce } from '../webhooks/outbox';
import { eraseReferencesOfOrders } from './erasure';
import { requireOrder } from './require';
import { selectOrder, selectOrdersHolding, updateOrderRow } from './store';
import { ERASED_ORDER } from './store-erasure';
import { type OrderView, orderView } from './view';

export { changeOrder, type OrderPatch } from './change';
export { createOrder, type OrderDraft } from './create';
export { findCustomer } from './customers';
export { getOrderDetail, listOrders, listOrdersAndShops, type OrderDetail } from './detail';
export {
  customerNotFound,
  eraseCustomer,
  eraseDeletedOrders,
  eraseIdleCustomersOf,
  eraseOrdersIn,
  eraseReferencesOfOrders,
  holdCustomer,
  loadCustomer,
  noOrderIsOpen,
  openOrdersOf,
  ordersOf,
  requestsOf,
} from './erasure';
export { matchLines, namedProducts, type RequestedLine } from './lines';
export { createPaymentLink, getPaymentPage, markOrderPaid, type PaymentPage, whyNotPayable } from './payments';
export { addOrderPrescription } from './prescription';
export { type Refund, refundOrder } from './refund';
export { allowedTransitions, initialStatus, REASON_CODES, type ReasonCode, TRANSITIONS } from './rules';
export { ordersEndedBefore } from './store-erasure';
export {
  ORDER_PAYMENT_STATUSES,
  ORDER_STATUSES,
  type OrderLine,
  type OrderPaymentStatus,
  type OrderStatus,
} from './tables';
export { asShortage, type OrderUpsert, upsertOrder } from './upsert';
export { lineView, type OrderView, orderView } from './view';

/** The statement that finds orders by what somebody names, for the caller's own batch; `orderView` reads its rows. */
export function ordersHolding(ctx: Context, orgId: string, search: string, limit: number) {
  return selectOrdersHolding(ctx.db, orgId, search, limit);
}

/** @throws AppError `order_not_found` */
export async function getOrder(ctx: Context, orderId: string): Promise<OrderView> {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { rows } = await ctx.db.run({ rows: selectOrder(ctx.db, orgId, orderId) });
  return orderView(requireOrder(rows[0]));
}

/**
 * Deletes a cancelled order: it leaves every list and names nobody any more, nor does what was said about it; its
 * skeleton stays.
 * @throws AppError `order_not_found`, `order_not_deletable`
 */
export function deleteOrder(ctx: Context, orderId: string): Promise<void> {
  const { orgId } = requireScope(ctx, 'orders.write');
  return journaling(ctx, (write) =>
    againOnRace(ctx, async () => {
      const { rows } = await ctx.db.run({ rows: selectOrder(ctx.db, orgId, orderId) });
      const order = requireOrder(rows[0]);
      if (order.status !== 'cancelled') {
        throw new AppError(
          'conflict',
          'order_not_deletable',
          'Only a cancelled order can be deleted. Cancel it first.',
        );
      }
      await write({ orgId, kind: 'order', orderIds: [orderId] });
      const now = ctx.now();
      const outbox = announce(ctx, { type: 'order_deleted', orgId, metadata: { order_id: orderId } });
      const { deliveries } = await ctx.db.run({
        // Not marked as erased: retention still has its request to see to.
        order: updateOrderRow(ctx.db, order, { ...ERASED_ORDER, deletedAt: now, updatedAt: now }),
        guard: mustChangeOne(ctx.db),
        references: eraseReferencesOfOrders(ctx, orgId, inList([orderId]), order.createdAt),
        ...outbox,
        audit: recordAudit(ctx, { orgId, action: 'order.deleted', entityId: orderId }),
      });
      ctx.defer(ring(ctx, ctx.queues.webhookDeliveries, deliveries ?? []));
    }),
  );
}
