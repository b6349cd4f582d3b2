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

/** The orders of one source, without the deleted ones. */
export interface SourceFigures {
  /** Null: of all those that parts of days do not name (`day_totals.sources`). */
  source: string | null;
  orders: number;
  /** Of them canceled or returned. */
  ended: number;
  /** What the others came to, without refunds. */
  revenueCents: number;
}

/** What came from each source, the most orders first and the unnamed last. */
export function sourceFigures(totals: readonly Totals[]): SourceFigures[] {
  const sums = new Map<string, SourceFigures>();
  for (const { sources } of totals) {
    for (const [key, [orders, ended, cents]] of Object.entries(sources)) {
      const source = key === '*' ? null : unhex(key);
      const sum = sums.get(key) ?? { source, orders: 0, ended: 0, revenueCents: 0 };
      sums.set(key, {
        source,
        orders: sum.orders + orders,
        ended: sum.ended + ended,
        revenueCents: sum.revenueCents + cents,
      });
    }
  }
  const isRest = ({ source }: SourceFigures) => Number(source === null);
  return [...sums.values()]
    .filter(({ orders }) => orders > 0)
    .toSorted((a, b) => isRest(a) - isRest(b) || b.orders - a.orders || b.revenueCents - a.revenueCents);
}

function unhex(key: string): string {
  const bytes = Uint8Array.from({ length: key.length / 2 }, (_, index) =>
    Number.parseInt(key.slice(2 * index, 2 * index + 2), 16),
  );
  return new TextDecoder().decode(bytes);
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
