import { type OrderLine, totalOf } from '../../orders/service';
import type { RequestRow } from '../store-requests';

/** What was paid, and what it comes to now. */
export interface PaymentDifference {
  paidCents: number;
  totalCents: number;
}

/**
 * Where something was paid and the lines come to another total. What was paid beyond the items, as for shipping, stays paid for
 * that; what is less than the items is a difference from the beginning.
 */
export function paymentDifferenceOf(
  { paymentStatus, totalCents, items }: Pick<RequestRow, 'paymentStatus' | 'totalCents' | 'items'>,
  lines: readonly OrderLine[],
): PaymentDifference | null {
  if (paymentStatus !== 'paid') return null;
  const submitted = totalOf(items);
  const paid = totalCents ?? submitted;
  const beyond = items.length === 0 ? 0 : Math.max(0, paid - submitted);
  const total = totalOf(lines) + beyond;
  return paid === total ? null : { paidCents: paid, totalCents: total };
}
