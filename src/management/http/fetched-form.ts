import { createMiddleware } from 'hono/factory';
import { isFetchedByScript } from './entity-tag';
import type { ManageEnv } from './env';

/**
 * Answers a form that the script sent (client/post.js) with where to go, not with a redirect: fetch would follow it, and so load
 * the next page twice.
 */
export const answerFetchedForm = createMiddleware<ManageEnv>(async (c, next) => {
  await next();
  if (c.req.method !== 'POST' || c.res.status !== 303 || !isFetchedByScript(c)) return;
  // Keeps the headers that were set: `Location` and the cookies.
  c.res = new Response(null, { status: 204 });
});
