import type { Context } from '../platform/context';
import type { Condition } from '../platform/db';
import { foldForSearch } from '../platform/fold-for-search';
import { overridesOf, resolveRow } from './product';
import { selectHolding } from './store-listings';

/** As many as a list under a field shows. */
const FOUND_MAX = 8;

/** A held product to choose from. */
export interface FoundProduct {
  p1Id: string;
  name: string;
  /** As the shop sells it. */
  priceCents: number;
  stockQuantity: number;
  prescriptionRequired: boolean;
}

/**
 * The statement that finds held products by a part of their name or id, as a shop sees them, for the caller's own batch:
 * those whose name begins with the text first, then what is in stock. Reads the organization's inventory, never more.
 * @param shopId may be a subquery
 */
export function holdingProducts(ctx: Context, orgId: string, shopId: string | Condition, text: string) {
  return selectHolding(ctx.db, orgId, shopId, foldForSearch(text), FOUND_MAX);
}

/** The found products, resolved through the three layers. */
export function foundProducts(rows: Awaited<ReturnType<typeof holdingProducts>>): FoundProduct[] {
  return rows.map((row) => {
    const { values } = resolveRow(row, overridesOf(row));
    return {
      p1Id: row.p1Id,
      name: values.name,
      priceCents: values.priceCents,
      stockQuantity: row.stockQuantity ?? 0,
      prescriptionRequired: values.prescriptionRequired,
    };
  });
}
