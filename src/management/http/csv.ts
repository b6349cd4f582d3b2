import type { ManageContext } from './env';
import type { Language } from './language';

/**
 * Matches the start of a formula (OWASP, CSV injection). It looks at the start of a cell, and after each separator that
 * regional settings may use. Blanks and quotes may come before the formula. Fullwidth characters match, too.
 */
const FORMULA = /(^|[;,|\t\r\n])((?:[^\S\t\r\n]|["'\u201c\u201d\u201e])*)([=+\-@\uff1d\uff0b\uff0d\uff20])/gu;
/** Tells Excel that the text is UTF-8. */
const BOM = '\uFEFF';

/**
 * The separator and the decimal mark that spreadsheets in each language expect. A German one expects `;` and `4,95`,
 * and would read `4.95` as a date in April.
 */
const FORMATS = { de: { separator: ';', point: ',' }, en: { separator: ',', point: '.' } } as const;

/** Texts are protected against running as formulas. Numbers are written without protection. Null is an empty cell. */
export type Cell = string | number | null;

/** How many rows are written before other requests run. */
const ROWS_AT_ONCE = 250;

/**
 * Returns a function that writes a row in the format of RFC 4180: CRLF, and quotes around every cell. A spreadsheet
 * that expects another separator may split cells at it. So `FORMULA` matches after each separator, too.
 */
export function rowWriter(language: Language): (row: readonly Cell[]) => string {
  const { separator, point } = FORMATS[language];
  const cellOf = (cell: Cell) => {
    const text = typeof cell === 'number' ? String(cell).replace('.', point) : guarded(cell ?? '');
    return `"${text.replaceAll('"', '""')}"`;
  };
  return (row) => `${row.map(cellOf).join(separator)}\r\n`;
}

/** Puts an apostrophe before formulas so that spreadsheets show them as text. */
function guarded(text: string): string {
  return text.replace(FORMULA, "$1'$2$3").replace(/^[\t\r\n]/, "'$&");
}

/** Responds with a file to download. @param name without extension; only ASCII letters, digits, and hyphens */
export async function respondCsv(
  c: ManageContext,
  name: string,
  rows: Iterable<readonly Cell[]> | AsyncIterable<readonly Cell[]>,
): Promise<Response> {
  const write = rowWriter(c.var.language);
  const written = [BOM];
  for await (const row of rows) {
    written.push(write(row));
    if (written.length % ROWS_AT_ONCE === 0) await c.var.ctx.wait(0);
  }
  return c.body(written.join(''), 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}.csv"`,
    'X-Content-Type-Options': 'nosniff',
  });
}
