import type { Context } from '../platform/context';
import { selectStockedNames } from './store';

export { type BrowsedInventory, type BrowsedProduct, browseInventory, type CatalogPage, searchCatalog } from './browse';
export {
  type Movement,
  type ProductDetail,
  productActors,
  productDetail,
  productDetailOf,
  type ShopOffer,
} from './detail';
export {
  type Overrides,
  overridesSchema,
  PRODUCT_FIELDS,
  type ProductField,
  type ProductUpdate,
  type ProductValues,
  priceSchema,
  productFieldSchemas,
  productUpdateSchema,
  slugSchema,
} from './fields';
export { attachProduct, detachProduct, setOverrides } from './offers';
export { moveOrderStock } from './order-stock';
export { type OrderableProduct, orderableById, orderableByShop, orderableProducts } from './orderable';
export { addToInventory, getProduct, listProducts, listShops, updateProduct } from './products';
export type { ResolvedProduct, Source } from './resolution';
export { type FoundProduct, foundProducts, holdingProducts } from './search';
export { changeStock, listInventory, removeFromInventory } from './stock';
export { type InventoryFilter, STOCK_FILTERS } from './store-browse';
export { STOCK_REASONS, type StockReason } from './tables';

/** The statement that finds which of these products an organization holds, with a shop's names, for the caller's own batch. */
export function stockedProducts(ctx: Context, shop: { orgId: string; id: string }, p1Ids: readonly string[]) {
  return selectStockedNames(ctx.db, shop.orgId, shop.id, p1Ids);
}
