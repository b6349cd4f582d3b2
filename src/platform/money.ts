import { AMOUNT_CENTS_MAX } from './limits';

/**
 * The largest difference from a whole cent that counts as floating-point noise, in cents. Prices arrive as decimal EUR,
 * so there is such noise, for example in `0.1 + 0.2`.
 */
const NOISE_CENTS = 1e-4;

/**
 * Converts EUR as sent on the wire to integer cents.
 * @returns null if the amount has more than two decimals, is not finite or is beyond ±10 million EUR
 */
export function toCents(amountEur: number): number | null {
  const cents = amountEur * 100;
  const rounded = Math.round(cents);
  if (!Number.isFinite(cents) || Math.abs(rounded) > AMOUNT_CENTS_MAX) return null;
  if (Math.abs(cents - rounded) > NOISE_CENTS) return null;
  return rounded === 0 ? 0 : rounded;
}

/**
 * Like `toCents`, for a unit price, which may have a third decimal, for example a price per gram. The result is rounded
 * to the cent.
 * @returns null if the price has more decimals, is not finite or is too large
 */
export function toUnitCents(amountEur: number): number | null {
  const tenths = toCents(amountEur * 10);
  return tenths === null ? toCents(amountEur) : Math.round(tenths / 10);
}

/** Returns the amount in EUR as sent on the wire: a number with at most two decimals. */
export function toEur(amountCents: number): number {
  return amountCents / 100;
}
