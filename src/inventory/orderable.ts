import type { Context } from '../platform/context';
import type { Condition } from '../platform/db';
import type { Overrides } from './fields';
import { overridesOf, resolveRow } from './product';
import { selectOrderable } from './store-listings';

/** What an order needs to know about a product that the organization holds. */
export interface OrderableProduct {
  p1Id: string;
  name: string;
  prescriptionRequired: boolean;
  /** The shop's effective price. */
  priceCents: number;
  stockQuantity: number;
}

/**
 * The statement that finds held products as a shop sees them, whether or not the shop offers them, for the caller's own
 * batch.
 * @param shopId may be a subquery, also of several shops: then use `orderableByShop`; null: as the organization sees
 *   them
 * @param p1Ids a subquery of product ids
 */
export function orderableProducts(ctx: Context, orgId: string, shopId: string | Condition | null, p1Ids: Condition) {
  return selectOrderable(ctx.db, orgId, shopId, p1Ids);
}

type OrderableRow = Awaited<ReturnType<typeof orderableProducts>>[number];

/** The found products of one shop by id, with the three layers resolved. */
export function orderableById(rows: readonly OrderableRow[]): Map<string, OrderableProduct> {
  return new Map(rows.map((row) => [row.p1Id, resolved(row, overridesOf(row))]));
}

/** The found products by id, for each of several shops. */
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
