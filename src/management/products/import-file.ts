import { CsvReader, type CsvRecord } from '../../catalog/csv';
import { type ProductField, productFields, productRules } from '../../catalog/fields';
import type { Unit } from '../../catalog/tables';
import { isPzn, readPzn } from '../../codes/numbers';
import type { ProductValues } from '../../inventory/fields';
import type { ImportLine, LineFault } from '../../inventory/imports/imports';
import * as limits from '../../inventory/limits';
import type { NewOwnProduct } from '../../inventory/own';
import type { StockReason } from '../../inventory/tables';
import { parsePrice } from '../ui/format';
import { usualReason } from './product-table';

/** Columns of a file, in the order in which the page explains them. */
const COLUMNS = [
  ...(['p1_id', 'pzn', 'stock_quantity', 'on_hand', 'delta'] as const),
  ...(['price', 'low_stock_threshold', 'unit', 'unit_step', 'add', 'create', 'reference'] as const),
];
/**
 * The columns that describe a new own product. In a file without the column `create`, they are ignored, except `unit`
 * and `unit_step`.
 */
const OWN_FIELDS = (
  ['name', 'description', 'category', 'thcPercent', 'cbdPercent', 'prescriptionRequired', 'unit', 'unitStep'] as const
).map((field) => ({ field, column: productFields[field].wire }));
type OwnColumn = (typeof OWN_FIELDS)[number]['column'];
type Column = (typeof COLUMNS)[number] | OwnColumn;
const STOCK_COLUMNS = ['stock_quantity', 'on_hand', 'delta'] as const;
const NAMING_COLUMNS: readonly Column[] = ['p1_id', 'pzn', 'name'];
/**
 * Columns that change nothing by themselves: they name the product or its unit. A file needs at least one other column.
 */
const QUIET_COLUMNS: readonly Column[] = [...NAMING_COLUMNS, 'unit'];

/**
 * Further headings, in lower case, each with the column that it means. They are common spellings and the headings of
 * the exported inventory file.
 */
const HEADINGS: Readonly<Record<string, Column>> = {
  'p1-id': 'p1_id',
  p1id: 'p1_id',
  bestand: 'on_hand',
  'im haus': 'on_hand',
  lagerbestand: 'on_hand',
  'on hand': 'on_hand',
  verkaufbar: 'stock_quantity',
  vermerk: 'reference',
  änderung: 'delta',
  change: 'delta',
  preis: 'price',
  'eigener preis': 'price',
  'own price': 'price',
  meldebestand: 'low_stock_threshold',
  threshold: 'low_stock_threshold',
  aufnehmen: 'add',
  anlegen: 'create',
  bezeichnung: 'name',
  beschreibung: 'description',
  kategorie: 'category',
  thc: 'thc_percent',
  cbd: 'cbd_percent',
  rezeptpflichtig: 'prescription_required',
  einheit: 'unit',
  gebinde: 'unit_step',
  schritt: 'unit_step',
  step: 'unit_step',
};

type ReadFile =
  | { refused: 'binary' | 'header' | 'lines' | 'empty' }
  | { refused?: never; header: string[]; ignored: string[]; lines: ImportLine[] };

/** A first line such as `sep=;`, in which spreadsheets name the column separator. */
const SEPARATOR_LINE = /^"?sep=([;,\t])"?[^\S\r\n]*(\r\n|\r|\n)/i;

/**
 * Reads a file of stocks and prices. It has one line of headings, then a line for each product. Columns are separated
 * by commas, semicolons, or tabs. Amounts have a decimal comma or point. The encoding is UTF-8, UTF-16, or
 * Windows-1252. Takes time linear in the file's length. Reading stops at the first line beyond the limit. A line's
 * values are read when they are used, so the caller can let other requests run between lines.
 * @param reason the reason of all changes of stock. If undefined, each change gets its usual reason
 * @returns the lines, or in `refused` why the whole file was refused
 */
export function readImportFile(bytes: Uint8Array, reason?: StockReason): ReadFile {
  const text = decoded(bytes);
  // The file is binary: a spreadsheet's own format, or an image.
  if (text.includes('\0')) return { refused: 'binary' };
  const said = SEPARATOR_LINE.exec(text);
  const table = said ? text.slice(said[0].length) : text;
  const firstLine = table.slice(0, 2_000).split(/[\r\n]/, 1)[0] ?? '';
  const separator = ([';', '\t'] as const).find((each) => each === said?.[1] || firstLine.includes(each)) ?? ',';
  const records = new CsvReader(separator, said ? 2 : 1).readAll(table);
  const first = records.next();
  const header = (first.done ? [] : first.value.fields).map((name) => plain(name).slice(0, 100));
  const named = header.map(columnOf);
  const columns = named.includes('create') ? named : named.map((each) => COLUMNS.find((column) => column === each));
  if (columns.length > limits.IMPORT_COLUMNS_MAX || !isHeader(columns)) return { refused: 'header' };
  const places = new Map(columns.flatMap((column, index) => (column ? [[column, index]] : [])));
  const lines: ImportLine[] = [];
  for (const record of records) {
    if (lines.length === limits.IMPORT_LINES_MAX) return { refused: 'lines' };
    lines.push(whenUsed(record.line, () => readLine(record, { header, places }, reason)));
  }
  if (lines.length === 0) return { refused: 'empty' };
  return { header, ignored: header.filter((name, index) => columns[index] === undefined && name !== ''), lines };
}

/** Returns a line that is read when one of its values is first used. */
function whenUsed(line: number, read: () => ImportLine): ImportLine {
  let known: ImportLine | undefined;
  const values = () => {
    known ??= read();
    return known;
  };
  return {
    line,
    get name() {
      return values().name;
    },
    get fields() {
      return values().fields;
    },
    get item() {
      return values().item;
    },
    get fault() {
      return values().fault;
    },
    get column() {
      return values().column;
    },
  };
}

function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    // Spreadsheets on German computers write this encoding.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const CONTROL = /\p{Cc}/u;

/**
 * Replaces control characters with spaces, and removes a leading apostrophe or a formula around the text, which
 * spreadsheets add to keep a field as text (`="01126619"`).
 */
function plain(field: string): string {
  const text = (CONTROL.test(field) ? field.replace(/\p{Cc}/gu, ' ') : field).trim();
  if (text.startsWith('=')) return /^="([^"]*)"$/.exec(text)?.[1]?.trim() ?? text;
  return text.startsWith("'") ? text.slice(1) : text;
}

function columnOf(heading: string): Column | undefined {
  const name = heading.normalize('NFC').toLowerCase();
  const known = [...COLUMNS, ...OWN_FIELDS.map(({ column }) => column)];
  return known.find((column) => column === name) ?? (Object.hasOwn(HEADINGS, name) ? HEADINGS[name] : undefined);
}

/**
 * Whether the first line can be the headings: one column names the product, another column changes something, and no
 * column occurs twice.
 */
function isHeader(columns: readonly (Column | undefined)[]): boolean {
  const known = columns.filter((column) => column !== undefined);
  const isNamed = known.some((column) => NAMING_COLUMNS.includes(column));
  return isNamed && known.some((column) => !QUIET_COLUMNS.includes(column)) && new Set(known).size === known.length;
}

interface Headings {
  header: readonly string[];
  /** The position of each column that is read. */
  places: ReadonlyMap<Column, number>;
}

function readLine(
  { line, fields: sent, isCut, isLong }: CsvRecord,
  { header, places }: Headings,
  reason: StockReason | undefined,
): ImportLine {
  const isTooLong =
    isLong ||
    sent.length > limits.IMPORT_COLUMNS_MAX ||
    sent.reduce((length, field) => length + field.length, 0) > limits.IMPORT_LINE_LENGTH_MAX;
  const fields = sent.slice(0, limits.IMPORT_COLUMNS_MAX).map(plain);
  const of = (column: Column) => fields[places.get(column) ?? -1] ?? '';
  const name = NAMING_COLUMNS.map(of).find(Boolean) ?? '';
  const read = { line, name: name.slice(0, 100), fields };
  const faulty = (fault: LineFault, column?: Column): ImportLine => ({
    ...read,
    fault,
    column: column && (header[places.get(column) ?? -1] ?? column),
  });
  if (isTooLong) return { ...faulty('too_long'), fields: [] };
  if (isCut || fields.length !== header.length) return faulty('columns');
  const item = itemOf(of);
  if (typeof item === 'string') return faulty('unreadable', item);
  return { ...read, item: { ...item, ...(item.stock && { reason: reason ?? usualReason(item.stock) }) } };
}

/**
 * Reads the item of a line.
 * @param of returns the line's text in a column; empty if the file does not have the column
 * @returns the item, or the name of the column that is invalid
 */
function itemOf(of: (column: Column) => string): NonNullable<ImportLine['item']> | Column {
  const p1Id = of('p1_id');
  const pzn = pznIn(of('pzn'));
  if (p1Id.length > 100) return 'p1_id';
  const isMade = readYes(of('create'));
  if (isMade === null) return 'create';
  if (pzn === null || (p1Id === '' && pzn === '' && !isMade)) return 'pzn';
  const given = STOCK_COLUMNS.filter((column) => of(column) !== '');
  const [column] = given;
  if (given.length > 1) return given[1] as Column;
  const count =
    column && (column === 'delta' ? /^[+-]?\d{1,9}$/ : /^\d{1,9}$/).test(of(column)) ? Number(of(column)) : NaN;
  if (column && !(Math.abs(count) <= limits.STOCK_MAX)) return column;
  const price = of('price') === '' ? undefined : parsePrice(of('price'));
  if (price === null) return 'price';
  const threshold = of('low_stock_threshold');
  if (!/^\d{0,9}$/.test(threshold)) return 'low_stock_threshold';
  const unit = of('unit') === '' ? undefined : unitIn(of('unit'));
  if (unit === null) return 'unit';
  const step = of('unit_step') === '' ? undefined : Number(of('unit_step'));
  if (step !== undefined && !productRules.unitStep.safeParse(step).success) return 'unit_step';
  const isAdded = readYes(of('add'));
  if (isAdded === null || (isAdded && (!column || column === 'delta'))) return 'add';
  const own = isMade ? ownOf(of, { pzn, price }) : undefined;
  if (typeof own === 'string') return own;
  if (own && (p1Id !== '' || !column || column === 'delta')) return p1Id === '' ? 'create' : 'p1_id';
  const reference = of('reference');
  if (reference.length > limits.REFERENCE_MAX) return 'reference';
  return {
    ...(p1Id !== '' && { p1Id }),
    ...(pzn !== '' && { pzn }),
    ...(column && { stock: changeOf(column, count) }),
    ...(price !== undefined && { priceCents: price }),
    ...(threshold !== '' && { lowStockThreshold: Number(threshold) }),
    ...(unit && { unit }),
    ...(step !== undefined && { unitStep: step }),
    ...((isAdded || own) && { isAdded: true }),
    ...(own && { own }),
    ...(reference !== '' && { reference }),
  };
}

/** @returns true for yes, false for no or an empty text, null for any other text */
function readYes(text: string): boolean | null {
  if (/^(1|x|ja|yes|true)$/i.test(text)) return true;
  return /^(0|nein|no|false)?$/i.test(text) ? false : null;
}

/**
 * Reads the own product that a line creates.
 * @param of returns the line's text in a column; empty if the file does not have the column
 * @returns the product, or the name of the column that is missing or invalid
 */
function ownOf(
  of: (column: Column) => string,
  { pzn, price }: { pzn: string; price?: number },
): NewOwnProduct | Column {
  if (price === undefined) return 'price';
  if (pzn !== '' && !isPzn(pzn)) return 'pzn';
  const values: ProductValues = {};
  for (const { field, column } of OWN_FIELDS) {
    const text = of(column);
    if (text === '' && field !== 'name') continue;
    const value = ownValue(field, text);
    if (!productRules[field].safeParse(value).success) return column;
    Object.assign(values, { [field]: value });
  }
  return { values: { ...values, name: of('name'), priceCents: price }, pzn: pzn || null };
}

/** The unit that each word means. The words are in lower case. */
const UNIT_WORDS: Readonly<Record<string, Unit>> = {
  ...{ piece: 'piece', st: 'piece', stk: 'piece', stück: 'piece', packung: 'piece', pck: 'piece', pack: 'piece' },
  ...{ g: 'g', gramm: 'g', gram: 'g', ml: 'ml', milliliter: 'ml' },
};

/** The unit that a word means; null if the word is unknown. */
function unitIn(text: string): Unit | null {
  const word = text.normalize('NFC').toLowerCase().replace(/\.$/, '');
  return (Object.hasOwn(UNIT_WORDS, word) && UNIT_WORDS[word]) || null;
}

function ownValue(field: ProductField, text: string): unknown {
  const { kind } = productFields[field];
  if (kind === 'flag') return readYes(text);
  if (kind === 'unit') return unitIn(text);
  const isNumber = kind === 'step' || kind === 'percent';
  return isNumber ? Number(text.replace(/\s?%$/, '').replace(',', '.')) : text;
}

/** @returns the PZN with eight digits; an empty text if there is none; null if it is invalid */
function pznIn(text: string): string | null {
  if (/^\d{0,8}$/.test(text)) return text === '' ? '' : text.padStart(8, '0');
  return readPzn(text);
}

function changeOf(column: (typeof STOCK_COLUMNS)[number], count: number) {
  if (column === 'delta') return { delta: count };
  return column === 'on_hand' ? { onHand: count } : { to: count };
}
