import { pznOf } from '../../codes/service';
import { STOCK_FILTERS } from '../../inventory/service';
import type { ManageContext } from '../http/env';
import { withQuery } from '../http/paths';
import { plainLine, readSearch } from '../http/search';

const CURSOR_MAX = 100;

/** Search and position in the list. Every page that is reached from the list keeps it in its URL. */
export interface ListFilter {
  /** As typed. */
  q?: string;
  stock?: (typeof STOCK_FILTERS)[number];
  /** The last p1_id of the previous page. */
  after?: string;
}

/** Reads the filter from the URL. @returns `refused`: the typed search, when it is too long */
export function readFilter(c: ManageContext): { filter: ListFilter; refused?: string } {
  const { text: q, refused } = readSearch(c);
  const after = plainLine(c.req.query('after'));
  return {
    filter: {
      q,
      // What was scanned is looked for in the whole assortment.
      stock: q && pznOf(q) !== null ? undefined : STOCK_FILTERS.find((each) => each === c.req.query('stock')),
      after: after.length <= CURSOR_MAX ? after || undefined : undefined,
    },
    refused,
  };
}

/** A path with the filter in its query, for the way back to the list. @param base one of this area's paths */
export function withFilter(base: string, { q, stock, after }: ListFilter): string {
  return withQuery(base, { q, stock, after });
}

/** The HTML id of a product's row. @param slug from the catalog: unique, and valid as an HTML id */
export function rowId(slug: string): string {
  return `p-${slug}`;
}
