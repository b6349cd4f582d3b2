import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { PAGE_BYTES_MAX } from '../limits';

/** The most bytes of a row's wide columns that are read with a list. A row with more is read separately. */
const WIDE_BYTES = 8 * 1024;

/**
 * Returns SQL for the size of some columns of a row together, in bytes. SQLite knows the size without reading the text.
 */
export function octetsOf(columns: readonly SQLiteColumn[]): SQL.Aliased<number> {
  return octets(columns).as('octets');
}

function octets(columns: readonly SQLiteColumn[]): SQL<number> {
  const each = columns.map((column) => sql`coalesce(octet_length(${column}), 0)`);
  return sql`(${sql.join(each, sql` + `)})`;
}

type Narrow<Table extends SQLiteTable> = Table['_']['columns'] & { octets: SQL.Aliased<number> };

/**
 * Returns the columns of a table for reading a list. If the wide columns of a row have more than `WIDE_BYTES`, they are
 * read as null, although their types do not say so. `completePage` reads such rows separately, because a whole page of
 * them must not be read at once.
 */
export function narrowColumns<Table extends SQLiteTable>(table: Table, wide: readonly SQLiteColumn[]): Narrow<Table> {
  const all = Object.entries(getTableColumns(table));
  const narrowed = all.map(([name, column]) => {
    if (!wide.some((each) => each === column)) return [name, column];
    const value = sql`iif(${octets(wide)} > ${sql.raw(String(WIDE_BYTES))}, null, ${column})`;
    return [name, value.mapWith(column).as(column.name)];
  });
  // SAFETY: each column is under its name and keeps its type.
  return { ...Object.fromEntries(narrowed), octets: octetsOf(wide) } as Narrow<Table>;
}

/**
 * Returns a page of rows that were read with `narrowColumns`. The page has at least one row, and further rows up to
 * `PAGE_BYTES_MAX`.
 * @param rows up to `size` rows, and one more if there is a next page
 * @param cursorOf returns the cursor that stands for a row's position in the list
 * @param readWhole reads rows by id, in any order; called only for wide rows
 * @returns the page, and the cursor of the next page, which is null on the last page
 */
export async function completePage<Row extends { id: string; octets: number }, Cursor>(
  rows: readonly Row[],
  size: number,
  cursorOf: (row: Row) => Cursor,
  readWhole: (ids: string[]) => Promise<Omit<Row, 'octets'>[]>,
) {
  let bytes = 0;
  const kept = rows.slice(0, size).filter((row, place) => {
    bytes += row.octets;
    return place === 0 || bytes <= PAGE_BYTES_MAX;
  });
  const wide = kept.filter(isWide).map(({ id }) => id);
  const whole = new Map((wide.length === 0 ? [] : await readWhole(wide)).map((row) => [row.id, row]));
  const last = kept.at(-1);
  return {
    page: kept.flatMap((row) => (isWide(row) ? filled(row, whole.get(row.id)) : row)),
    nextCursor: kept.length < rows.length && last !== undefined ? cursorOf(last) : null,
  };
}

/**
 * Returns a list with only this row, to which the wide columns of `whole` are added. The list is empty if `whole` is
 * missing. The other columns stay as first read, so that the row keeps its place in the list.
 */
function filled<Row extends object>(row: Row, whole: object | undefined): Row[] {
  if (whole === undefined) return [];
  const known = Object.entries(row).filter(([, value]) => value !== null);
  // SAFETY: both have the same columns.
  return [{ ...row, ...whole, ...Object.fromEntries(known) } as Row];
}

function isWide({ octets }: { octets: number }): boolean {
  return octets > WIDE_BYTES;
}
