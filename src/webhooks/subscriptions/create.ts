import { recordAudit } from '../../audit/record';
import { requireOwnerOrOperator, requireRole } from '../../platform/access';
import { commit, organizationMustExist, type Refusals } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { encrypt } from '../../platform/crypto';
import type { Condition } from '../../platform/data/db';
import { AppError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { CALLBACK_EVENT_TYPES } from '../callback-events';
import { changedMeanwhile } from '../errors';
import type { EventType } from '../event-types';
import { CALLBACKS_MAX, SUBSCRIPTIONS_MAX } from '../limits';
import { newSigningSecret } from '../signing/sign';
import { hostToSubscribe, refusedUrl, unknownShop } from './address';
import { insertSubscription, selectAreShops, selectIsShopHost } from './store';

interface NewSubscription {
  orgId: string;
  url: string;
  eventTypes: EventType[];
  /** Only events of these shops, and of these platforms; without them, of all. */
  shopIds?: string[] | null;
  sources?: string[] | null;
}

/**
 * Subscribes a URL to event types.
 * @returns the id and the signing secret, which is returned only here and stored encrypted
 * @throws AppError `validation_failed` for an address that may not be called or another organization's shop,
 *   `organization_not_found`, `subscription_limit_reached` (contract 6.1)
 */
export async function createSubscription(ctx: Context, input: NewSubscription) {
  requireOwnerOrOperator(ctx, input.orgId);
  const limit = () =>
    new AppError(
      'subscription_limit_reached',
      `An organization has at most ${SUBSCRIPTIONS_MAX} webhook subscriptions. Delete one first.`,
    );
  return subscribe(ctx, { ...input, integrationId: null }, { limit, constraints: organizationMustExist });
}

interface NewCallback {
  /** `apiKeys.familyId`. */
  integrationId: string;
  url: string;
  /** Holds while the integration has a key. */
  isThere: Condition;
}

/**
 * Makes the callback of an integration: it is told what becomes of the order requests that its keys have sent.
 * @returns as `createSubscription`
 * @throws AppError `validation_failed` for an address that may not be called, `callback_limit_reached`,
 *   `subscription_changed` where it has one
 */
export async function createCallback(ctx: Context, { integrationId, url, isThere }: NewCallback) {
  const { orgId } = requireRole(ctx, ['owner']);
  const limit = () =>
    new AppError(
      'callback_limit_reached',
      `At most ${CALLBACKS_MAX} integrations have a callback, and each has a valid key. Delete one first.`,
    );
  const callback = { orgId, url, eventTypes: [...CALLBACK_EVENT_TYPES], integrationId };
  return subscribe(ctx, callback, { limit, isThere, constraints: { unique: changedMeanwhile } });
}

interface Only extends Pick<Refusals, 'constraints'> {
  limit: () => AppError;
  isThere?: Condition;
}

async function subscribe(
  ctx: Context,
  input: NewSubscription & { integrationId: string | null },
  { limit, isThere, constraints }: Only,
) {
  const { orgId, url, eventTypes, integrationId, shopIds = null, sources = null } = input;
  const host = await hostToSubscribe(ctx, url);
  const id = newId();
  const signingSecret = newSigningSecret();
  const row = {
    id,
    orgId,
    url,
    host,
    eventTypes: [...new Set(eventTypes)],
    integrationId,
    shopIds,
    sources,
    secretCiphertext: await encrypt(ctx.config.encryptionKeys, signingSecret, id),
    createdAt: ctx.now(),
  };
  await commit(
    ctx,
    {
      subscription: insertSubscription(row, isThere),
      audit: recordAudit(ctx, { orgId, action: 'subscription.created', entityId: id }),
    },
    { refused: async () => (await refusalOfTarget(ctx, row)) ?? limit(), constraints },
  );
  return { subscriptionId: id, signingSecret };
}

interface Target {
  orgId: string;
  host: string;
  shopIds: readonly string[] | null;
}

/** What is wrong with where a subscription leads to, or with its filter. */
export async function refusalOfTarget(ctx: Context, { orgId, host, shopIds }: Target): Promise<AppError | null> {
  const { own, shops } = await ctx.db.run({ own: selectIsShopHost(host), shops: selectAreShops(orgId, shopIds) });
  if (own.length > 0) return refusedUrl('own_host');
  return shops[0]?.areShops === 0 ? unknownShop() : null;
}
