import { pznOf } from '../../codes/read';
import { SEARCH_MAX } from '../../platform/limits';
import type { ManageContext } from './env';

/** The most characters of a refused search that are shown. */
const SHOWN_MAX = SEARCH_MAX * 2;

/**
 * Reads the search from the query, `?q=`.
 * @returns `typed`: the typed line, or the PZN of a scanned code; empty if nothing was typed
 * @returns `text`: the text to search for; undefined if nothing or too much was typed
 * @returns `refused`: the typed text if it is too long to search for
 */
export function readSearch(c: ManageContext): { typed: string; text?: string; refused?: string } {
  const sent = c.req.query('q');
  if (!sent) return { typed: '' };
  const typed = pznOf(sent) ?? plainLine(sent);
  const isTooLong = [...typed].length > SEARCH_MAX;
  return {
    typed,
    text: isTooLong ? undefined : typed || undefined,
    refused: isTooLong ? typed.slice(0, SHOWN_MAX) : undefined,
  };
}

/** A line without control characters (SQLite ends a text at NUL), trimmed, in NFC. */
export function plainLine(text = ''): string {
  return text
    .replace(/\p{Cc}/gu, '')
    .trim()
    .normalize('NFC');
}
