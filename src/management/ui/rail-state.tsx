import type { ManageContext } from '../http/env';
import { countText, PACKING_MAX, WAITING_MAX } from './frame';
import { sharedMessages } from './messages';

/**
 * `GET /manage/rail`: what every page asks for again and again. It costs what the read of the session costs.
 * @returns JSON: for the elements of the navigation's counts, by their ids, the number (empty for none) and what is counted; 304
 *   while they are the same
 */
export function respondRail(c: ManageContext): Response {
  const { waiting = 0, toPack = 0, language } = c.var;
  const tag = `"${waiting}-${toPack}-${language}"`;
  const headers = { ETag: tag, 'Cache-Control': 'no-store' };
  if (c.req.header('If-None-Match') === tag) return c.body(null, 304, headers);
  const { requests, frame } = sharedMessages(c.var);
  const counts = {
    waiting: [countText(waiting, WAITING_MAX), requests.waiting],
    'to-pack': [countText(toPack, PACKING_MAX), frame.toPack],
  };
  return c.json(counts, 200, headers);
}
