import { holds, requireScope, requireSystem } from '../../platform/access';
import { commit } from '../../platform/commit';
import { conflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { inPages } from '../../platform/data/page';
import type { Statement } from '../../platform/data/statements';
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
import { IMPORT_KEPT_DAYS, IMPORT_PART_LINES, IMPORTS_MAX, IMPORTS_SHOWN } from '../limits';
import { ownIdOf } from '../own';
import * as store from './store';

const SWEPT_MAX = 50;
/** How many parts one statement reads for the file of failed lines. */
const PARTS_READ = 10;

interface NewImport {
  /**
   * The import's id, which cannot be guessed. It is made from the form's id and the file, so a form that is sent twice
   * with the same file makes one import.
   */
  id: string;
  header: readonly string[];
  /** Headings whose columns are not read. */
  ignored: readonly string[];
  /** The lines. A line is parsed when one of its values is first read. */
  lines: Iterable<ImportLine>;
}

/**
 * Stores a file with a preview of each line. The inventory is not changed. The last batch makes the import visible.
 * Each round trip reads the products of a part of the file and writes the part before it, so a file of n parts takes n
 * + 1 round trips. After each part, the function pauses for other requests, because a nearby database answers at once.
 * @throws AppError `insufficient_scope`, `conflict` if newer imports deleted this one meanwhile
 */
export async function keepImport(ctx: Context, { id, header, ignored, lines }: NewImport): Promise<void> {
  const { orgId } = requireScope(ctx, 'inventory.write');
  const preview = new Preview(ctx);
  const createdAt = ctx.now();
  const expiresAt = createdAt + IMPORT_KEPT_DAYS * DAY_MS;
  let before: Statement = store.beginImport({ id, orgId, header, ignored, createdAt, expiresAt });
  let [partCount, lineCount] = [0, 0];
  for (const part of inPages(lines, IMPORT_PART_LINES)) {
    const named = await preview.named(part);
    const { rows } = await commit(ctx, { before, rows: preview.selectRows(named) });
    before = store.insertPart({ importId: id, place: partCount, ...preview.of(named, rows) }, orgId);
    partCount += 1;
    lineCount += part.length;
    await ctx.wait(0);
  }
  const complete = store.completeImport({ id, orgId, lineCount, partCount });
  await commit(ctx, { before, complete, older: store.deleteOlder(orgId, IMPORTS_MAX) }, { refused: () => conflict() });
}

type Row = Awaited<ReturnType<typeof selectStockedItems>>[number];

export interface ReadImport extends Omit<store.NewImport, 'orgId' | 'header'> {
  lineCount: number;
  /** The number of processed lines. */
  doneCount: number;
  step: ReturnType<typeof stepOf>;
  /**
   * The outcomes of the processed lines. Once all lines are processed, the outcomes have the figures of the previews.
   * Until the first part is processed, the list has the previews of all lines instead.
   */
  outcomes: readonly LinePreview[];
}

/** Returns the current state of an import. @throws AppError `not_found` */
export async function readImport(ctx: Context, id: string): Promise<ReadImport> {
  const { orgId } = requireScope(ctx, 'inventory.write');
  const key = { orgId, id, now: ctx.now() };
  const { found, parts } = await ctx.db.run({ found: store.selectImport(key), parts: store.selectOutcomes(key) });
  const [row] = found;
  if (!row) throw notFound();
  const done = parts.flatMap(({ outcome }) => JSON.parse(outcome ?? '[]') as LineOutcome[]);
  const step = stepOf(done.length, row.lineCount);
  const previews = step === 'running' ? [] : parts.flatMap(({ preview }) => JSON.parse(preview) as LinePreview[]);
  const outcomes = done.length > 0 ? done.map((each, index) => ({ ...previews[index], ...each })) : previews;
  const { ignored, lineCount, createdAt, expiresAt } = row;
  const about = { id, ignored: JSON.parse(ignored), lineCount, createdAt, expiresAt };
  return { ...about, doneCount: done.length, step, outcomes };
}

/** Returns how far an import is: none, some or all of its lines or parts are processed. */
export function stepOf(doneCount: number, count: number) {
  return doneCount === 0 ? 'preview' : doneCount < count ? 'running' : 'report';
}

/** Returns the names of the lines' products, by p1_id. */
export async function namesInImport(ctx: Context, lines: readonly LinePreview[]): Promise<ReadonlyMap<string, string>> {
  const { orgId } = requireScope(ctx, 'inventory.write');
  const rows = await ctx.db.rows(
    store.selectNames(
      orgId,
      lines.flatMap(({ p1Id }) => p1Id ?? []),
    ),
  );
  return new Map(rows.map(({ p1Id, name }) => [p1Id, name]));
}

/** Returns the newest imports of the organization. */
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

/**
 * Returns the headings of the file (`header`), and the failed lines with their columns as sent (`failed`). `failed` is
 * an iterator that queries the database while it is iterated.
 * @throws AppError `not_found`
 */
export async function readFailedLines(ctx: Context, id: string) {
  const { orgId } = requireScope(ctx, 'inventory.write');
  const key = { orgId, id, now: ctx.now() };
  const [row] = await ctx.db.rows(store.selectImport(key));
  if (!row) throw notFound();
  return { header: JSON.parse(row.header) as string[], failed: failedLines(ctx, key) };
}

async function* failedLines(ctx: Context, key: store.Key) {
  for (let place = 0; ; place += PARTS_READ) {
    const parts = await ctx.db.rows(store.selectLines(key, place, PARTS_READ));
    for (const { lines, outcome } of parts) {
      const outcomes = JSON.parse(outcome ?? '[]') as LineOutcome[];
      for (const [index, { fields }] of (JSON.parse(lines) as ImportLine[]).entries()) {
        const became = outcomes[index];
        if (became?.status === 'failed') yield { ...became, fields };
      }
    }
    if (parts.length < PARTS_READ) return;
    await ctx.wait(0);
  }
}

/** Deletes expired imports. */
export async function sweepImports(ctx: Context): Promise<void> {
  requireSystem(ctx);
  await ctx.db.batch(store.deleteExpired(ctx.now(), SWEPT_MAX));
}

/**
 * Previews the lines of a file. A line gets a permanent fault in three cases: it names the product of an earlier line,
 * its p1_id and PZN belong to different products, or the person may not make its change.
 */
class Preview {
  private readonly resolver = new ProductResolver();
  private readonly orgId: string;

  /** @throws AppError `insufficient_scope` */
  constructor(private readonly ctx: Context) {
    this.orgId = requireScope(ctx, 'inventory.write').orgId;
  }

  /** Returns the lines. An item that creates an own product has the id of this product. */
  named(lines: readonly ImportLine[]): Promise<ImportLine[]> {
    return Promise.all(
      lines.map(async (line) => {
        const { item } = line;
        if (!item?.own) return line;
        return { ...line, item: { ...item, p1Id: await ownIdOf(this.orgId, item.own) } };
      }),
    );
  }

  /** Reads the product of each line that has an item, in order. */
  selectRows(lines: readonly ImportLine[]) {
    return selectStockedItems(this.orgId, lines.flatMap(({ item }) => item ?? []).map(asked));
  }

  /**
   * Previews the next lines, at most as many as one command takes.
   * @param rows as read by `selectRows`
   * @returns JSON of the lines with their faults, and JSON of their previews (`LinePreview`)
   */
  of(lines: readonly ImportLine[], rows: readonly Row[]): { lines: string; preview: string } {
    const mayChangeProducts = holds(this.ctx, 'products.write');
    let place = 0;
    const seen = lines.map((line): [ImportLine, LinePreview] => {
      const no = (fault: LineFault, p1Id?: string): [ImportLine, LinePreview] => [
        { ...line, fault },
        { ...refusedLine({ ...line, fault }), p1Id },
      ];
      if (!line.item) return no(line.fault ?? 'unreadable');
      const row = rows[place] as Row;
      place += 1;
      // A step that stays the same is no change: the exported file contains the step.
      if (row.p1Id !== null && line.item.unitStep === row.soldIn) delete line.item.unitStep;
      const p1Id = row.p1Id ?? undefined;
      if (!mayChangeProducts && changesProduct(line.item)) return no('not_allowed', p1Id);
      if (row.isOther === 1) return no('identifiers_differ', p1Id);
      const { fault } = this.resolver.take(line.item, row);
      if (fault === 'duplicate_product') return no(fault, p1Id);
      return [line, { ...(fault ? refusedLine({ ...line, fault }) : previewOf(line, row)), p1Id }];
    });
    return {
      lines: JSON.stringify(seen.map(([line]) => line)),
      preview: JSON.stringify(seen.map(([, preview]) => preview)),
    };
  }
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

/** The preview of a line: its product if there is one, with its figures before and after. */
export interface LinePreview extends LineOutcome {
  p1Id?: string;
  before?: Figures;
  after?: Figures;
}

function refusedLine({ line, name, fault, column }: ImportLine & { fault: LineFault }): LineOutcome {
  return { line, name, status: 'failed', fault, column };
}
