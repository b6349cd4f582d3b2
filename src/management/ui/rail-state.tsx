import type { ManageContext } from '../http/env';
import { signedIn } from '../http/session';
import { countText, PACKING_MAX, WAITING_MAX } from './frame';
import { sharedMessages } from './messages';
import { personOf } from './view';

/**
 * `GET /manage/rail`: what every page asks for again and again. It costs what the read of the session costs.
 * @returns JSON: for the elements of the navigation's counts, by their ids, the number (empty for none) and what is counted; whose
 *   session it is and the token of its forms; 304 while all of it is the same
 */
export function respondRail(c: ManageContext): Response {
  const { waiting = 0, toPack = 0, language, formToken } = c.var;
  const session = signedIn(c);
  const person = personOf(session);
  const tag = `"${waiting}-${toPack}-${language}-${person}"`;
  const headers = { ETag: tag, 'Cache-Control': 'no-store' };
  if (c.req.header('If-None-Match') === tag) return c.body(null, 304, headers);
  const { requests, frame } = sharedMessages(c.var);
  const counts = {
    waiting: [countText(waiting, WAITING_MAX), requests.waiting],
    'to-pack': [countText(toPack, PACKING_MAX), frame.toPack],
  };
  const name = `${session.name}, ${session.organizationName}`;
  return c.json({ counts, person, name, formToken }, 200, headers);
}
