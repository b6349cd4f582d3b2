import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { PAGE_BYTES_MAX } from '../page';

/** A row with more in its wide columns is read by itself. */
const WIDE_BYTES = 8 * 1024;

/** The bytes of some columns of a row. SQLite knows them without reading the text. */
export function octetsOf(columns: readonly SQLiteColumn[]): SQL.Aliased<number> {
  return octets(columns).as('octets');
}

function octets(columns: readonly SQLiteColumn[]): SQL<number> {
  const each = columns.map((column) => sql`coalesce(octet_length(${column}), 0)`);
  return sql`(${sql.join(each, sql` + `)})`;
}

type Narrow<Table extends SQLiteTable> = Table['_']['columns'] & { octets: SQL.Aliased<number> };

/**
 * The columns of a table for a list: a row whose wide columns have many bytes comes without them, whatever their types say, and
 * `completePage` reads it by itself. So a page of wide rows is not read at once.
 */
export function narrowColumns<Table extends SQLiteTable>(table: Table, wide: readonly SQLiteColumn[]): Narrow<Table> {
  const all = Object.entries(getTableColumns(table));
  const narrowed = all.map(([name, column]) => {
    if (!wide.some((each) => each === column)) return [name, column];
    const value = sql`iif(${octets(wide)} > ${sql.raw(String(WIDE_BYTES))}, null, ${column})`;
    return [name, value.mapWith(column).as(column.name)];
  });
  // SAFETY: each column is there under its name, and gives what it gives.
  return { ...Object.fromEntries(narrowed), octets: octetsOf(wide) } as Narrow<Table>;
}

/**
 * A page of what was read with `narrowColumns`: it ends where its rows come to `PAGE_BYTES_MAX`, and has at least one.
 * @param rows up to `size` rows and one more, which says that there is a next page
 * @param cursorOf names a row's place in the list
 * @param readWhole reads rows by their ids, in any order; called only for wide ones
 * @returns the page, and the cursor after which the next one begins; null at the end
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

/** A row with what it came without. What else has changed meanwhile stays as it was: its place in the list is the same. */
function filled<Row extends object>(row: Row, whole: object | undefined): Row[] {
  if (whole === undefined) return [];
  const known = Object.entries(row).filter(([, value]) => value !== null);
  // SAFETY: what it lacks is of the same columns.
  return [{ ...row, ...whole, ...Object.fromEntries(known) } as Row];
}

function isWide({ octets }: { octets: number }): boolean {
  return octets > WIDE_BYTES;
}
