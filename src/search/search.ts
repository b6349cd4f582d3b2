import type { Searchable, Sought, TailRow } from './store';
import { isMatched, type Query, TAIL_MAX, termsOf } from './words';

/** Which rows a text finds. @param tail the newest `TAIL_MAX` rows behind the cursor */
export function soughtIn({ kind, fields }: Searchable, orgId: string, query: Query, tail: readonly TailRow[]): Sought {
  const { wanted } = query;
  const found = tail.filter((row) => wanted !== null && !row.isGone && isMatched(wanted, termsOf(fields, row)));
  return {
    orgId,
    kind,
    query,
    tail: tail.map(({ id }) => id),
    tailFound: found.map(({ id }) => id),
    isBehind: tail.length >= TAIL_MAX,
  };
}
