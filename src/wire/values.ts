import { toCents, toEur } from '../platform/money';

/** Conversion of amounts and times between domain values and the JSON of the organization API. */

/** @param cents an amount that the database has accepted @returns EUR with at most two decimals */
export const wireAmount = toEur;

/** @param price EUR, validated by `priceSchema` @returns integer cents */
export function centsOf(price: number): number {
  // SAFETY: `priceSchema` has checked that the price can be converted to cents.
  return toCents(price) as number;
}

/** @param at epoch ms @returns ISO 8601 in UTC */
export function wireTime(at: number): string {
  return new Date(at).toISOString();
}

/** The same for something that may not have happened. */
export function wireTimeOrNull(at: number | null): string | null {
  return at === null ? null : wireTime(at);
}
