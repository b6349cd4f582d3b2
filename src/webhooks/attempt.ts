import type { Context } from '../platform/context';
import { describeError } from '../platform/log';
import { type AttemptOutcome, postWebhook } from './deliver';
import { secretsAt } from './secrets';
import type { ClaimedDelivery } from './store';

/** The one post of an attempt whose row is claimed. Never throws: whatever happens is an outcome. */
export async function postOnce(ctx: Context, claimed: ClaimedDelivery, startedAt: number): Promise<AttemptOutcome> {
  try {
    const secrets = await secretsAt(ctx.config, claimed, startedAt);
    return await postWebhook(
      { ...claimed, ...secrets, deliveryId: claimed.id, isTest: claimed.trigger === 'test', startedAt },
      {
        isOwnHost: (host) => host === ctx.config.baseHost || claimed.isOwnHost === 1,
        allowLoopback: ctx.config.allowLoopbackWebhooks,
      },
    );
  } catch (error) {
    // One delivery that cannot be prepared must not take its batch with it.
    ctx.log('error', 'delivery_failed', { delivery_id: claimed.id, ...describeError(error) });
    return { failureClass: 'blocked', httpStatus: null, answerExcerpt: null, retryAfter: null };
  }
}
