import type * as z from 'zod';
import { ordersFields } from '../orders/fields';
import { type Order, type OrderLine, type PaymentLink, supplyOf } from '../orders/service';
import { holds } from '../platform/access';
import type { Context } from '../platform/context';
import { withoutHealth } from '../platform/health-details';
import { responder } from './fields';
import type { lineSchema, paymentLinkSchema } from './order-schemas';
import { wireAmount, wireTime } from './values';

const respondOrder = responder(ordersFields);

/** @param ctx who asks: only some see what a platform said of the person's health */
export function wireOrder(ctx: Pick<Context, 'actor'>, order: Order) {
  return respondOrder({
    ...order,
    platformDetails: detailsFor(ctx, order.platformDetails),
    items: order.items.map((line, place) => wireLineOf(order, line, place)),
  });
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

/** What a platform said beside the contract's members, as far as who asks may see it. */
export function detailsFor(ctx: Pick<Context, 'actor'>, details: Order['platformDetails']) {
  return holds(ctx, 'prescriptions.read') ? details : withoutHealth(details);
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
