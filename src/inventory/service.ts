import type { Context } from '../platform/context';
import { selectHeld } from './store';

export { overridesSchema, priceSchema, productUpdateSchema, slugSchema } from './fields';
export { attachProduct, detachProduct, setOverrides } from './offers';
export { moveOrderStock } from './order-stock';
export { type OrderableProduct, orderableById, orderableProducts } from './orderable';
export { addToInventory, getProduct, listProducts, listShops, updateProduct } from './products';
export { changeStock, listInventory, removeFromInventory } from './stock';
export { STOCK_REASONS } from './tables';

/** The statement that finds which of these products an organization holds, for the caller's own batch. */
export function heldProducts(ctx: Context, orgId: string, p1Ids: readonly string[]) {
  return selectHeld(ctx.db, orgId, p1Ids);
}
