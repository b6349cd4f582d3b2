import { pznOf } from '../../codes/read';
import { SEARCH_MAX } from '../../platform/limits';
import type { ManageContext } from './env';

/** A refused search is shown again up to this length. */
const SHOWN_MAX = SEARCH_MAX * 2;

interface TypedSearch {
  /** As typed, in one line, or the PZN of a scanned code; empty when nothing was typed. */
  typed: string;
  /** What to search for; undefined when nothing or too much was typed. */
  text: string | undefined;
  /** What was typed, when it is too long to search for. */
  refused: string | undefined;
}

/** Reads the search of a page's address, `?q=`. */
export function readSearch(c: ManageContext): TypedSearch {
  const sent = c.req.query('q') ?? '';
  const typed = pznOf(sent) ?? plainLine(sent);
  const isTooLong = [...typed].length > SEARCH_MAX;
  return {
    typed,
    text: isTooLong ? undefined : typed || undefined,
    refused: isTooLong ? typed.slice(0, SHOWN_MAX) : undefined,
  };
}

/** Removes control characters from a line, because SQLite ends a text at NUL. */
export function plainLine(text = ''): string {
  return text
    .replace(/\p{Cc}/gu, '')
    .trim()
    .normalize('NFC');
}
