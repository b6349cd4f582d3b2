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
  /** How many products the pages before it had. */
  before?: number;
}

/** Reads the filter from the URL. @returns `refused`: the typed search, when it is too long */
export function readFilter(c: ManageContext): { filter: ListFilter; refused?: string } {
  const { text: q, refused } = readSearch(c);
  const text = plainLine(c.req.query('after'));
  const after = text.length <= CURSOR_MAX ? text || undefined : undefined;
  const before = plainLine(c.req.query('before'));
  return {
    filter: {
      q,
      // What was scanned is looked for in the whole assortment.
      stock: q && pznOf(q) !== null ? undefined : STOCK_FILTERS.find((each) => each === c.req.query('stock')),
      after,
      before: after !== undefined && /^[1-9]\d{0,6}$/.test(before) ? Number(before) : undefined,
    },
    refused,
  };
}

/** A path with the filter in its query, for the way back to the list. @param base one of this area's paths */
export function withFilter(base: string, { q, stock, after, before }: ListFilter): string {
  return withQuery(base, { q, stock, after, before: before?.toString() });
}

/** The HTML id of a product's row. @param slug from the catalog: unique, and valid as an HTML id */
export function rowId(slug: string): string {
  return `p-${slug}`;
}
