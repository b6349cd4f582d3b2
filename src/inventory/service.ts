export { testAssortment } from './assortment';
export {
  type BrowsedInventory,
  type BrowsedProduct,
  browseInventory,
  type CatalogEntry,
  type CatalogPage,
  exportInventory,
  findInCatalog,
  namedInInventory,
  searchCatalog,
} from './browse';
export type { InventoryChange } from './bulk/decide';
export { changeInventory, type InventoryResult } from './bulk/inventory';
export { ITEM_FAULTS, type ItemFault, type ItemResult, type ItemStatus } from './bulk/items';
export { changeProducts, type ProductChange } from './bulk/products';
export { tellHolders } from './catalog-events';
export { type Movement, type ProductDetail, productDetail, productDetailOf, type ShopOffer } from './detail';
export { InsufficientStock, OutOfStock } from './errors';
export type { Overrides, ProductValues } from './fields';
export {
  continueImport,
  keepImport,
  listImports,
  type ReadImport,
  readFailedLines,
  readImport,
} from './imports/imports';
export type { Figures, ImportLine, LineFault, LineOutcome, LinePreview } from './imports/lines';
export { faultOfCount, type StockWrite, stockEntries } from './ledger';
export { type LedgerEntry, listMovements } from './log';
export { listOffered } from './offered';
export { attachProduct, detachProduct, getOffer, type Offer, setOverrides } from './offers';
export { moveOrderStock } from './order-stock';
export { type OrderableProduct, type OrderableProducts, orderableById, orderableByShop } from './orderable';
export type { Product } from './product';
export { requireShopRow } from './product';
export { addToInventory, getProduct, listProducts, listShops, updateProduct } from './products';
export type { ResolvedProduct, Source } from './resolution';
export { holdingProducts } from './search';
export { movedFields, type StockState, stockOf } from './state';
export { changeStock, getInventoryItem, type InventoryItem, listInventory, removeFromInventory } from './stock';
export { selectShop, selectShops, selectStockedNames, withPzn } from './store';
export { SHOPS_NAMED_MAX, SHORT_COUNTED_MAX, STOCK_FILTERS } from './store-browse';
export { actorsOf, ordersOfMovements, selectMovements } from './store-detail';
export { selectOrderable } from './store-listings';
export { type StockChange, selectPromisable } from './store-stock';
export { LEDGER_REASONS, STOCK_REASONS, type StockReason } from './tables';
export { readOverrides, readValues, writtenOverrides, writtenValues } from './written';
