import { type BatchEntry, outboxEntry } from '../platform/commit';
import type { Context } from '../platform/context';
import { sendNow } from './sending';
import { insertWish, waiting } from './store';
import type { EmailFacts, MessageKind } from './tables';
import { messageLanguageOf } from './texts';

/** The order that a message is about. */
export interface MessageAbout {
  id: string;
  orgId: string;
  shopId: string;
  number: number;
  createdAt: number;
  customerId: string | null;
  customerEmail: string | null;
  platformDetails: Readonly<Record<string, string>> | null;
}

/**
 * The wish to tell a customer something by e-mail, for the batch that gives the occasion: nothing where no e-mails are sent or the
 * order has no address. Each kind is sent once about an order.
 */
export function emailWish(
  ctx: Context,
  kind: MessageKind,
  order: MessageAbout,
  facts: Omit<EmailFacts, 'number'> = {},
): BatchEntry[] {
  const { orgId, shopId, customerId, customerEmail } = order;
  if (!ctx.mail || !customerEmail || customerId === null) return [];
  const now = ctx.now();
  const row = {
    orgId,
    shopId,
    about: order.id,
    kind,
    language: messageLanguageOf(order.platformDetails),
    recipient: customerEmail,
    facts: { number: String(order.number), ...facts },
    customerId,
    ...waiting(now),
  };
  return [outboxEntry([insertWish(row)], ctx.mail.isLater ? {} : { afterCommit: sendNow })];
}
