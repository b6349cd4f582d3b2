import type { Context } from '../../platform/context';
import { TAIL_MAX } from '../../search/limits';
import { readQuery, type Sought, selectTail, soughtIn } from '../../search/service';
import { SEARCHED_REQUESTS } from './store';

/** What a text finds among the requests of an organization, for a list that is filtered by it. One round trip. */
export async function searchRequests(ctx: Context, orgId: string, text: string): Promise<Sought> {
  const tail = await ctx.db.rows(selectTail(SEARCHED_REQUESTS, orgId, TAIL_MAX, 'newest'));
  return soughtIn(SEARCHED_REQUESTS, orgId, readQuery(text), tail);
}
