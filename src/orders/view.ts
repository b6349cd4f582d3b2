import { toEur } from '../platform/money';
import type { OrderRow } from './store';
import type { OrderLine } from './tables';

/** An order as the API shows it. */
export function orderView(order: OrderRow) {
  return {
    id: order.id,
    external_id: order.externalId,
    status: order.status,
    payment_status: order.paymentStatus,
    payment_reference: order.paymentReference,
    flags: { on_hold: order.onHold, express: order.express, archived: order.archived },
    hold_reason: order.holdReason,
    cancel_reason_code: order.cancelReasonCode,
    shop_id: order.shopId,
    source: order.source,
    external_reference: order.externalReference,
    order_request_id: order.orderRequestId,
    shipping_option: order.shippingOption,
    items: order.items.map(lineView),
    customer: { id: order.customerId, name: order.customerName, email: order.customerEmail },
    address: {
      street: order.addressStreet,
      city: order.addressCity,
      postal_code: order.addressPostalCode,
      phone: order.addressPhone,
    },
    totals: { total_amount: toEur(order.totalCents) },
    refunded_amount: toEur(order.refundedCents),
    note: order.note,
    created_at: new Date(order.createdAt).toISOString(),
    updated_at: new Date(order.updatedAt).toISOString(),
    paid_at: order.paidAt === null ? null : new Date(order.paidAt).toISOString(),
  };
}

export type OrderView = ReturnType<typeof orderView>;

export function lineView(line: OrderLine) {
  return {
    name: line.name,
    quantity: line.quantity,
    // Contract 5.4: the name that the order upsert takes.
    qty: line.quantity,
    price: toEur(line.priceCents),
    p1_id: line.p1Id,
    prescription_required: line.prescriptionRequired,
    product_name: line.productName ?? null,
  };
}
