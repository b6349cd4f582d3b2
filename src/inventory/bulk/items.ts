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

/** Which product an item is about: by its p1_id or its PZN (eight digits). */
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

/** The products that the items of a command name, each once. */
export class Naming {
  private readonly seen = new Set<string>();

  /** @returns the product, or why it is none, with the p1_id that was sent */
  take({ p1Id: sent }: NamedProduct, { p1Id, matches }: { p1Id: string | null; matches: number }): NamedOnce {
    if (sent === undefined && matches > 1) return { p1Id: sent ?? null, fault: 'ambiguous_pzn' };
    if (p1Id === null) return { p1Id: sent ?? null, fault: 'catalog_product_not_found' };
    if (this.seen.has(p1Id)) return { p1Id, fault: 'duplicate_product' };
    this.seen.add(p1Id);
    return { p1Id };
  }
}

type NamedOnce = { p1Id: string; fault?: never } | { p1Id: string | null; fault: ItemFault };

export function failed(p1Id: string | null, fault: ItemFault): ItemResult {
  return { p1Id, status: 'failed', fault };
}
