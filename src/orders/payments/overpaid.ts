import { underpaidOf } from '../rules';
import type { OrderRow } from '../store';

/**
 * What was paid beyond the total, and is to be given back. Of an order that is paid, the pharmacy keeps
 * `total − refunded − difference`: no change of its lines alters that, and a refund lowers it by its amount.
 */

type Paid = Pick<
  OrderRow,
  'paymentStatus' | 'totalCents' | 'refundedCents' | 'paymentDifferenceCents' | 'paymentAction'
>;

/** In cents; 0 where nothing was. */
export function overpaidOf({ paymentDifferenceCents }: Pick<Paid, 'paymentDifferenceCents'>): number {
  return Math.max(0, -(paymentDifferenceCents ?? 0));
}

/**
 * The columns once an order comes to another total, or a part of its refunds no longer counts.
 * @returns also the keys of those that change
 */
export function moneyAfter(order: Paid, after: Pick<Paid, 'totalCents' | 'refundedCents'>) {
  const columns = { ...after, ...differenceColumns(order, overpaidAfter(order, after)) };
  const keys = Object.keys(columns) as (keyof typeof columns)[];
  return { columns, changed: keys.filter((key) => columns[key] !== order[key]) };
}

/** What the customer of a paid order has paid of its total, in cents, refunds not counted. */
export function receivedOf(order: Pick<Paid, 'totalCents' | 'paymentDifferenceCents'>): number {
  return order.totalCents - underpaidOf(order);
}

/** `paymentDifferenceCents` once total and refunds are others, and the pharmacy has as much as before; null for nothing. */
function overpaidAfter(order: Paid, after: Pick<Paid, 'totalCents' | 'refundedCents'>): number | null {
  const { paymentStatus, totalCents, refundedCents, paymentDifferenceCents } = order;
  if (paymentStatus !== 'paid' && paymentStatus !== 'refunded') return paymentDifferenceCents;
  const kept = totalCents - refundedCents - (paymentDifferenceCents ?? 0);
  return after.totalCents - after.refundedCents - kept || null;
}

/** What they are called where they change together. */
export const DIFFERENCE_FIELDS = ['payment_action', 'payment_difference'] as const;

/** The columns of a difference: whoever paid too much gets it back, unless it was decided otherwise. */
export function differenceColumns(order: Paid, difference: number | null) {
  if (difference === null) return { paymentDifferenceCents: null, paymentAction: null };
  const isSame = Math.sign(order.paymentDifferenceCents ?? 0) === Math.sign(difference);
  const paymentAction = (isSame ? order.paymentAction : null) ?? (difference < 0 ? 'refund' : 'collect');
  return { paymentDifferenceCents: difference, paymentAction } as const;
}
