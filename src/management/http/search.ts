import { pznOf } from '../../codes/read';
import { SEARCH_MAX } from '../../platform/limits';
import type { ManageContext } from './env';

/** Maximum shown length of a refused search. */
const SHOWN_MAX = SEARCH_MAX * 2;

interface TypedSearch {
  /** The typed line, or the PZN of a scanned code; empty if nothing was typed. */
  typed: string;
  /** The text to search for; undefined if nothing or too much was typed. */
  text: string | undefined;
  /** The typed text if it is too long to search for. */
  refused: string | undefined;
}

/** Reads the search from the query, `?q=`. */
export function readSearch(c: ManageContext): TypedSearch {
  const sent = c.req.query('q');
  if (!sent) return { typed: '', text: undefined, refused: undefined };
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
