import { exportInventory } from '../../inventory/service';
import { toEur } from '../../platform/money';
import { type Cell, respondCsv } from '../http/csv';
import type { ManageContext } from '../http/env';
import { exportMessages } from './export-messages';

/** The assortment with its stock as a file, which the import takes again: its headings are known there. */
export async function respondExport(c: ManageContext): Promise<Response> {
  const { rows, isCut } = await exportInventory(c.var.ctx);
  const t = exportMessages(c.var);
  const table: Cell[][] = rows.map((row) => [
    row.p1Id,
    row.pzn,
    row.name,
    row.category,
    row.priceCents === null ? null : toEur(row.priceCents),
    toEur(row.catalogPriceCents),
    row.onHand,
    row.committedQuantity,
    row.stockQuantity,
    row.shortage,
    row.lowStockThreshold,
    row.shopCount,
  ]);
  // The file itself says what it leaves out, since it is passed on without the page that it came from.
  if (isCut) table.push([t.exportCut(rows.length)]);
  return respondCsv(c, t.exportFile, [t.exportColumns(), ...table]);
}
