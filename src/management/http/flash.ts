import { readCookie, writeCookie } from './cookies';
import type { ManageContext } from './env';

const COOKIE = 'flash';
const SECONDS = 60;

/** What a page may say about what was done on the page before it; ui/flash-messages has the texts. */
export type Flash =
  | 'request_approved'
  | 'request_rejected'
  | 'request_reopened'
  | 'request_deleted'
  | 'info_noted'
  | 'info_settled'
  | 'prescription_approved'
  | 'prescription_uploaded'
  | 'request_held'
  | 'request_released'
  | 'prescription_asked'
  | 'sent_already'
  | 'fields_expired'
  | 'file_not_kept'
  | 'order_refunded'
  | 'order_handed_over'
  | 'order_returned'
  | 'signed_out'
  | 'signed_out_everywhere'
  | 'password_changed'
  | 'second_factor_on'
  | 'second_factor_off'
  | 'role_changed'
  | 'key_revoked'
  | 'submitted_events_on'
  | 'submitted_events_off'
  | 'subscription_paused'
  | 'subscription_resumed'
  | 'subscription_deleted'
  | 'subscription_updated'
  | 'overlap_ended'
  | 'redelivering'
  | 'nothing_to_redeliver'
  | 'redelivered'
  | 'member_revoked'
  | 'order_moved'
  | 'order_cancelled'
  | 'order_flagged'
  | 'order_paid'
  | 'order_deleted'
  | 'stock_changed'
  | 'stock_same'
  | 'threshold_changed'
  | 'product_added'
  | 'product_held'
  | 'product_updated'
  | 'product_same'
  | 'product_reset'
  | 'product_attached'
  | 'product_detached'
  | 'product_removed'
  | 'accepted'
  | 'organization_saved'
  | 'shop_opened'
  | 'shop_saved'
  | 'shop_activated'
  | 'shop_deactivated'
  | 'host_added'
  | 'host_removed'
  | 'password_reset';

/** What the page before this one has to say. */
export interface TakenFlash {
  /** As the cookie has it: the page says only what it has a text for. */
  name: string;
  /** The id of what it is about, where the next page is about something else. */
  subjectId?: string;
}

/**
 * Lets the next page say what was done. The cookie holds a name from our own list and at most an id: names of people are
 * read with the page, for whoever may see them.
 */
export function setFlash(c: ManageContext, flash: Flash, subjectId?: string): void {
  writeCookie(c, COOKIE, subjectId === undefined ? flash : `${flash}.${subjectId}`, SECONDS);
}

/** What the page before this one has to say, once. */
export function takeFlash(c: ManageContext): TakenFlash | undefined {
  const [flash, subjectId] = readCookie(c, COOKIE)?.split('.') ?? [];
  // The script looks at pages too (client/refresh.js); the word is for whoever reads.
  const isRead = c.req.method === 'GET' && c.req.header('Sec-Fetch-Dest') !== 'empty';
  if (flash === undefined || !isRead) return undefined;
  writeCookie(c, COOKIE, '', 0);
  return { name: flash, subjectId };
}

/** Done: says so on the page that it goes to, so that a reload repeats nothing. */
export function redirectWithFlash(c: ManageContext, flash: Flash, path: string, subjectId?: string): Response {
  setFlash(c, flash, subjectId);
  return c.redirect(path, 303);
}
