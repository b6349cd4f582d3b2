import type { ManageContext } from '../http/env';
import { WEBHOOKS } from '../http/paths';

/** The page of the subscription that the path names. */
export function subscriptionPath(c: ManageContext): string {
  return `${WEBHOOKS}/${c.req.param('id')}`;
}
