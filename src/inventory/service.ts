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
export { InsufficientStock, OutOfStock } from './errors';
export type { Overrides, ProductValues } from './fields';
export { attachProduct, detachProduct, type Offer, setOverrides } from './offers';
export { moveOrderStock } from './order-stock';
export { type OrderableProduct, orderableById, orderableByShop, orderableProducts } from './orderable';
export type { Product } from './product';
export { addToInventory, getProduct, listProducts, listShops, updateProduct } from './products';
export type { ResolvedProduct, Source } from './resolution';
export { type FoundProduct, foundProducts, holdingProducts } from './search';
export { changeStock, type InventoryItem, listInventory, removeFromInventory } from './stock';
export { type InventoryFilter, STOCK_FILTERS } from './store-browse';
export { STOCK_REASONS, type StockReason } from './tables';
export { readValues, writtenValues } from './written';

/**
 * The statement that finds which of these products an organization holds, with the names in a shop, for the caller's
 * own batch.
 */
export function stockedProducts(shop: { orgId: string; id: string }, p1Ids: readonly string[]) {
  return selectStockedNames({ orgId: shop.orgId, shopId: shop.id, p1Ids });
}
