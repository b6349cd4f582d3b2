import { recordAudit } from '../../audit/record';
import { requireOwnerOrOperator } from '../../platform/access';
import { commit, organizationMustExist } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { encrypt } from '../../platform/crypto';
import { AppError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import type { EventType } from '../event-types';
import { SUBSCRIPTIONS_MAX } from '../limits';
import { newSigningSecret } from '../signing/sign';
import { hostToSubscribe, refusedUrl } from './address';
import { insertSubscription, selectIsShopHost } from './store';

interface NewSubscription {
  orgId: string;
  url: string;
  eventTypes: EventType[];
}

/**
 * Subscribes a URL to event types.
 * @returns the id and the signing secret, which is returned only here and stored encrypted
 * @throws AppError `validation_failed` for an address that may not be called, `organization_not_found`,
 *   `subscription_limit_reached` (contract 6.1)
 */
export async function createSubscription(ctx: Context, input: NewSubscription) {
  requireOwnerOrOperator(ctx, input.orgId);
  const host = await hostToSubscribe(ctx, input.url);
  const id = newId();
  const signingSecret = newSigningSecret();
  await commit(
    ctx,
    {
      subscription: insertSubscription({
        id,
        orgId: input.orgId,
        url: input.url,
        host,
        eventTypes: [...new Set(input.eventTypes)],
        secretCiphertext: await encrypt(ctx.config.encryptionKeys, signingSecret, id),
        createdAt: ctx.now(),
      }),
      audit: recordAudit(ctx, { orgId: input.orgId, action: 'subscription.created', entityId: id }),
    },
    { refused: () => whyRefused(ctx, host), constraints: organizationMustExist },
  );
  return { subscriptionId: id, signingSecret };
}

async function whyRefused(ctx: Context, host: string): Promise<AppError> {
  const own = await ctx.db.rows(selectIsShopHost(host));
  if (own.length > 0) return refusedUrl('own_host');
  return new AppError(
    'subscription_limit_reached',
    `An organization has at most ${SUBSCRIPTIONS_MAX} webhook subscriptions. Delete one first.`,
  );
}
