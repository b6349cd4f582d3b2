/** A price may differ by this many cents, or by this share of the product's price, without a warning. */
const PRICE_OFF_CENTS_MAX = 100;
const PRICE_OFF_PART_MAX = 0.1;

/** Whether a price is so far from the product's that somebody has to look. */
export function isPriceOff(submittedCents: number, productCents: number): boolean {
  const off = Math.abs(submittedCents - productCents);
  return off > PRICE_OFF_CENTS_MAX && off > productCents * PRICE_OFF_PART_MAX;
}
