import type { Context } from '../platform/context';
import type { Condition } from '../platform/db';
import type { Overrides } from './fields';
import { overridesOf, resolveRow } from './product';
import { selectOrderable } from './store-listings';

/** What ordering needs to know of a product that the organization holds. */
export interface OrderableProduct {
  p1Id: string;
  name: string;
  prescriptionRequired: boolean;
  /** As the shop sells it. */
  priceCents: number;
  stockQuantity: number;
}

/**
 * The statement that finds products as a shop sees them, offered there or only held, for the caller's own batch.
 * @param shopId may be a subquery, of several shops too: `orderableByShop` tells them apart then; null: as the
 *   organization sees them
 * @param p1Ids a subquery of product ids
 */
export function orderableProducts(ctx: Context, orgId: string, shopId: string | Condition | null, p1Ids: Condition) {
  return selectOrderable(ctx.db, orgId, shopId, p1Ids);
}

type OrderableRow = Awaited<ReturnType<typeof orderableProducts>>[number];

/** The found products of one shop by id, resolved through the three layers. */
export function orderableById(rows: readonly OrderableRow[]): Map<string, OrderableProduct> {
  return new Map(rows.map((row) => [row.p1Id, resolved(row, overridesOf(row))]));
}

/** The found products by id, as each of several shops sees them. */
export function orderableByShop(rows: readonly OrderableRow[]): (shopId: string) => Map<string, OrderableProduct> {
  const unlisted = new Map(rows.map((row) => [row.p1Id, resolved(row, {})]));
  const shops = new Map(
    [...new Set(rows.map(({ shopId }) => shopId))].map((shopId) => {
      const listed = orderableById(rows.filter((row) => row.shopId === shopId));
      return [shopId, new Map([...unlisted, ...listed])] as const;
    }),
  );
  return (shopId) => shops.get(shopId) ?? unlisted;
}

function resolved(row: OrderableRow, overrides: Overrides): OrderableProduct {
  const { values } = resolveRow(row, overrides);
  return {
    p1Id: row.p1Id,
    name: values.name,
    prescriptionRequired: values.prescriptionRequired,
    priceCents: values.priceCents,
    stockQuantity: row.stockQuantity ?? 0,
  };
}
