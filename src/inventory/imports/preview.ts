import { holds, requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { decideItem, NEW, onHandAfter, stockAfter } from '../bulk/decide';
import { asked, changesProduct } from '../bulk/inventory';
import { Naming } from '../bulk/items';
import { selectStockedItems } from '../bulk/store-facts';
import { type ImportLine, type LineFault, type LinePreview, refusedLine } from './lines';

type Row = Awaited<ReturnType<typeof selectStockedItems>>[number];

/**
 * What would become of the lines of a file now, in one round trip. A line that names the product of an earlier one, or asks what the
 * person must not do, gets its fault for good.
 * @param parts each as many lines as one command takes
 */
export async function previewLines(
  ctx: Context,
  parts: readonly (readonly ImportLine[])[],
): Promise<{ lines: ImportLine[]; preview: LinePreview[] }[]> {
  const { orgId } = requireScope(ctx, 'inventory.write');
  const mayChangeProducts = holds(ctx, 'products.write');
  const items = parts.map((lines) => lines.flatMap(({ item }) => item ?? []));
  const statements = items.map((each) => selectStockedItems(orgId, each.map(asked)));
  const rows = (await ctx.db.batch(statements)) as Row[][];
  const naming = new Naming();
  return parts.map((lines, part) => {
    let place = 0;
    const seen = lines.map((line): [ImportLine, LinePreview] => {
      if (!line.item) return refused({ ...line, fault: line.fault ?? 'unreadable' });
      const row = rows[part]?.[place] as Row;
      place += 1;
      if (!mayChangeProducts && changesProduct(line.item)) return refused({ ...line, fault: 'not_allowed' });
      const { fault } = naming.take(line.item, row);
      if (fault === 'duplicate_product') return refused({ ...line, fault });
      return [line, fault ? refusedLine({ ...line, fault }) : previewOf(line, row)];
    });
    return { lines: seen.map(([line]) => line), preview: seen.map(([, preview]) => preview) };
  });
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
