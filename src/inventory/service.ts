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
export { type OrderableProduct, orderableById, orderableByShop } from './orderable';
export type { Product } from './product';
export { addToInventory, getProduct, listProducts, listShops, updateProduct } from './products';
export type { ResolvedProduct, Source } from './resolution';
export { type FoundProduct, foundProducts, holdingProducts } from './search';
export { changeStock, type InventoryItem, listInventory, removeFromInventory } from './stock';
export { selectStockedNames } from './store';
export { type InventoryFilter, STOCK_FILTERS } from './store-browse';
export { selectOrderable } from './store-listings';
export { STOCK_REASONS, type StockReason } from './tables';
export { readValues, writtenValues } from './written';
