import type { Context } from '../platform/context';
import type { Condition } from '../platform/db';
import { toCents, toEur } from '../platform/money';
import type { Overrides } from './fields';
import { selectOrderable } from './store-listings';
import { overridesOf, resolveRow } from './view';

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
    name: values.name ?? row.catalogName,
    prescriptionRequired: values.prescription_required === true,
    priceCents: toCents(values.price ?? toEur(row.catalogPriceCents)) ?? row.catalogPriceCents,
    stockQuantity: row.stockQuantity ?? 0,
  };
}
