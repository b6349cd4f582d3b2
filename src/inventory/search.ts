import { pznOf } from '../codes/service';
import type { Condition } from '../platform/data/db';
import { foldText } from '../platform/fold';
import { selectHolding } from './store-listings';

/** The number of results that the list below an input field shows. */
const FOUND_MAX = 8;

/**
 * The statement that finds stocked products by a part of their name or id or by their PZN, typed or scanned, as a shop sees them, for the caller's own
 * batch: first those whose name begins with the text, then those in stock. Reads the blocks of both lists and some hundred products.
 * @param shopId may be a subquery
 */
export function holdingProducts(orgId: string, shopId: string | Condition, text: string) {
  return selectHolding(orgId, shopId, { q: foldText(text), pzn: pznOf(text) }, FOUND_MAX);
}
