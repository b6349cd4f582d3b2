import { STOCK_FILTERS } from '../../inventory/service';
import type { ManageContext } from '../http/env';
import { PRODUCTS } from '../http/paths';
import { plainLine, readSearch } from '../http/search';

export const PRODUCTS_ADD = `${PRODUCTS}/add`;
const CURSOR_MAX = 100;

/** Where somebody is in a list: it stands in the address of every page that is reached from there. */
export interface ListFilter {
  /** As typed. */
  q?: string;
  stock?: (typeof STOCK_FILTERS)[number];
  /** The last p1_id of the page before. */
  after?: string;
}

/** The list's place from the address. @returns `refused`: what was typed, when it is too long to search for */
export function readFilter(c: ManageContext): { filter: ListFilter; refused?: string } {
  const { text: q, refused } = readSearch(c);
  const after = plainLine(c.req.query('after'));
  return {
    filter: {
      q,
      stock: STOCK_FILTERS.find((each) => each === c.req.query('stock')),
      after: after.length <= CURSOR_MAX ? after || undefined : undefined,
    },
    refused,
  };
}

/** A page with the place in the list, to go back to. @param base one of this area's paths */
export function withFilter(base: string, { q, stock, after }: ListFilter): string {
  const query = new URLSearchParams({ ...(q && { q }), ...(stock && { stock }), ...(after && { after }) });
  return query.size === 0 ? base : `${base}?${query}`;
}

/** The anchor of a product's row. @param slug the catalog's, which is unique and an id by its own rule */
export function rowId(slug: string): string {
  return `p-${slug}`;
}
