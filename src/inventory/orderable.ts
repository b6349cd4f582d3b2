import type { Overrides } from './fields';
import { overridesOf, resolveRow } from './product';
import type { selectOrderable } from './store-listings';

/** What an order needs to know about a product that the organization holds. */
export interface OrderableProduct {
  p1Id: string;
  /** Eight digits; null for a product without one. */
  pzn: string | null;
  name: string;
  prescriptionRequired: boolean;
  /** The shop's effective price. */
  priceCents: number;
  stockQuantity: number;
}

type RowInShop = Awaited<ReturnType<typeof selectOrderable>>[number];
type OrderableRow = Omit<RowInShop, 'shopId'>;

/** The found products of one shop by id, in their order, with the three layers resolved. */
export function orderableById(rows: readonly OrderableRow[]): Map<string, OrderableProduct> {
  return new Map(rows.map((row) => [row.p1Id, resolved(row, overridesOf(row))]));
}

/** The found products by id, for each of several shops. */
export function orderableByShop(rows: readonly RowInShop[]): (shopId: string) => Map<string, OrderableProduct> {
  const unlisted = new Map(rows.map((row) => [row.p1Id, resolved(row, {})]));
  const shops = new Map(
    [...new Set(rows.map(({ shopId }) => shopId))].map((shopId) => {
      const listed = orderableById(rows.filter((row) => row.shopId === shopId));
      return [shopId, new Map([...unlisted, ...listed])] as const;
    }),
  );
  return (shopId) => shops.get(shopId) ?? unlisted;
}

function resolved(row: OrderableRow, shop: Overrides): OrderableProduct {
  const { name, prescriptionRequired, priceCents } = resolveRow(row, shop).values;
  const { p1Id, pzn } = row;
  return { p1Id, pzn, name, prescriptionRequired, priceCents, stockQuantity: row.stockQuantity ?? 0 };
}
