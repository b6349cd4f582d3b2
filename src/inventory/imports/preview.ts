import { holds, requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { decideItem, NEW, onHandAfter, stockAfter } from '../bulk/decide';
import { asked, changesProduct } from '../bulk/inventory';
import { Naming } from '../bulk/items';
import { selectStockedItems } from '../bulk/store-facts';
import { type ImportLine, type LineFault, type LinePreview, refusedLine } from './lines';

type Row = Awaited<ReturnType<typeof selectStockedItems>>[number];

/**
 * What would become of the lines of a file now. A line that names the product of an earlier one, or another one by its p1_id than by
 * its PZN, or asks what the person must not do, gets its fault for good.
 */
export class Preview {
  private readonly naming = new Naming();
  private readonly orgId: string;

  /** @throws AppError `insufficient_scope` */
  constructor(private readonly ctx: Context) {
    this.orgId = requireScope(ctx, 'inventory.write').orgId;
  }

  /**
   * The next lines, as many as one command takes, in one round trip.
   * @returns JSON of the lines with their faults, and of what would become of each (`LinePreview`)
   */
  async of(lines: readonly ImportLine[]): Promise<{ lines: string; preview: string }> {
    const mayChangeProducts = holds(this.ctx, 'products.write');
    const items = lines.flatMap(({ item }) => item ?? []);
    const rows = await this.ctx.db.rows(selectStockedItems(this.orgId, items.map(asked)));
    let place = 0;
    const seen = lines.map((line): [ImportLine, LinePreview] => {
      if (!line.item) return refused({ ...line, fault: line.fault ?? 'unreadable' });
      const row = rows[place] as Row;
      place += 1;
      if (!mayChangeProducts && changesProduct(line.item)) return refused({ ...line, fault: 'not_allowed' });
      if (row.isOther === 1) return refused({ ...line, fault: 'identifiers_differ' });
      const { fault } = this.naming.take(line.item, row);
      if (fault === 'duplicate_product') return refused({ ...line, fault });
      return [line, fault ? refusedLine({ ...line, fault }) : previewOf(line, row)];
    });
    return {
      lines: JSON.stringify(seen.map(([line]) => line)),
      preview: JSON.stringify(seen.map(([, preview]) => preview)),
    };
  }
}

function refused(line: ImportLine & { fault: LineFault }): [ImportLine, LinePreview] {
  return [line, refusedLine(line)];
}

function previewOf(line: ImportLine, row: Row): LinePreview {
  const item = line.item ?? {};
  const stock = row.isHeld === 1 ? row : null;
  const plan = decideItem(item, { stock, counted: row.counted, listedIn: [] }, new Set());
  if (typeof plan === 'string') return refusedLine({ ...line, fault: plan });
  const { onHand, stockQuantity, priceCents, lowStockThreshold } = stock ?? NEW;
  const before = { onHand, stockQuantity, priceCents, lowStockThreshold };
  const { stock: change } = item;
  const after = {
    onHand: change ? onHandAfter(stock ?? NEW, change) : onHand,
    stockQuantity: stockAfter(stock ?? NEW, change, row.counted),
    priceCents: item.priceCents === undefined ? priceCents : item.priceCents,
    lowStockThreshold: item.lowStockThreshold === undefined ? lowStockThreshold : item.lowStockThreshold,
  };
  const isChanged = plan.change !== undefined || plan.fields.length > 0;
  const status = plan.isNew ? 'created' : isChanged ? 'updated' : 'unchanged';
  return { line: line.line, name: line.name, status, before: stock ? before : undefined, after };
}
