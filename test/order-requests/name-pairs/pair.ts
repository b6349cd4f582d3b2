import type { Difference } from '../../../src/order-requests/names/differences';

/** What differs or why it does not, what was asked, what the catalog calls the product, and the two quantities (1). */
export type Pair = readonly [
  says: string,
  asked: string,
  product: string,
  askedQuantity?: number,
  suppliedQuantity?: number,
];

/** Whether staff must acknowledge one of them. */
export function needsAcknowledgement(differences: readonly Difference[]): boolean {
  return differences.some(({ severity }) => severity === 'acknowledge');
}
