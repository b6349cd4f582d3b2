import type { ManageContext } from '../env';

/** What a spreadsheet takes for the beginning of a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r]/;
/** Tells Excel that the text is UTF-8. */
const BOM = '\uFEFF';

/** A text is guarded against being run as a formula; a number stands as it is. Null is an empty cell. */
export type Cell = string | number | null;

/** A table as RFC 4180 wants it: commas, CRLF, quotes where they are needed. */
export function toCsv(rows: readonly (readonly Cell[])[]): string {
  return BOM + rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Answers with a file to keep. @param name without extension, of plain letters, digits and hyphens */
export function answerCsv(c: ManageContext, name: string, rows: readonly (readonly Cell[])[]): Response {
  return c.body(toCsv(rows), 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}.csv"`,
    'X-Content-Type-Options': 'nosniff',
  });
}
