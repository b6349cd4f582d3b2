import * as z from 'zod';
import { readPzn } from '../codes/numbers';
import { requireOperator } from '../platform/access';
import { type BatchEntry, commit } from '../platform/commit';
import { retryOnConflict } from '../platform/conflict';
import { type Context, onEachDatabase } from '../platform/context';
import { AppError } from '../platform/errors/errors';
import { foldText } from '../platform/fold';
import { faultOfText } from '../platform/http/json';
import { textOf, toFieldErrors } from '../platform/http/validation';
import { toCents } from '../platform/money';
import { CsvReader, type CsvRecord } from './csv';
import {
  CATALOG_FIELDS,
  type CatalogField,
  type ImportedProduct,
  OWN_PREFIX,
  type ProductFieldSpec,
  productFields,
  productRules,
} from './fields';
import { IMPORT_BYTES_MAX, IMPORT_RECORD_LENGTH_MAX, IMPORT_REFUSALS_MAX, P1_ID_MAX } from './limits';
import { selectClashing, upsertProducts } from './store';
import type { Unit } from './tables';

interface ImportReport {
  /** The number of products that are new in the catalog. */
  imported: number;
  /** The number of products that existed and changed. */
  updated: number;
  unchanged: number;
  refused: Refusal[];
  /** Number of refused lines beyond the limit of the list. */
  refusedNotListed: number;
}

/** A catalog product that an import changes, with the wire names of the changed fields. */
interface ChangedInCatalog {
  p1Id: string;
  fields: readonly string[];
}

export interface ToldHolders {
  /** The most products that may change in one batch. */
  togetherMax: number;
  /** Makes the entries with the events of these products. Add them to the batch that changes the products. */
  entriesOf: (changed: readonly ChangedInCatalog[]) => BatchEntry[];
  /** Returns the ids of those products that at least one organization holds. */
  held: () => Promise<readonly string[]>;
}

/** Finds the organizations that hold products which are about to change. The inventory passes this function. */
type TellHolders = (ctx: Context, p1Ids: readonly string[]) => Promise<ToldHolders>;

/** The most lines of an import that are handled together. */
const CHUNK_ROWS = 500;
/** Used if all imported products are new: nobody holds a new product. */
const NOBODY: ToldHolders = { togetherMax: CHUNK_ROWS, entriesOf: () => [], held: async () => [] };

/**
 * Imports products into the catalog of every database while they arrive. Safe to repeat: a product is identified by its
 * p1_id, and an existing one is written only if something changed. Lines that cannot be read are refused individually.
 * Each batch includes events for the organizations that hold its products.
 * @returns the counts of the first database, and the lines that a database has refused
 * @throws AppError `invalid_header`, `body_too_large`, `invalid_encoding`; `backend_unreachable` when a database could
 *   not be reached: repeat the import
 */
export async function importCatalog(
  ctx: Context,
  stream: ReadableStream<Uint8Array>,
  format: 'csv' | 'ndjson',
  tell: TellHolders,
): Promise<ImportReport> {
  requireOperator(ctx);
  const lines = format === 'csv' ? new CsvLines() : new NdjsonLines();
  const report: ImportReport = { imported: 0, updated: 0, unchanged: 0, refused: [], refusedNotListed: 0 };
  let waiting: ImportLine[] = [];
  const flush = async (atLeast: number) => {
    while (waiting.length >= atLeast && waiting.length > 0) {
      await importChunk({ ctx, tell }, waiting.slice(0, CHUNK_ROWS), report);
      waiting = waiting.slice(CHUNK_ROWS);
    }
  };
  for await (const text of decoded(stream)) {
    waiting.push(...lines.read(text));
    await flush(CHUNK_ROWS);
  }
  waiting.push(...lines.end());
  await flush(1);
  return report;
}

interface ProductLine {
  product: ImportedProduct;
  line: number;
}

async function importChunk(
  { ctx, tell }: { ctx: Context; tell: TellHolders },
  chunk: readonly ImportLine[],
  report: ImportReport,
): Promise<void> {
  const byId = new Map<string, ProductLine>();
  for (const each of chunk) {
    const read = readRow(each);
    if ('refusal' in read) refuse(report, read.refusal);
    // If a product appears twice, the later line wins, as in two imports.
    else byId.set(read.product.p1Id, { product: read.product, line: each.line });
  }
  if (byId.size === 0) return;
  const [first, ...others] = onEachDatabase(ctx) as [Context, ...Context[]];
  const counts = await writeChunk(first, tell, [...byId.values()]);
  report.imported += counts.imported;
  report.updated += counts.updated;
  report.unchanged += counts.unchanged;
  for (const refusal of counts.refused) refuse(report, refusal);
  // A line that the first database refuses is written to no database. Another database refuses further lines only if an
  // earlier import did not reach it.
  const refused = new Set(counts.refused.map(({ line }) => line));
  const accepted = [...byId.values()].filter(({ line }) => !refused.has(line));
  const elsewhere = await Promise.all(others.map((at) => writeChunk(at, tell, accepted)));
  const further = new Map(elsewhere.flatMap((each) => each.refused.map((refusal) => [refusal.line, refusal])));
  for (const refusal of further.values()) refuse(report, refusal);
}

function writeChunk(ctx: Context, tell: TellHolders, rows: readonly ProductLine[]) {
  return retryOnConflict(ctx, () => writeOnce(ctx, tell, rows));
}

async function writeOnce(ctx: Context, tell: TellHolders, rows: readonly ProductLine[]) {
  const { clashing } = await ctx.db.run({
    clashing: selectClashing(rows.map(({ product }) => product)),
  });
  const stored = new Map(clashing.map((row) => [row.p1Id, row]));
  const slugOwner = new Map(clashing.map((row) => [row.slug, row.p1Id]));
  const refused: Refusal[] = [];
  const changed: ImportedProduct[] = [];
  const news = new Map<string, ChangedInCatalog>();
  let imported = 0;
  const fixed = await fixedUnits(ctx, tell, stored, rows);
  for (const { product: sent, line } of rows) {
    const kept = stored.get(sent.p1Id);
    const product = {
      ...sent,
      unit: sent.unit ?? kept?.unit ?? null,
      unitStep: sent.unitStep ?? kept?.unitStep ?? null,
    };
    if (fixed.has(product.p1Id)) {
      refused.push({ line, column: 'unit', reason: UNIT_FIXED });
      continue;
    }
    const owner = slugOwner.get(product.slug);
    if (owner !== undefined && owner !== product.p1Id) {
      refused.push({ line, column: 'slug', reason: 'Another product has this slug.' });
      continue;
    }
    slugOwner.set(product.slug, product.p1Id);
    const before = stored.get(product.p1Id);
    if (!before) imported += 1;
    const fields = before ? changedFields(before, product) : [];
    if (fields.length > 0) news.set(product.p1Id, { p1Id: product.p1Id, fields });
    if (!before || fields.length > 0 || before.nameFolded !== product.nameFolded) changed.push(product);
  }
  const { togetherMax, entriesOf } = await (news.size > 0 ? tell(ctx, [...news.keys()]) : NOBODY);
  for (let place = 0; place < changed.length; place += togetherMax) {
    const part = changed.slice(place, place + togetherMax);
    await commit(ctx, {
      products: upsertProducts(part, ctx.now()),
      events: entriesOf(part.flatMap(({ p1Id }) => news.get(p1Id) ?? [])),
    });
  }
  const unchanged = rows.length - refused.length - changed.length;
  return { imported, updated: changed.length - imported, unchanged, refused };
}

const UNIT_FIXED = 'unit_fixed: pharmacies hold the product; its unit cannot change.';

/** Returns the products whose unit would change although an organization holds them. */
async function fixedUnits(
  ctx: Context,
  tell: TellHolders,
  stored: ReadonlyMap<string, { unit: Unit | null }>,
  rows: readonly ProductLine[],
): Promise<ReadonlySet<string>> {
  const others = rows.flatMap(({ product: { p1Id, unit } }) => {
    const before = stored.get(p1Id);
    return before && unit && unit !== (before.unit ?? 'piece') ? [p1Id] : [];
  });
  if (others.length === 0) return new Set();
  return new Set(await (await tell(ctx, others)).held());
}

/** Returns the wire names of the fields that an import changes. */
function changedFields(before: ImportedProduct, after: ImportedProduct): string[] {
  return [
    ...CATALOG_FIELDS.filter((field) => before[field] !== after[field]).map((field) => productFields[field].wire),
    ...(before.pzn === after.pzn ? [] : ['pzn']),
  ];
}

function refuse(report: ImportReport, refusal: Refusal): void {
  if (report.refused.length < IMPORT_REFUSALS_MAX) report.refused.push(refusal);
  else report.refusedNotListed += 1;
}

/** Decodes a stream of UTF-8 as it arrives. @throws AppError `body_too_large`, `invalid_encoding` */
async function* decoded(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  const reader = stream.getReader();
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > IMPORT_BYTES_MAX) {
      throw new AppError(
        'body_too_large',
        `One import may hold ${IMPORT_BYTES_MAX} bytes at most. Send the rest in another.`,
      );
    }
    yield decode(() => decoder.decode(next.value, { stream: true }));
  }
  yield decode(() => decoder.decode());
}

function decode(read: () => string): string {
  try {
    return read();
  } catch {
    throw new AppError('invalid_encoding', 'The file must be in UTF-8.');
  }
}

/** A line of an import as sent: columns by name, or the reason why it cannot be read. */
interface ImportLine {
  line: number;
  values?: Record<string, unknown>;
  refusal?: Refusal;
}

interface Refusal {
  line: number;
  column?: string;
  reason: string;
}

const spec = (field: CatalogField): ProductFieldSpec => productFields[field];
const isRequired = (field: CatalogField) =>
  !spec(field).isOptional && spec(field).kind !== 'flag' && spec(field).fallback === undefined;
/** Required fields first, so that their faults are reported first. */
const IN_ORDER = [...CATALOG_FIELDS.filter(isRequired), ...CATALOG_FIELDS.filter((field) => !isRequired(field))];
const REQUIRED_COLUMNS = ['p1_id', ...CATALOG_FIELDS.filter(isRequired).map((field) => spec(field).wire)];
const OPTIONAL_COLUMNS = IN_ORDER.map((field) => spec(field).wire).filter((name) => !REQUIRED_COLUMNS.includes(name));
OPTIONAL_COLUMNS.push('pzn');
const COLUMNS = [...REQUIRED_COLUMNS, ...OPTIONAL_COLUMNS];

/** Turns CSV text into lines with named columns, using its header. @throws AppError `invalid_header` */
class CsvLines {
  private readonly reader = new CsvReader();
  private header: string[] | null = null;

  read(text: string): ImportLine[] {
    return [...this.reader.read(text)].flatMap((record) => this.lineOf(record));
  }

  end(): ImportLine[] {
    const lines = this.reader.end().flatMap((record) => this.lineOf(record));
    if (!this.header) throw wrongHeader();
    return lines;
  }

  private lineOf({ line, fields, isCut, isLong }: CsvRecord): ImportLine[] {
    if (!this.header) {
      this.header = fields.map((name) => name.trim().toLowerCase());
      const isComplete = REQUIRED_COLUMNS.every((name) => this.header?.includes(name));
      const isTwice = new Set(this.header).size < this.header.length;
      if (!isComplete || isTwice || this.header.some((name) => !COLUMNS.includes(name))) throw wrongHeader();
      return [];
    }
    if (isLong) return [{ line, refusal: { line, reason: 'The line is too long.' } }];
    if (isCut) return [{ line, refusal: { line, reason: 'A quoted field is not closed.' } }];
    if (fields.length !== this.header.length) {
      return [
        { line, refusal: { line, reason: `The line has ${fields.length} columns, the header ${this.header.length}.` } },
      ];
    }
    const values = this.header.map((name, index) => [name, fields[index]?.trim() || undefined]);
    return [{ line, values: typed(Object.fromEntries(values)) }];
  }
}

/** Turns NDJSON text into lines, one JSON object each. */
class NdjsonLines {
  private rest = '';
  private line = 0;

  read(text: string): ImportLine[] {
    const lines = (this.rest + text).split('\n');
    // The rest of a line that is too long is not kept.
    this.rest = (lines.pop() ?? '').slice(0, IMPORT_RECORD_LENGTH_MAX + 1);
    return lines.flatMap((line) => this.lineOf(line));
  }

  end(): ImportLine[] {
    return this.lineOf(this.rest);
  }

  private lineOf(text: string): ImportLine[] {
    this.line += 1;
    const { line } = this;
    if (text.length > IMPORT_RECORD_LENGTH_MAX) return [{ line, refusal: { line, reason: 'The line is too long.' } }];
    if (text.trim() === '') return [];
    try {
      const values: unknown = JSON.parse(text);
      if (typeof values === 'object' && values !== null && !Array.isArray(values)) {
        return [{ line, values: values as Record<string, unknown> }];
      }
    } catch {
      // The line is refused below, like any other line that is not an object.
    }
    return [{ line, refusal: { line, reason: 'The line is not a JSON object.' } }];
  }
}

/** Converts CSV texts that look like numbers or booleans. The schema then checks them. */
function typed(values: Record<string, string | undefined>): Record<string, unknown> {
  const read = CATALOG_FIELDS.map((field) => {
    const { kind, wire } = spec(field);
    const text = values[wire];
    if (text === undefined) return [wire, text];
    if (kind === 'flag') return [wire, { true: true, '1': true, false: false, '0': false }[text] ?? text];
    const isNumber = (kind === 'money' || kind === 'percent' || kind === 'step') && /^-?\d+(\.\d+)?$/.test(text);
    return [wire, isNumber ? Number(text) : text];
  });
  return { ...values, ...Object.fromEntries(read) };
}

const isClean = (value: unknown) => typeof value !== 'string' || !faultOfText(value);
const price = z
  .number()
  .nonnegative()
  .transform((amount, issues) => {
    const cents = toCents(amount);
    if (cents === null) issues.addIssue({ code: 'custom', message: 'Send EUR with at most two decimals.' });
    return cents ?? z.NEVER;
  });

function columnSchema(field: CatalogField): z.ZodType {
  const { kind, isOptional } = spec(field);
  const rule: z.ZodType = productRules[field];
  if (kind === 'flag') return rule.default(false);
  // A missing value leaves the stored one unchanged.
  if (spec(field).fallback !== undefined) return rule.nullish();
  if (kind === 'money') return price;
  const checked = rule.refine(isClean, 'Remove control characters.');
  const read =
    kind === 'lines'
      ? z
          .string()
          .trim()
          .pipe(checked as z.ZodType<unknown, string>)
      : checked;
  return isOptional ? read.nullish() : read;
}

/**
 * The rule of a PZN. It also accepts numbers, and a PZN without its leading zero, because spreadsheets write PZNs like
 * this.
 */
const pzn = z.union([z.string(), z.int()]).transform((written, issues) => {
  const digits = String(written).trim();
  const read = readPzn(digits) ?? readPzn(`-${digits}`);
  if (read === null)
    issues.addIssue({ code: 'custom', message: 'Send all digits of the PZN; its check digit is wrong.' });
  return read ?? z.NEVER;
});

const rowSchema = z.strictObject({
  p1_id: textOf(P1_ID_MAX)
    .refine(isClean, 'Remove control characters.')
    .refine(
      (id) => !id.toLowerCase().startsWith(OWN_PREFIX),
      `Ids of pharmacies' own products begin with ${OWN_PREFIX}.`,
    ),
  ...Object.fromEntries(IN_ORDER.map((field) => [spec(field).wire, columnSchema(field)])),
  pzn: pzn.nullish(),
});

/** Reads a line as a product. If the line has faults, it returns the first one with its column. */
function readRow({ line, values, refusal }: ImportLine): { product: ImportedProduct } | { refusal: Refusal } {
  if (refusal) return { refusal };
  const result = rowSchema.safeParse(values);
  if (result.success) return { product: productOf(result.data) };
  const [fault] = toFieldErrors(result.error.issues);
  return {
    refusal: { line, column: fault?.pointer.slice(1) || undefined, reason: fault?.message ?? 'The line is not valid.' },
  };
}

function productOf({ p1_id: p1Id, pzn = null, ...columns }: z.output<typeof rowSchema>): ImportedProduct {
  const values = CATALOG_FIELDS.map((field) => [field, (columns as Record<string, unknown>)[spec(field).wire] ?? null]);
  // SAFETY: the schema has a column for each field, with its values.
  const product = Object.fromEntries(values) as Omit<ImportedProduct, 'p1Id' | 'pzn' | 'nameFolded'>;
  return { p1Id, pzn, ...product, description: product.description || null, nameFolded: foldText(product.name) };
}

function wrongHeader(): AppError {
  return new AppError(
    'invalid_header',
    `The first line must name the columns ${REQUIRED_COLUMNS.join(',')} and may also name ${OPTIONAL_COLUMNS.join(',')}.`,
  );
}
