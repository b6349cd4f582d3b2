import { Hono } from 'hono';
import { globalSearch } from '../../order-requests/service';
import { SEARCH_MAX } from '../../platform/limits';
import type { ManageEnv } from '../http/env';
import { respondPage, viewOf } from '../ui/view';
import { SearchPage } from './search-page';

/** One search over order requests of every state and orders. */
export const searchRoutes = new Hono<ManageEnv>().get('/', async (c) => {
  const typed = (c.req.query('q') ?? '')
    .replace(/\p{Cc}/gu, '')
    .trim()
    .normalize('NFC');
  const isTooLong = [...typed].length > SEARCH_MAX;
  const found = typed === '' || isTooLong ? null : await globalSearch(c.var.ctx, typed);
  const view = await viewOf(c);
  return respondPage(c, <SearchPage {...{ view, typed, found, isTooLong }} />, isTooLong ? 400 : 200);
});
