import { readCookie, writeCookie } from './cookies';
import type { ManageContext } from './env';

const COOKIE = 'flash';
const SECONDS = 60;

/** Names of the messages that a page may show about the action before it; ui/flash-messages has the texts. */
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

/** The message about the previous action. */
export interface TakenFlash {
  /** As the cookie holds it, so it may be any text: the page shows only what it has a message for. */
  name: string;
  /** The id of what it is about; given where the next page is about something else. */
  subjectId?: string;
}

/**
 * Makes the next page show what was done. The cookie holds the name of a message and at most an id; names of people are
 * read again with the page, because not everybody may see them.
 */
export function setFlash(c: ManageContext, flash: Flash, subjectId?: string): void {
  writeCookie(c, COOKIE, subjectId === undefined ? flash : `${flash}.${subjectId}`, SECONDS);
}

/** Reads the message and deletes its cookie, so that it is shown once. */
export function takeFlash(c: ManageContext): TakenFlash | undefined {
  const [flash, subjectId] = readCookie(c, COOKIE)?.split('.') ?? [];
  // The script fetches pages too (client/refresh.js), but the message is for the reader.
  const isRead = c.req.method === 'GET' && c.req.header('Sec-Fetch-Dest') !== 'empty';
  if (flash === undefined || !isRead) return undefined;
  writeCookie(c, COOKIE, '', 0);
  return { name: flash, subjectId };
}

/** After a successful action: redirects to a page that shows the message, so that a reload repeats nothing. */
export function redirectWithFlash(c: ManageContext, flash: Flash, path: string, subjectId?: string): Response {
  setFlash(c, flash, subjectId);
  return c.redirect(path, 303);
}
