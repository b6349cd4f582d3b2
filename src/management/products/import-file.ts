import { CsvReader, type CsvRecord } from '../../catalog/service';
import { IMPORT_LINES_MAX, REFERENCE_MAX, STOCK_MAX } from '../../inventory/limits';
import type { InventoryChange, ItemFault } from '../../inventory/service';
import { parsePrice } from '../ui/price';

/** Columns of a file, in the order in which the page explains them. */
export const COLUMNS = [
  ...(['p1_id', 'pzn', 'stock_quantity', 'on_hand', 'delta'] as const),
  ...(['price', 'low_stock_threshold', 'add', 'reference'] as const),
];
type Column = (typeof COLUMNS)[number];
const STOCK_COLUMNS = ['stock_quantity', 'on_hand', 'delta'] as const;

/** Why a line is not taken: what a command says, or what cannot be read. */
export interface LineFault {
  line: number;
  /** What the line calls its product. */
  name: string;
  fault: ItemFault | 'unreadable' | 'columns';
  column?: Column;
}

export interface ImportLine {
  line: number;
  name: string;
  item: InventoryChange;
}

export type ReadFile =
  | { refused: 'encoding' | 'header' | 'lines' }
  | { refused?: never; lines: ImportLine[]; faults: LineFault[] };

/** Reads a file of stocks: a header that names the columns, and a line for each product. */
export function readImport(bytes: Uint8Array): ReadFile {
  const text = decoded(bytes);
  if (text === null) return { refused: 'encoding' };
  const firstLine = text.slice(0, 1_000).split('\n', 1)[0] ?? '';
  const reader = new CsvReader(firstLine.includes(';') ? ';' : ',');
  const [head, ...records] = [...reader.read(text), ...reader.end()];
  const columns = head?.fields.map((name) => COLUMNS.find((column) => column === name.trim().toLowerCase()));
  if (!columns || !isHeader(columns)) return { refused: 'header' };
  if (records.length > IMPORT_LINES_MAX) return { refused: 'lines' };
  const seen = new Set<string>();
  const read = records.map((record) => readLine(record, columns, seen));
  return {
    lines: read.filter((each): each is ImportLine => 'item' in each),
    faults: read.filter((each): each is LineFault => 'fault' in each),
  };
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return null;
  }
}

function isHeader(columns: readonly (Column | undefined)[]): columns is readonly Column[] {
  const isNamed = columns.includes('p1_id') || columns.includes('pzn');
  return isNamed && columns.length > 1 && !columns.includes(undefined) && new Set(columns).size === columns.length;
}

function readLine({ line, fields, isCut }: CsvRecord, columns: readonly Column[], seen: Set<string>) {
  const values = new Map(columns.map((column, index) => [column, fields[index]?.trim() ?? '']));
  const of = (column: Column) => values.get(column) ?? '';
  const name = (of('p1_id') || of('pzn')).slice(0, 100);
  const faulty = (fault: LineFault['fault'], column?: Column): LineFault => ({ line, name, fault, column });
  if (isCut || fields.length !== columns.length) return faulty('columns');
  const item = itemOf(of);
  if (typeof item === 'string') return faulty('unreadable', item);
  const key = item.p1Id ?? `pzn ${item.pzn}`;
  if (seen.has(key)) return faulty('duplicate_product');
  seen.add(key);
  return { line, name, item } satisfies ImportLine;
}

/** @returns what a line asks; or the column that cannot be read */
function itemOf(of: (column: Column) => string): InventoryChange | Column {
  const p1Id = of('p1_id');
  const pzn = p1Id === '' ? of('pzn') : '';
  if (p1Id.length > 100 || /\p{Cc}/u.test(p1Id)) return 'p1_id';
  if (p1Id === '' && !/^\d{1,8}$/.test(pzn)) return 'pzn';
  const given = STOCK_COLUMNS.filter((column) => of(column) !== '');
  const [column] = given;
  if (given.length > 1) return given[1] as Column;
  const count =
    column && (column === 'delta' ? /^[+-]?\d{1,9}$/ : /^\d{1,9}$/).test(of(column)) ? Number(of(column)) : NaN;
  if (column && !(Math.abs(count) <= STOCK_MAX)) return column;
  const price = of('price') === '' ? undefined : parsePrice(of('price'));
  if (price === null) return 'price';
  const threshold = of('low_stock_threshold');
  if (!/^\d{0,9}$/.test(threshold)) return 'low_stock_threshold';
  const isAdded = /^(1|x|ja|yes|true)$/i.test(of('add'));
  if (
    (of('add') !== '' && !isAdded && !/^(0|nein|no|false)$/i.test(of('add'))) ||
    (isAdded && (!column || column === 'delta'))
  ) {
    return 'add';
  }
  const reference = of('reference');
  if (reference.length > REFERENCE_MAX || /\p{Cc}/u.test(reference)) return 'reference';
  if (!column && price === undefined && threshold === '') return 'stock_quantity';
  return {
    ...(p1Id === '' ? { pzn: pzn.padStart(8, '0') } : { p1Id }),
    ...(column && { stock: changeOf(column, count) }),
    ...(price !== undefined && { priceCents: price }),
    ...(threshold !== '' && { lowStockThreshold: Number(threshold) }),
    ...(isAdded && { isAdded }),
    ...(reference !== '' && { reference }),
  };
}

function changeOf(column: (typeof STOCK_COLUMNS)[number], count: number) {
  if (column === 'delta') return { delta: count };
  return column === 'on_hand' ? { onHand: count } : { to: count };
}
