import { holds, requireScope, requireSystem } from '../../platform/access';
import { commit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { inPages } from '../../platform/data/page';
import { AppError, notFound } from '../../platform/errors/errors';
import { DAY_MS } from '../../platform/time';
import { asked, changeInventory, changesProduct, unitOfRow } from '../bulk/inventory';
import {
  decideItem,
  type InventoryChange,
  type ItemFault,
  type ItemResult,
  type ItemStatus,
  NEW,
  onHandAfter,
  ProductResolver,
  type Stocked,
  stockAfter,
} from '../bulk/items';
import { selectStockedItems } from '../bulk/store';
import { IMPORT_KEPT_DAYS, IMPORTS_MAX, IMPORTS_SHOWN, ITEMS_MAX } from '../limits';
import { ownIdOf } from '../own';
import * as store from './store';

const SWEPT_MAX = 50;

interface NewImport {
  /**
   * The import's id, which cannot be guessed. It is made from the form's id and the file, so a form that is sent twice
   * with the same file makes one import.
   */
  id: string;
  header: readonly string[];
  /** Headings whose columns are not read. */
  ignored: readonly string[];
  /** The lines, parsed as they are taken. */
  lines: Iterable<ImportLine>;
}

/**
 * Stores a file with a preview of each line. The inventory is not changed. Takes one round trip for each part of the
 * file, and one more. After each part it lets other requests run, because a nearby database answers before the isolate
 * looks for new requests.
 * @throws AppError `insufficient_scope`
 */
export async function keepImport(ctx: Context, { id, header, ignored, lines }: NewImport): Promise<void> {
  const { orgId } = requireScope(ctx, 'inventory.write');
  const preview = new Preview(ctx);
  const seen: { lines: string; preview: string }[] = [];
  let lineCount = 0;
  for (const part of inPages(lines, ITEMS_MAX)) {
    seen.push(await preview.of(part));
    lineCount += part.length;
    await ctx.wait(0);
  }
  const createdAt = ctx.now();
  const expiresAt = createdAt + IMPORT_KEPT_DAYS * DAY_MS;
  await commit(ctx, {
    kept: store.insertImport({ id, orgId, header, ignored, lineCount, createdAt, expiresAt }),
    parts: seen.map((part, place) => store.insertPart({ importId: id, place, ...part }, orgId)),
    older: store.deleteOlder(orgId, IMPORTS_MAX),
  });
}

export interface ReadImport extends Omit<store.NewImport, 'orgId' | 'header'> {
  /** The number of processed lines. */
  doneCount: number;
  /** The outcomes of the processed lines. Until the first part is processed, they are the previews of all lines. */
  outcomes: readonly LinePreview[];
}

/** The current state of an import. @throws AppError `not_found` */
export async function readImport(ctx: Context, id: string): Promise<ReadImport> {
  const { orgId } = requireScope(ctx, 'inventory.write');
  const key = { orgId, id, now: ctx.now() };
  const { found, parts } = await ctx.db.run({ found: store.selectImport(key), parts: store.selectOutcomes(key) });
  const [row] = found;
  if (!row) throw notFound();
  const done = parts.flatMap(({ outcome }) => outcome ?? []);
  const shown = done.length > 0 ? done : parts.map(({ preview }) => preview);
  const outcomes = shown.flatMap((text) => JSON.parse(text) as LinePreview[]);
  const { ignored, lineCount, createdAt, expiresAt } = row;
  const doneCount = done.length > 0 ? outcomes.length : 0;
  return { id, ignored: JSON.parse(ignored), lineCount, createdAt, expiresAt, doneCount, outcomes };
}

/** The newest imports of the organization. */
export async function listImports(ctx: Context) {
  const { orgId } = requireScope(ctx, 'inventory.write');
  return ctx.db.rows(store.selectNewestImports(orgId, ctx.now(), IMPORTS_SHOWN));
}

/**
 * Processes the first pending part of an import as one command. Repeated and concurrent calls are safe: each part is
 * processed once.
 * @throws AppError `not_found`, `insufficient_scope` if a line asks for a change that the person may not make
 */
export async function continueImport(ctx: Context, id: string): Promise<void> {
  const { orgId } = requireScope(ctx, 'inventory.write');
  const key = { orgId, id, now: ctx.now() };
  const { found, next } = await ctx.db.run({ found: store.selectImport(key), next: store.selectNextPart(key) });
  if (!found[0]) throw notFound();
  const [part] = next;
  if (!part) return;
  const { place } = part;
  const lines = JSON.parse(part.lines) as ImportLine[];
  const items = lines.flatMap(({ item, fault }) => (item && !fault ? [item] : []));
  try {
    await changeInventory(ctx, items, (auditId, results) => {
      const outcome = JSON.stringify(outcomesOf(lines, results));
      return store.writeOutcome({ orgId, auditId, importId: id, place, outcome });
    });
  } catch (error) {
    // A concurrent call may have processed the part.
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    const [state] = await ctx.db.rows(store.selectPartState(key, place));
    if (state?.isDone !== 1) throw error;
  }
}

function outcomesOf(lines: readonly ImportLine[], results: readonly ItemResult[]): LineOutcome[] {
  const rest = [...results];
  return lines.map((each) => {
    const { line, name, item, fault } = each;
    if (!item || fault) return refusedLine({ ...each, fault: fault ?? 'unreadable' });
    const result = rest.shift();
    return { line, name, status: result?.status ?? 'failed', fault: result?.fault };
  });
}

/** Reads the headings of the file, and the failed lines with their columns as sent. @throws AppError `not_found` */
export async function readFailedLines(ctx: Context, id: string) {
  const { orgId } = requireScope(ctx, 'inventory.write');
  const key = { orgId, id, now: ctx.now() };
  const { found, parts } = await ctx.db.run({ found: store.selectImport(key), parts: store.selectLines(key) });
  const [row] = found;
  if (!row) throw notFound();
  const failed = parts.flatMap(({ lines, outcome }) => {
    const outcomes = JSON.parse(outcome ?? '[]') as LineOutcome[];
    return (JSON.parse(lines) as ImportLine[]).flatMap(({ fields }, index) => {
      const became = outcomes[index];
      return became?.status === 'failed' ? [{ ...became, fields }] : [];
    });
  });
  return { header: JSON.parse(row.header) as string[], failed };
}

/** Deletes expired imports. */
export async function sweepImports(ctx: Context): Promise<void> {
  requireSystem(ctx);
  await ctx.db.batch(store.deleteExpired(ctx.now(), SWEPT_MAX));
}

type Row = Awaited<ReturnType<typeof selectStockedItems>>[number];

/**
 * Previews the lines of a file. A line gets a permanent fault if it names the product of an earlier line, if its p1_id
 * and PZN are of different products, or if the person may not make its change.
 */
class Preview {
  private readonly resolver = new ProductResolver();
  private readonly orgId: string;

  /** @throws AppError `insufficient_scope` */
  constructor(private readonly ctx: Context) {
    this.orgId = requireScope(ctx, 'inventory.write').orgId;
  }

  /**
   * Previews the next lines, at most as many as one command takes, in one round trip.
   * @returns JSON of the lines with their faults, and JSON of their previews (`LinePreview`)
   */
  async of(sent: readonly ImportLine[]): Promise<{ lines: string; preview: string }> {
    const lines = await Promise.all(sent.map((line) => this.named(line)));
    const mayChangeProducts = holds(this.ctx, 'products.write');
    const items = lines.flatMap(({ item }) => item ?? []);
    const rows = await this.ctx.db.rows(selectStockedItems(this.orgId, items.map(asked)));
    let place = 0;
    const seen = lines.map((line): [ImportLine, LinePreview] => {
      if (!line.item) return refused({ ...line, fault: line.fault ?? 'unreadable' });
      const row = rows[place] as Row;
      place += 1;
      // A step that stays the same is no change: the exported file contains the step.
      if (row.p1Id !== null && line.item.unitStep === row.soldIn) delete line.item.unitStep;
      if (!mayChangeProducts && changesProduct(line.item)) return refused({ ...line, fault: 'not_allowed' });
      if (row.isOther === 1) return refused({ ...line, fault: 'identifiers_differ' });
      const { fault } = this.resolver.take(line.item, row);
      if (fault === 'duplicate_product') return refused({ ...line, fault });
      return [line, fault ? refusedLine({ ...line, fault }) : previewOf(line, row)];
    });
    return {
      lines: JSON.stringify(seen.map(([line]) => line)),
      preview: JSON.stringify(seen.map(([, preview]) => preview)),
    };
  }

  /** Returns the line. If its item creates an own product, the item then has the id of this product. */
  private async named(line: ImportLine): Promise<ImportLine> {
    const { item } = line;
    if (!item?.own) return line;
    return { ...line, item: { ...item, p1Id: await ownIdOf(this.orgId, item.own) } };
  }
}

function refused(line: ImportLine & { fault: LineFault }): [ImportLine, LinePreview] {
  return [line, refusedLine(line)];
}

function previewOf(line: ImportLine, row: Row): LinePreview {
  const item = line.item ?? {};
  const stock = row.isHeld === 1 ? row : null;
  const facts = { stock, unit: unitOfRow(row), unitStep: row.soldIn, counted: row.counted, listedIn: [] };
  const plan = decideItem(item, facts, new Set());
  if (typeof plan === 'string') return refusedLine({ ...line, fault: plan });
  const { onHand, stockQuantity, priceCents, lowStockThreshold } = stock ?? NEW;
  const unitStep = stock && row.soldIn;
  const before = { onHand, stockQuantity, priceCents, lowStockThreshold, unitStep };
  const { stock: change } = item;
  const after = {
    onHand: change ? onHandAfter(stock ?? NEW, change) : onHand,
    stockQuantity: stockAfter(stock ?? NEW, change, row.counted),
    priceCents: item.priceCents === undefined ? priceCents : item.priceCents,
    lowStockThreshold: item.lowStockThreshold === undefined ? lowStockThreshold : item.lowStockThreshold,
    unitStep: item.unitStep ?? unitStep,
  };
  const isChanged = plan.change !== undefined || plan.fields.length > 0;
  const status = plan.isNew ? 'created' : isChanged ? 'updated' : 'unchanged';
  return { line: line.line, name: line.name, status, before: stock ? before : undefined, after };
}

/** Why a line is refused: the fault of its item in a command, or a fault of the file. */
export type LineFault = ItemFault | 'unreadable' | 'columns' | 'too_long' | 'not_allowed' | 'identifiers_differ';

/** A line of a file. */
export interface ImportLine {
  /** Counted from 1, the headings included. */
  line: number;
  /** The product's name in the file. */
  name: string;
  fields: readonly string[];
  /** The requested change; missing if the line cannot be read. */
  item?: InventoryChange;
  /** A permanent fault: the line is not processed. */
  fault?: LineFault;
  /** The heading of the column that cannot be read. */
  column?: string;
}

/** The values of a product that an import can change. Amounts are in cents; null means inherited. */
export interface Figures extends Pick<Stocked, 'onHand' | 'stockQuantity' | 'priceCents' | 'lowStockThreshold'> {
  unitStep: number | null;
}

/** The outcome of a line. `LinePreview` adds the values of the product. */
interface LineOutcome extends Pick<ImportLine, 'line' | 'name' | 'fault' | 'column'> {
  status: ItemStatus;
}

/** The preview of a line: the figures of its product before and after. */
export interface LinePreview extends LineOutcome {
  before?: Figures;
  after?: Figures;
}

function refusedLine({ line, name, fault, column }: ImportLine & { fault: LineFault }): LineOutcome {
  return { line, name, status: 'failed', fault, column };
}
