import { mayMove } from '../state';
import type { StockChange } from '../store-stock';
import type { StockReason } from '../tables';
import type { ItemFault, NamedProduct } from './items';

/** What a command asks for one product of the inventory. */
export interface InventoryChange extends NamedProduct {
  stock?: StockChange;
  /** The stock is changed only while it has this version. */
  ifStockVersion?: number;
  reason?: StockReason;
  reference?: string;
  /** Null: the catalog's price. */
  priceCents?: number | null;
  /** Null: the organization's threshold. */
  lowStockThreshold?: number | null;
  /** Adds the product to the inventory where it is not there. */
  isAdded?: boolean;
  attachTo?: readonly string[];
  detachFrom?: readonly string[];
}

/** What is known of the product that an item names. */
export interface InventoryFacts {
  /** Null: it is not stocked. */
  stock: Stocked | null;
  /** What would be on hand now if so much was counted as the item says; null without a count. */
  counted: number | null;
  /** The shops that offer it. */
  listedIn: readonly string[];
}

interface Stocked {
  stockQuantity: number;
  onHand: number;
  committedQuantity: number;
  shortage: number;
  stockVersion: number;
  priceCents: number | null;
  lowStockThreshold: number | null;
}

/** What will be written of an item. */
export interface InventoryPlan {
  isNew: boolean;
  change?: StockChange;
  priceCents?: number | null;
  lowStockThreshold?: number | null;
  attachTo: readonly string[];
  detachFrom: readonly string[];
  /** Wire names of what changes beside the stock. */
  fields: readonly string[];
  /** The version of the stock that the decision rests on. */
  stockVersion?: number;
}

/** A product that enters the inventory. What orders still hold of it is counted once it is there. */
export const NEW: Stocked = {
  ...{ stockQuantity: 0, onHand: 0, committedQuantity: 0, shortage: 0, stockVersion: 0 },
  ...{ priceCents: null, lowStockThreshold: null },
};

/**
 * Decides one item by itself.
 * @param shops ids of the organization's shops
 * @returns what is to be written, or why nothing is
 */
export function decideItem(
  item: InventoryChange,
  facts: InventoryFacts,
  shops: ReadonlySet<string>,
): InventoryPlan | ItemFault {
  const { attachTo = [], detachFrom = [], ifStockVersion } = item;
  const isNew = facts.stock === null;
  if (isNew && !item.isAdded) return 'product_not_in_inventory';
  const before = facts.stock ?? NEW;
  if (ifStockVersion !== undefined && (isNew || ifStockVersion !== before.stockVersion)) return 'version_mismatch';
  if ([...attachTo, ...detachFrom].some((shopId) => !shops.has(shopId))) return 'shop_not_found';
  const after = stockAfter(before, item.stock, facts.counted);
  if (after < 0) return 'insufficient_stock';
  const attached = attachTo.filter((shopId) => !facts.listedIn.includes(shopId));
  const detached = detachFrom.filter((shopId) => facts.listedIn.includes(shopId));
  if (attached.length > 0 && after === 0) return 'out_of_stock';
  const setsPrice = item.priceCents !== undefined && item.priceCents !== before.priceCents;
  const setsThreshold = item.lowStockThreshold !== undefined && item.lowStockThreshold !== before.lowStockThreshold;
  const restsOnStock = ifStockVersion !== undefined || attached.length > 0 || isTaking(item.stock);
  return {
    isNew,
    change: item.stock && mayMove(item.stock, before) ? item.stock : undefined,
    ...(setsPrice && { priceCents: item.priceCents }),
    ...(setsThreshold && { lowStockThreshold: item.lowStockThreshold }),
    attachTo: attached,
    detachFrom: detached,
    fields: [
      ...(setsPrice ? ['price'] : []),
      ...(setsThreshold ? ['low_stock_threshold'] : []),
      ...(attached.length + detached.length > 0 ? ['shop_ids'] : []),
    ],
    stockVersion: restsOnStock && !isNew ? before.stockVersion : undefined,
  };
}

/** What can be promised after the change; below 0 where more would be taken than there is. */
export function stockAfter(before: Stocked, change: StockChange | undefined, counted: number | null): number {
  if (!change) return before.stockQuantity;
  if ('to' in change) return change.to;
  if ('onHand' in change) return Math.max(0, (counted ?? change.onHand) - before.committedQuantity);
  const after = before.stockQuantity - before.shortage + change.delta;
  return change.delta < 0 ? after : Math.max(0, after);
}

/** What lies in the house after the change. */
export function onHandAfter(
  before: Pick<Stocked, 'stockQuantity' | 'onHand' | 'committedQuantity'>,
  change: StockChange,
) {
  if ('onHand' in change) return change.onHand;
  if ('delta' in change) return Math.max(0, before.onHand + change.delta);
  return change.to === before.stockQuantity ? before.onHand : change.to + before.committedQuantity;
}

function isTaking(change: StockChange | undefined): boolean {
  return change !== undefined && 'delta' in change && change.delta < 0;
}
