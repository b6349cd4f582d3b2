import { toCents, toEur } from '../../platform/money';

/** How amounts and times stand in the JSON of the organization API, and back. */

/** @param cents an amount that the database's rules have passed @returns EUR with at most two decimals */
export const wireAmount = toEur;

/** @param price EUR, checked by `priceSchema` @returns integer cents */
export function centsOf(price: number): number {
  // SAFETY: the price's schema has made sure that it has cents.
  return toCents(price) as number;
}

/** @param at epoch ms @returns ISO 8601 in UTC */
export function wireTime(at: number): string {
  return new Date(at).toISOString();
}

/** The same of something that may not have happened. */
export function wireTimeOrNull(at: number | null): string | null {
  return at === null ? null : wireTime(at);
}
