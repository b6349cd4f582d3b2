import { invalidInput } from '../../platform/errors';
import { carriedOver } from '../packed';
import type { OrderRow } from '../store';
import type { OrderLine, RefundedLine } from '../tables';

/** Refunds by line: which packs money was given back for. */

type Refunded = Pick<OrderRow, 'items' | 'refundedLines'>;

const NOTHING: RefundedLine = { quantity: 0, cents: 0 };

/** What was refunded of a line. */
export function refundedOf({ refundedLines }: Pick<Refunded, 'refundedLines'>, place: number): RefundedLine {
  return refundedLines?.[place] ?? NOTHING;
}

/**
 * The most that a refund of so many packs of each line comes to, in cents.
 * @param quantities one for each line
 * @throws AppError `validation_failed`: more packs than were not refunded yet, or none
 */
export function refundOfLines(order: Refunded, quantities: readonly number[]): number {
  order.items.forEach(({ quantity }, place) => {
    const asked = quantities[place] ?? 0;
    const left = quantity - refundedOf(order, place).quantity;
    if (Number.isInteger(asked) && asked >= 0 && asked <= left) return;
    throw invalidInput([{ pointer: `/lines/${place}/quantity`, code: 'invalid_value', message: `Send 0 to ${left}.` }]);
  });
  const cents = order.items.reduce((sum, { priceCents }, place) => sum + priceCents * (quantities[place] ?? 0), 0);
  if (cents > 0) return cents;
  const message = 'Say what is refunded.';
  throw invalidInput([{ pointer: '/lines/0/quantity', code: 'invalid_value', message }]);
}

/** The lines after a refund of an amount that is at most what they come to: each bears its share, the last the rest. */
export function withRefund(order: Refunded, quantities: readonly number[], amountCents: number): RefundedLine[] {
  const whole = refundOfLines(order, quantities);
  let [open, left] = [whole, amountCents];
  return order.items.map(({ priceCents }, place) => {
    const before = refundedOf(order, place);
    const quantity = quantities[place] ?? 0;
    const own = priceCents * quantity;
    const cents = open === 0 ? 0 : Math.round((left * own) / open);
    [open, left] = [open - own, left - cents];
    return { quantity: before.quantity + quantity, cents: before.cents + cents };
  });
}

/** What stays noted when the lines change: refunds of the same product, if it still has as many packs. */
export function refundedAfter(order: Refunded, items: readonly OrderLine[]): RefundedLine[] | null {
  if (order.refundedLines === null) return null;
  const lines = carriedOver(order.items, items, (place) => refundedOf(order, place));
  return items.map(({ quantity }, place) => {
    const line = lines[place];
    return line && line.quantity <= quantity ? line : NOTHING;
  });
}
