import type { Context } from '../../platform/context';
import type { ClaimedDelivery } from '../deliveries/store-claim';
import { type StoredSecrets, secretsAt } from '../signing/secrets';
import { refusalOfWebhook } from '../subscriptions/address';
import { requestHeaders, type SignedWebhook } from './post';
import type { UnreadyReason } from './store-holds';

/** What is needed to post to a subscription and to sign. */
export type Target = StoredSecrets & { url: string };

/** What is posted to whom, and as which attempt. */
type Post = Target &
  Pick<ClaimedDelivery, 'id' | 'eventId' | 'eventType' | 'sequence' | 'body' | 'attempt' | 'trigger'>;

/** Either ready to be posted, or the reason why it cannot be. */
export type Prepared = { signed: SignedWebhook } | { hold: UnreadyReason; error?: unknown };

/**
 * Does everything that can fail in this service before a post: checks that the address may be called, and signs. Never
 * throws.
 * @param startedAt epoch ms; the signature has the second of this time
 */
export async function prepare(ctx: Context, claimed: Post, startedAt: number): Promise<Prepared> {
  if (refusalOfWebhook(ctx, claimed.url)) return { hold: 'address_refused' };
  try {
    const { id: deliveryId, url, body, trigger } = claimed;
    const secrets = await secretsAt(ctx.config, claimed, startedAt);
    const headers = await requestHeaders({ ...claimed, ...secrets, deliveryId, isTest: trigger === 'test', startedAt });
    return { signed: { url, headers, body } };
  } catch (error) {
    return { hold: 'secret_unreadable', error };
  }
}

/** Whether a post to this subscription would be possible now. */
export async function canPostTo(ctx: Context, target: Target, now: number): Promise<boolean> {
  const trial = { id: '', eventId: '', eventType: '', sequence: 0, body: '', attempt: 1, trigger: 'event' as const };
  return 'signed' in (await prepare(ctx, { ...trial, ...target }, now));
}
