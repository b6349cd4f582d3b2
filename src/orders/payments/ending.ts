import { noteDone } from '../../audit/journal';
import { requireOperator } from '../../platform/access';
import { commit, type OutboxEntry, outboxEntry } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { paymentLinks } from '../tables';
import { closePaymentLinks, voidPaymentLink } from './store';

/**
 * Returns a batch entry that ends the open payment links of an order. After the commit, each ended link is written to
 * the journal. Most orders have no open link, so that most commits write nothing to the journal.
 */
export function endPaymentLinks(orderId: string, status: 'paid' | 'voided'): OutboxEntry {
  const ended = closePaymentLinks(orderId, status).returning({ id: paymentLinks.id, orgId: paymentLinks.orgId });
  return outboxEntry([ended], { afterCommit: noteEnded });
}

async function noteEnded(ctx: Context, links: readonly { id: string; orgId: string }[]): Promise<void> {
  for (const { id, orgId } of links) await noteDone(ctx, { orgId, kind: 'payment_link', id, at: ctx.now() });
}

/**
 * Ends a payment link again after the database was restored. The link stays closed even if the restored order is
 * unpaid.
 */
export async function endPaymentLinkAgain(ctx: Context, link: { orgId: string; id: string }): Promise<void> {
  requireOperator(ctx);
  await commit(ctx, { link: voidPaymentLink(link) });
}
