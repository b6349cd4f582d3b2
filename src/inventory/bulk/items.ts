import type { Unit } from '../../catalog/tables';
import type { NewOwnProduct } from '../own';
import { mayMove, type StockState } from '../products';
import type { StockChange } from '../store-stock';
import type { StockReason } from '../tables';

/** Reasons why an item of a bulk command fails. Nothing of that item is written. Other items are not affected. */
export const ITEM_FAULTS = {
  catalog_product_not_found: 'The catalog has no such product.',
  ambiguous_pzn: 'Several products of the catalog have this PZN. Send the p1_id.',
  duplicate_product: 'An earlier item names the same product. Send one item for each product.',
  product_not_in_inventory: 'The product is not in the inventory. Add it first.',
  version_mismatch: 'The stock has another version by now. Read the product, decide again, and send its stock_version.',
  insufficient_stock: 'The stock would go below 0.',
  shop_not_found: 'This organization has no such shop.',
  out_of_stock: 'A product can be attached when its stock is above 0.',
  product_not_attached: 'The shop does not offer this product. Attach it first.',
  unit_fixed:
    'The product is counted in another unit, which changes only while nothing is in stock, promised or reserved.',
  slug_taken: 'Another product of this organization has this slug.',
  overrides_too_large: 'The overrides or their metadata would become too large.',
} as const;
export type ItemFault = keyof typeof ITEM_FAULTS;

/** Names the product of an item, by its p1_id or its PZN (eight digits). */
export interface NamedProduct {
  p1Id?: string;
  pzn?: string;
}

/** The outcome of an item. */
export type ItemStatus = 'created' | 'updated' | 'unchanged' | 'failed';

export interface ItemResult {
  /** Null if the PZN names no product, or several. */
  p1Id: string | null;
  status: ItemStatus;
  fault?: ItemFault;
}

/** Returns how many items of a command had each outcome. */
export function summaryOf(results: readonly ItemResult[]): Record<ItemStatus, number> {
  const summary = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  for (const { status } of results) summary[status] += 1;
  return summary;
}

/** Resolves the products that the items of a command name. Each product can be named once. */
export class ProductResolver {
  private readonly seen = new Set<string>();

  /**
   * Resolves the product of the next item.
   * @param found the rows that were read for the item: the product, and how many products have the PZN
   * @returns the product's id, or the fault. With a fault, the id is also returned if the item contains it or an
   *   earlier item named the product
   */
  take({ p1Id: sent, pzn, own }: NamedItem, found: { p1Id: string | null; matches: number }): NamedOnce {
    const p1Id = found.p1Id ?? (own && sent) ?? null;
    if (sent === undefined && found.matches > 1) return { p1Id: null, fault: 'ambiguous_pzn' };
    if (p1Id === null) return { p1Id: sent ?? null, fault: 'catalog_product_not_found' };
    const names = [p1Id, ...(own && pzn ? [`pzn ${pzn}`] : [])];
    if (names.some((name) => this.seen.has(name))) return { p1Id, fault: 'duplicate_product' };
    for (const name of names) this.seen.add(name);
    return { p1Id };
  }
}

type NamedItem = NamedProduct & Pick<InventoryChange, 'own'>;
type NamedOnce = { p1Id: string; fault?: never } | { p1Id: string | null; fault: ItemFault };

export function failed(p1Id: string | null, fault: ItemFault): ItemResult {
  return { p1Id, status: 'failed', fault };
}

/** A requested change of one product of the inventory. */
export interface InventoryChange extends NamedProduct {
  stock?: StockChange;
  /** The stock is changed only if it has this version. */
  ifStockVersion?: number;
  reason?: StockReason;
  reference?: string;
  /** Null for the catalog's price. */
  priceCents?: number | null;
  /** Null for the organization's threshold. */
  lowStockThreshold?: number | null;
  /** The unit of the quantities; if undefined, the unit of the product. */
  unit?: Unit;
  /** The product is sold in multiples of this number. */
  unitStep?: number;
  /** Adds the product to the inventory if it is missing. */
  isAdded?: boolean;
  /**
   * The own product that the item names. If no product has the id `p1Id` or the PZN of the own product, the item
   * creates the own product with the id `p1Id`.
   */
  own?: NewOwnProduct;
  attachTo?: readonly string[];
  detachFrom?: readonly string[];
}

/** The stored facts about the product of an item. */
interface InventoryFacts {
  /** Null if the product is not stocked. */
  stock: Stocked | null;
  /** Null for a product that does not exist yet and that the item creates. */
  unit: Unit | null;
  /** The product is sold in multiples of this number. */
  unitStep: number;
  /** The quantity on hand now, computed from the item's count; null if the item has no count with a time. */
  counted: number | null;
  /** The shops that offer the product. */
  listedIn: readonly string[];
}

export interface Stocked extends StockState {
  priceCents: number | null;
  lowStockThreshold: number | null;
}

/** The writes of an item. */
export interface InventoryPlan extends Pick<InventoryChange, 'priceCents' | 'lowStockThreshold' | 'unitStep'> {
  isNew: boolean;
  change?: StockChange;
  attachTo: readonly string[];
  detachFrom: readonly string[];
  /** Wire names of the fields that change, without the stock. */
  fields: readonly string[];
  /** The stock version that the decision depends on. */
  stockVersion?: number;
}

/**
 * The stock of a product before the command adds it: every quantity is zero. Quantities that orders still hold are
 * counted once the product is added.
 */
export const NEW: Stocked = {
  ...{ stockQuantity: 0, onHand: 0, committedQuantity: 0, reservedQuantity: 0, shortage: 0, stockVersion: 0 },
  ...{ priceCents: null, lowStockThreshold: null },
};

/**
 * Decides one item.
 * @param shops ids of the organization's shops
 * @returns the writes, or the reason why there are none
 */
export function decideItem(
  item: InventoryChange,
  facts: InventoryFacts,
  shops: ReadonlySet<string>,
): InventoryPlan | ItemFault {
  const { attachTo = [], detachFrom = [], ifStockVersion } = item;
  const isNew = facts.stock === null;
  if (isNew && !item.isAdded) return 'product_not_in_inventory';
  if (item.unit && facts.unit && item.unit !== facts.unit) return 'unit_fixed';
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
  const setsStep = facts.unit !== null && item.unitStep !== undefined && item.unitStep !== facts.unitStep;
  const restsOnStock = ifStockVersion !== undefined || attached.length > 0 || isTaking(item.stock);
  return {
    isNew,
    change: item.stock && mayMove(item.stock, before) ? item.stock : undefined,
    ...(setsPrice && { priceCents: item.priceCents }),
    ...(setsThreshold && { lowStockThreshold: item.lowStockThreshold }),
    ...(setsStep && { unitStep: item.unitStep }),
    attachTo: attached,
    detachFrom: detached,
    fields: [
      ...(setsPrice ? ['price'] : []),
      ...(setsThreshold ? ['low_stock_threshold'] : []),
      ...(setsStep ? ['unit_step'] : []),
      ...(attached.length + detached.length > 0 ? ['shop_ids'] : []),
    ],
    stockVersion: restsOnStock && !isNew ? before.stockVersion : undefined,
  };
}

/** Returns the quantity that can be promised after the change; negative if more is taken than exists. */
export function stockAfter(before: Stocked, change: StockChange | undefined, counted: number | null): number {
  if (!change) return before.stockQuantity;
  if ('to' in change) return change.to;
  if ('onHand' in change)
    return Math.max(0, (counted ?? change.onHand) - before.committedQuantity - before.reservedQuantity);
  const after = before.stockQuantity - before.shortage + change.delta;
  return change.delta < 0 ? after : Math.max(0, after);
}

/** Returns the quantity on hand after the change. */
export function onHandAfter(
  before: Pick<Stocked, 'stockQuantity' | 'onHand' | 'committedQuantity' | 'reservedQuantity'>,
  change: StockChange,
) {
  if ('onHand' in change) return change.onHand;
  if ('delta' in change) return Math.max(0, before.onHand + change.delta);
  const { stockQuantity, onHand, committedQuantity, reservedQuantity } = before;
  return change.to === stockQuantity ? onHand : change.to + committedQuantity + reservedQuantity;
}

function isTaking(change: StockChange | undefined): boolean {
  return change !== undefined && 'delta' in change && change.delta < 0;
}
