import type * as z from 'zod';
import type { Order, OrderLine, PaymentLink } from '../../orders/service';
import type { lineSchema, orderSchema, paymentLinkSchema } from './order-schemas';
import { wireAmount, wireTime, wireTimeOrNull } from './values';

export function wireOrder(order: Order): z.input<typeof orderSchema> {
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
    items: order.items.map(wireLine),
    customer: { id: order.customerId, name: order.customerName, email: order.customerEmail },
    address: {
      street: order.addressStreet,
      city: order.addressCity,
      postal_code: order.addressPostalCode,
      phone: order.addressPhone,
    },
    totals: { total_amount: wireAmount(order.totalCents) },
    refunded_amount: wireAmount(order.refundedCents),
    note: order.note,
    created_at: wireTime(order.createdAt),
    updated_at: wireTime(order.updatedAt),
    paid_at: wireTimeOrNull(order.paidAt),
  };
}

export function wireLine(line: OrderLine): z.input<typeof lineSchema> {
  return {
    name: line.name,
    quantity: line.quantity,
    // The name in the order upsert (contract 5.4).
    qty: line.quantity,
    price: wireAmount(line.priceCents),
    p1_id: line.p1Id,
    prescription_required: line.prescriptionRequired,
    product_name: line.productName,
  };
}

export function wirePaymentLink(link: PaymentLink): z.input<typeof paymentLinkSchema> {
  return {
    payment_link_id: link.id,
    url: link.url,
    amount: wireAmount(link.amountCents),
    expires_at: wireTime(link.expiresAt),
  };
}
