import type { Context } from '../platform/context';
import type { Condition } from '../platform/db';
import { selectOrderable } from './store-listings';
import { overridesOf, resolveRow } from './view';

/** What ordering needs to know of a product that the organization holds. */
export interface OrderableProduct {
  p1Id: string;
  name: string;
  prescriptionRequired: boolean;
  stockQuantity: number;
}

/**
 * The statement that finds products as a shop sees them, offered there or only held, for the caller's own batch.
 * @param p1Ids a subquery of product ids
 */
export function orderableProducts(ctx: Context, orgId: string, shopId: string | Condition, p1Ids: Condition) {
  return selectOrderable(ctx.db, orgId, shopId, p1Ids);
}

/** The found products by id, resolved through the three layers. */
export function orderableById(rows: Awaited<ReturnType<typeof orderableProducts>>): Map<string, OrderableProduct> {
  return new Map(
    rows.map((row) => {
      const { values } = resolveRow(row, overridesOf(row));
      const product = {
        p1Id: row.p1Id,
        name: values.name ?? row.catalogName,
        prescriptionRequired: values.prescription_required === true,
        stockQuantity: row.stockQuantity ?? 0,
      };
      return [row.p1Id, product];
    }),
  );
}
