/** Why one item of a bulk command fails, and it alone: nothing of it is written. */
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
  slug_taken: 'Another product of this organization has this slug.',
  overrides_too_large: 'The overrides or their metadata would become too large.',
} as const;
export type ItemFault = keyof typeof ITEM_FAULTS;

/** The items of a command, one of each product, by its p1_id or its PZN (eight digits). */
export interface NamedProduct {
  p1Id?: string;
  pzn?: string;
}

/** What became of an item. */
export type ItemStatus = 'created' | 'updated' | 'unchanged' | 'failed';

export interface ItemResult {
  /** Null: the PZN names no product, or several. */
  p1Id: string | null;
  status: ItemStatus;
  fault?: ItemFault;
}

/** How many items of a command had each outcome. */
export function summaryOf(results: readonly ItemResult[]): Record<ItemStatus, number> {
  const summary = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  for (const { status } of results) summary[status] += 1;
  return summary;
}

/** What an item names, before anything else is looked at. */
export interface Found {
  p1Id: string | null;
  /** How many products it names. */
  matches: number;
}

/** Finds for each item which product it is about, once. */
export class Named {
  private readonly seen = new Set<string>();

  /** @returns the product, or why there is none */
  take({ p1Id, matches }: Found): { p1Id: string } | { p1Id: string | null; fault: ItemFault } {
    if (matches > 1) return { p1Id: null, fault: 'ambiguous_pzn' };
    if (p1Id === null) return { p1Id, fault: 'catalog_product_not_found' };
    if (this.seen.has(p1Id)) return { p1Id, fault: 'duplicate_product' };
    this.seen.add(p1Id);
    return { p1Id };
  }
}
