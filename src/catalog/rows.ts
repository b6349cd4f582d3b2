import * as z from 'zod';
import { readPzn } from '../codes/numbers';
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
  P1_ID_MAX,
  type ProductFieldSpec,
  productFields,
  productRules,
} from './fields';

/** A line of an import as sent: columns by name, or the reason why it cannot be read. */
export interface ImportLine {
  line: number;
  values?: Record<string, unknown>;
  refusal?: Refusal;
}

export interface Refusal {
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

/**
 * Turns CSV text into lines with named columns, using its header. @throws AppError `validation_failed` for a wrong
 * header
 */
export class CsvLines {
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

const NDJSON_LENGTH_MAX = 256 * 1024;

/** Turns NDJSON text into lines, one JSON object each. */
export class NdjsonLines {
  private rest = '';
  private line = 0;

  read(text: string): ImportLine[] {
    const lines = (this.rest + text).split('\n');
    // The rest of a line that is too long is not kept.
    this.rest = (lines.pop() ?? '').slice(0, NDJSON_LENGTH_MAX + 1);
    return lines.flatMap((line) => this.lineOf(line));
  }

  end(): ImportLine[] {
    return this.lineOf(this.rest);
  }

  private lineOf(text: string): ImportLine[] {
    this.line += 1;
    const { line } = this;
    if (text.length > NDJSON_LENGTH_MAX) return [{ line, refusal: { line, reason: 'The line is too long.' } }];
    if (text.trim() === '') return [];
    try {
      const values: unknown = JSON.parse(text);
      if (typeof values === 'object' && values !== null && !Array.isArray(values)) {
        return [{ line, values: values as Record<string, unknown> }];
      }
    } catch {
      // Refused below, like any other line that is not an object.
    }
    return [{ line, refusal: { line, reason: 'The line is not a JSON object.' } }];
  }
}

/** Converts CSV texts that look like numbers or booleans; the schema checks them then. */
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
  // Missing: as it is stored.
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

/** Spreadsheets drop leading zeros and turn digits into numbers. */
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

/** The line as a product, or its first fault, by column. */
export function readRow({ line, values, refusal }: ImportLine): { product: ImportedProduct } | { refusal: Refusal } {
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
