import type { OrderPaymentStatus, OrderStatus } from '../orders/service';
import type { Totals } from './store';

/** Orders of one status and payment status that came in during a part of a day. */
export interface OrderCount {
  /** When the part starts, or a moment within it; epoch ms. */
  at: number;
  status: OrderStatus;
  paymentStatus: OrderPaymentStatus;
  count: number;
  totalCents: number;
}

export function orderCounts(totals: readonly Totals[]): OrderCount[] {
  return totals.flatMap(({ startsAt, orders }) =>
    Object.entries(orders).flatMap(([key, [count, totalCents]]) => {
      // SAFETY: the trigger makes the key of these two; the columns hold nothing else.
      const [status, paymentStatus] = key.split(' ') as [OrderStatus, OrderPaymentStatus];
      return count === 0 ? [] : [{ at: startsAt, status, paymentStatus, count, totalCents }];
    }),
  );
}

/** Canceled and returned orders are counted, but they are no revenue. */
export function isEarning({ status }: { status: OrderStatus }): boolean {
  return status !== 'cancelled' && status !== 'returned';
}

/**
 * The median of the seconds from submission to decision; with an even number the lower of the two middle values. Null for none.
 * @param further seconds of requests that no total holds
 */
export function medianReview(totals: readonly Totals[], further: readonly number[] = []): number | null {
  const counts = new Map<number, number>();
  const add = (seconds: number, count: number) => counts.set(seconds, (counts.get(seconds) ?? 0) + count);
  for (const { reviewSeconds } of totals) {
    for (const [seconds, count] of Object.entries(reviewSeconds)) add(Number(seconds), count);
  }
  for (const seconds of further) add(seconds, 1);
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let before = 0;
  for (const [seconds, count] of [...counts].toSorted(([a], [b]) => a - b)) {
    before += count;
    if (before >= all / 2 && before > 0) return seconds;
  }
  return null;
}
