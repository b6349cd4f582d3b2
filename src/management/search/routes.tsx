import { Hono } from 'hono';
import { readCode } from '../../codes/service';
import { globalSearch, SEARCH_TABS } from '../../order-requests/service';
import { orderOfLabel } from '../../orders/service';
import type { ManageEnv } from '../http/env';
import { labelledPath, orderPath, PRODUCTS, withQuery } from '../http/paths';
import { readSearch } from '../http/search';
import { respondPage, viewOf } from '../ui/view';
import { SearchPage } from './search-page';

/**
 * One search over products, order requests of every state and orders. A scanned label opens its order, a scanned pack its product, and
 * "die 4711" that order.
 */
export const searchRoutes = new Hono<ManageEnv>().get('/', async (c) => {
  const { typed, text, refused } = readSearch(c);
  const tab = SEARCH_TABS.find((each) => each === c.req.query('tab')) ?? 'all';
  const code = readCode(c.req.query('q') ?? '');
  // Eight digits may be somebody's reference; with anything beside them they are a code.
  const isCode = code?.kind === 'pack' && code.pzn !== null && code.pzn !== c.req.query('q')?.trim();
  if (isCode) return c.redirect(withQuery(PRODUCTS, { q: code.pzn ?? '' }));
  const labelled = code?.kind === 'label' ? await orderOfLabel(c.var.ctx, code) : null;
  if (labelled) return c.redirect(labelledPath(labelled));
  const pzn = code?.kind === 'pack' ? code.pzn : null;
  const isTooLong = refused !== undefined;
  const found = text === undefined ? null : await globalSearch(c.var.ctx, text, tab);
  if (found?.meant && tab === 'all') return c.redirect(orderPath(found.meant));
  const view = await viewOf(c);
  return respondPage(c, <SearchPage {...{ view, typed, tab, found, isTooLong, pzn }} />, isTooLong ? 400 : 200);
});
