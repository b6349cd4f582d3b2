import type { ManageContext } from './env';
import type { Language } from './language';

/** Where a spreadsheet may begin a cell: at the beginning, and at whatever its country's settings take for a separator. */
const CELL_BEGINS = '^|[;,|\\t\\r\\n]';
/** What a cell then runs as a formula (OWASP, CSV injection), fullwidth forms included, behind blanks and quotes too. */
const FORMULA = new RegExp(`(${CELL_BEGINS})([\\s"'\u201c\u201d\u201e]*)(?=[=+\\-@\uff1d\uff0b\uff0d\uff20])`, 'gu');
/** Tells Excel that the text is UTF-8. */
const BOM = '\uFEFF';

/**
 * What a spreadsheet in that language splits at and reads as a number: a German one takes `;` and `4,95`, and would read
 * `4.95` as a day in April.
 */
const FORMATS = { de: { separator: ';', point: ',' }, en: { separator: ',', point: '.' } } as const;

/** A text is guarded against being run as a formula; a number stands as it is. Null is an empty cell. */
export type Cell = string | number | null;

/**
 * A table as RFC 4180 wants it: CRLF, and quotes around every cell, so that no separator inside one splits it. Opened
 * where another separator counts it is split all the same, so a text is guarded behind each possible one.
 */
export function toCsv(rows: readonly (readonly Cell[])[], language: Language): string {
  const { separator, point } = FORMATS[language];
  const cellOf = (cell: Cell) => {
    const text = typeof cell === 'number' ? String(cell).replace('.', point) : guarded(cell ?? '');
    return `"${text.replaceAll('"', '""')}"`;
  };
  return BOM + rows.map((row) => `${row.map(cellOf).join(separator)}\r\n`).join('');
}

/** An apostrophe before what would be a formula: spreadsheets then show it as text. */
function guarded(text: string): string {
  return text.replace(FORMULA, "$1'$2").replace(/^[\t\r\n]/, "'$&");
}

/** Answers with a file to keep. @param name without extension, of plain letters, digits and hyphens */
export function respondCsv(c: ManageContext, name: string, rows: readonly (readonly Cell[])[]): Response {
  return c.body(toCsv(rows, c.var.language), 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}.csv"`,
    'X-Content-Type-Options': 'nosniff',
  });
}
