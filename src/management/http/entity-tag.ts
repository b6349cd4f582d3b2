import { isKnownTag } from '../../platform/http/entity-tag';
import type { ManageContext } from './env';

export { entityTag } from '../../platform/http/entity-tag';

/**
 * Requests of the script that fetches a page again (client/refresh.js), which show nobody what a page shows once (flash.ts,
 * once.ts). Pages are stored nowhere (policy.ts), so nobody else has a tag of one.
 */
export function isFetchedByScript(c: ManageContext): boolean {
  return c.req.header('Sec-Fetch-Dest') === 'empty';
}

/** Whether the browser has this version of the page. */
export function isKnown(c: ManageContext, tag: string): boolean {
  return isKnownTag(c.req.header('If-None-Match'), tag);
}
