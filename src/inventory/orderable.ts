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

/** The products of a shop that the organization holds, by id. */
export interface OrderableProducts extends ReadonlyMap<string, OrderableProduct> {
  /** Ids of products that are not held and of which the catalog says that they require a prescription. */
  readonly prescribed: ReadonlySet<string>;
}

type RowInShop = Awaited<ReturnType<typeof selectOrderable>>[number];
type OrderableRow = Omit<RowInShop, 'shopId'>;

/** The found products of one shop by id, in their order, with the three layers resolved. */
export function orderableById(rows: readonly OrderableRow[]): OrderableProducts {
  return productsOf(rows, overridesOf);
}

/** The found products by id, for each of several shops. */
export function orderableByShop(rows: readonly RowInShop[]): (shopId: string) => OrderableProducts {
  const unlisted = productsOf(rows, () => ({}));
  const shops = new Map(
    [...new Set(rows.map(({ shopId }) => shopId))].map((shopId) => {
      const listed = orderableById(rows.filter((row) => row.shopId === shopId));
      return [shopId, withPrescribed(new Map([...unlisted, ...listed]), unlisted.prescribed)] as const;
    }),
  );
  return (shopId) => shops.get(shopId) ?? unlisted;
}

function productsOf(rows: readonly OrderableRow[], shopOf: (row: OrderableRow) => Overrides): OrderableProducts {
  const isHeld = (row: OrderableRow) => row.stockQuantity !== null;
  const prescribed = rows.filter((row) => !isHeld(row) && resolved(row, {}).prescriptionRequired);
  return withPrescribed(
    new Map(rows.filter(isHeld).map((row) => [row.p1Id, resolved(row, shopOf(row))])),
    new Set(prescribed.map(({ p1Id }) => p1Id)),
  );
}

function withPrescribed(products: Map<string, OrderableProduct>, prescribed: ReadonlySet<string>): OrderableProducts {
  return Object.assign(products, { prescribed });
}

function resolved(row: OrderableRow, shop: Overrides): OrderableProduct {
  const { name, prescriptionRequired, priceCents } = resolveRow(row, shop).values;
  const { p1Id, pzn } = row;
  return { p1Id, pzn, name, prescriptionRequired, priceCents, stockQuantity: row.stockQuantity ?? 0 };
}
