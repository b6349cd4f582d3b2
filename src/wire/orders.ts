import type * as z from 'zod';
import { ordersFields } from '../orders/fields';
import { type Order, type OrderLine, type PaymentLink, supplyOf } from '../orders/service';
import { responder } from './fields';
import type { lineSchema, paymentLinkSchema } from './order-schemas';
import { wireAmount, wireTime } from './values';

const respondOrder = responder(ordersFields);

export function wireOrder(order: Order) {
  return respondOrder({ ...order, items: order.items.map((line, place) => wireLineOf(order, line, place)) });
}

/** A line of an order; where the order is supplied in parts, with what has left and what is still to come. */
function wireLineOf(order: Order, line: OrderLine, place: number): z.input<typeof lineSchema> {
  if (order.supply === null) return wireLine(line);
  const { owed, expectedOn, supplied } = supplyOf(order, place);
  return {
    ...wireLine(line),
    supplied,
    later: owed > 0 && expectedOn !== null ? { quantity: owed, expected_on: expectedOn } : null,
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
    ...(line.isCoPayment && { co_payment: true as const }),
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
