import { exportInventory } from '../../inventory/service';
import { toEur } from '../../platform/money';
import { exportMovements } from '../../reports/service';
import { type Cell, respondCsv } from '../http/csv';
import type { ManageContext } from '../http/env';
import { actorText } from '../ui/actor';
import { formatSecond } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import { p1IdOf } from './context';
import { exportMessages } from './export-messages';
import { messages } from './messages';
import { changeOf } from './movements';

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
  return respondCsv(c, t.exportFile, [t.exportColumns, ...table]);
}

/** The latest movements of a product as a file. */
export async function respondMovements(c: ManageContext): Promise<Response> {
  const { rows, names, isCut } = await exportMovements(c.var.ctx, p1IdOf(c));
  const t = exportMessages(c.var);
  const { reasons, change, after, onHand } = messages(c.var);
  const { common, orders, requests } = sharedMessages(c.var);
  const table: Cell[][] = rows.map((movement) => [
    formatSecond(c.var.language, movement.createdAt),
    reasons[movement.reason],
    movement.reference,
    movement.orderId && (names.get(movement.orderId) ?? movement.orderId),
    changeOf(movement),
    movement.after,
    movement.onHandAfter,
    actorText(c.var, movement, names),
  ]);
  if (isCut) table.push([t.exportCut(rows.length)]);
  const head = [common.time, common.reason, requests.reference, orders.id, change, after, onHand, common.who];
  return respondCsv(c, t.movementsFile, [head, ...table]);
}
