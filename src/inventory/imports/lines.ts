import type { InventoryChange } from '../bulk/decide';
import type { ItemFault, ItemStatus } from '../bulk/items';

/** Why a line is not taken: what a command says of its item, or what the file says by itself. */
export type LineFault = ItemFault | 'unreadable' | 'columns' | 'too_long' | 'not_allowed' | 'identifiers_differ';

/** A line of a file. */
export interface ImportLine {
  /** Counted from 1, the headings included. */
  line: number;
  /** What it calls its product. */
  name: string;
  fields: readonly string[];
  /** What it asks; missing where it cannot be read. */
  item?: InventoryChange;
  /** It is not carried out, whatever the inventory holds. */
  fault?: LineFault;
  /** The heading of the column that cannot be read. */
  column?: string;
}

/** Of a product, as an import may change it. Amounts in cents; null: inherited. */
export interface Figures {
  onHand: number;
  stockQuantity: number;
  priceCents: number | null;
  lowStockThreshold: number | null;
}

/** What becomes of a line, or would. */
export interface LineOutcome {
  line: number;
  name: string;
  status: ItemStatus;
  fault?: LineFault;
  column?: string;
}

/** What would become of a line: the figures of its product before and after it. */
export interface LinePreview extends LineOutcome {
  before?: Figures;
  after?: Figures;
}

export function refusedLine({ line, name, fault, column }: ImportLine & { fault: LineFault }): LineOutcome {
  return { line, name, status: 'failed', fault, column };
}
