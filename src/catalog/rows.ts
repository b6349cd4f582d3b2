import * as z from 'zod';
import { AppError } from '../platform/errors';
import { faultOfText } from '../platform/json';
import { toCents } from '../platform/money';
import { toFieldErrors } from '../platform/validation';
import { CsvReader, type CsvRecord } from './csv';
import { CATEGORY_MAX, DESCRIPTION_MAX, NAME_MAX, P1_ID_MAX, SLUG, SLUG_MAX, SLUG_MESSAGE } from './limits';

/** A line of an import as it arrived: columns by name, or the reason why it cannot be read. */
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

const REQUIRED_COLUMNS = ['p1_id', 'name', 'slug', 'category', 'price'];
const OPTIONAL_COLUMNS = ['description', 'thc_percent', 'cbd_percent', 'prescription_required'];
const COLUMNS = [...REQUIRED_COLUMNS, ...OPTIONAL_COLUMNS];

/**
 * Turns CSV text into lines with named columns, using its header. @throws AppError `validation_failed` for a wrong
 * header
 */
export class CsvLines {
  private readonly reader = new CsvReader();
  private header: string[] | null = null;

  read(text: string): ImportLine[] {
    return this.reader.read(text).flatMap((record) => this.lineOf(record));
  }

  end(): ImportLine[] {
    const lines = this.reader.end().flatMap((record) => this.lineOf(record));
    if (!this.header) throw wrongHeader();
    return lines;
  }

  private lineOf({ line, fields, isCut }: CsvRecord): ImportLine[] {
    if (!this.header) {
      this.header = fields.map((name) => name.trim().toLowerCase());
      const isComplete = REQUIRED_COLUMNS.every((name) => this.header?.includes(name));
      const isTwice = new Set(this.header).size < this.header.length;
      if (!isComplete || isTwice || this.header.some((name) => !COLUMNS.includes(name))) throw wrongHeader();
      return [];
    }
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
export class NdjsonLines {
  private rest = '';
  private line = 0;

  read(text: string): ImportLine[] {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.lineOf(line));
  }

  end(): ImportLine[] {
    return this.lineOf(this.rest);
  }

  private lineOf(text: string): ImportLine[] {
    this.line += 1;
    const { line } = this;
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

/** CSV has only texts: a text that looks like a number or a boolean is converted, and the schema then checks it. */
function typed(values: Record<string, string | undefined>): Record<string, unknown> {
  const number = (text: string | undefined) =>
    text !== undefined && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  const boolean = (text: string | undefined) =>
    ({ true: true, '1': true, false: false, '0': false })[text ?? ''] ?? text;
  return {
    ...values,
    price: number(values.price),
    thc_percent: number(values.thc_percent),
    cbd_percent: number(values.cbd_percent),
    prescription_required: boolean(values.prescription_required),
  };
}

const text = z
  .string()
  .trim()
  .min(1)
  .max(NAME_MAX)
  .refine((value) => !faultOfText(value), 'Remove control characters.');
const percent = z.number().min(0).max(100).nullish();

const rowSchema = z.strictObject({
  p1_id: text.max(P1_ID_MAX),
  name: text,
  slug: z.string().max(SLUG_MAX).regex(SLUG, SLUG_MESSAGE),
  category: text.max(CATEGORY_MAX),
  price: z
    .number()
    .nonnegative()
    .transform((amount, issues) => {
      const cents = toCents(amount);
      if (cents === null) issues.addIssue({ code: 'custom', message: 'Send EUR with at most two decimals.' });
      return cents ?? z.NEVER;
    }),
  description: z
    .string()
    .trim()
    .max(DESCRIPTION_MAX)
    .refine((value) => !faultOfText(value), 'Remove control characters.')
    .nullish(),
  thc_percent: percent,
  cbd_percent: percent,
  prescription_required: z.boolean().default(false),
});

export type CatalogRow = z.infer<typeof rowSchema>;

/** The line as a product, or its first fault, by column. */
export function readRow({ line, values, refusal }: ImportLine): { row: CatalogRow } | { refusal: Refusal } {
  if (refusal) return { refusal };
  const result = rowSchema.safeParse(values);
  if (result.success) return { row: result.data };
  const [fault] = toFieldErrors(result.error.issues);
  return {
    refusal: { line, column: fault?.pointer.slice(1) || undefined, reason: fault?.message ?? 'The line is not valid.' },
  };
}

function wrongHeader(): AppError {
  return new AppError(
    'invalid_header',
    `The first line must name the columns ${REQUIRED_COLUMNS.join(',')} and may also name ${OPTIONAL_COLUMNS.join(',')}.`,
  );
}
