import type { Searchable, Sought, TailRow } from './store';
import { isMatched, type Query, TAIL_MAX, termsOf } from './words';

/**
 * Returns what a query finds in rows that are not indexed yet, as input of `foundIds`.
 * @param tail the newest of these rows, up to `TAIL_MAX`
 */
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
