import { Hono } from 'hono';
import { globalSearch } from '../../order-requests/service';
import type { ManageEnv } from '../http/env';
import { readSearch } from '../http/search';
import { respondPage, viewOf } from '../ui/view';
import { SearchPage } from './search-page';

/** One search over order requests of every state and orders. */
export const searchRoutes = new Hono<ManageEnv>().get('/', async (c) => {
  const { typed, text, refused } = readSearch(c);
  const isTooLong = refused !== undefined;
  const found = text === undefined ? null : await globalSearch(c.var.ctx, text);
  const view = await viewOf(c);
  return respondPage(c, <SearchPage {...{ view, typed, found, isTooLong }} />, isTooLong ? 400 : 200);
});
