import { recordAudit } from '../../audit/record';
import { requireOwnerOrOperator, requireRole, requireSystem } from '../../platform/access';
import { commit, organizationMustExist, type Refusals, tryCommit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { decrypt, encrypt } from '../../platform/crypto/crypto';
import type { Condition } from '../../platform/data/statements';
import { AppError } from '../../platform/errors/errors';
import { changedBy, wireNames } from '../../platform/fields';
import { newId } from '../../platform/ids';
import { dueDeliveries } from '../deliveries/after-commit';
import { hastenDeliveries } from '../deliveries/store-fanout';
import { changedMeanwhile, requireSubscription } from '../errors';
import { CALLBACK_EVENT_TYPES, type EventType } from '../event-types';
import { subscriptionsFields } from '../fields';
import { CALLBACKS_MAX, SUBSCRIPTIONS_MAX } from '../limits';
import { newSigningSecret } from '../signing/sign';
import * as store from './store';
import { getSubscription, hostToSubscribe, refusedUrl, unknownShop } from './subscriptions';

interface ExpectedVersion {
  id: string;
  /** The `updatedAt` that the form showed. If it has changed since, the change is refused. */
  seenAt: number;
}

/** Returns a subscription and the shops that its filter can name. @throws AppError `subscription_not_found` */
export async function readSettings(ctx: Context, id: string) {
  const { orgId } = requireRole(ctx, ['owner']);
  const { found, shops } = await ctx.db.run({
    found: store.selectSubscription(orgId, id),
    shops: store.selectShopNames(orgId),
  });
  return { subscription: requireSubscription(found[0]), shops };
}

/** The settings that a person can change. Of a callback, only the address can be changed. */
interface Settings {
  url: string;
  eventTypes: EventType[];
  /** Null for all shops, or all platforms. If missing, the filter stays unchanged. */
  shopIds?: string[] | null;
  sources?: string[] | null;
}

/**
 * Changes the address, the event types and the filters of a subscription. Events that were not posted yet go to the new
 * address. The new types and filters apply only to later events. The log and the secret stay.
 * @throws AppError `validation_failed` for an address that may not be called, or for another organization's shop;
 *   `subscription_changed`, `subscription_not_found`
 */
export async function updateSubscription(ctx: Context, input: ExpectedVersion & Settings): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const host = await hostToSubscribe(ctx, input.url);
  const before = await getSubscription(ctx, input.id);
  const { url, eventTypes, ...filters } = before.integrationId === null ? input : { ...before, url: input.url };
  const { shopIds = before.shopIds, sources = before.sources } = filters;
  const to = { url, host, eventTypes: [...new Set(eventTypes)], shopIds, sources };
  const isSame = {
    url: before.url === url,
    eventTypes: haveSame(before.eventTypes, to.eventTypes),
    shopIds: haveSame(before.shopIds, shopIds),
    sources: haveSame(before.sources, sources),
  };
  const changed = changedBy(subscriptionsFields, 'target').filter((key) => !isSame[key]);
  if (before.updatedAt !== input.seenAt) throw changedMeanwhile();
  if (changed.length === 0) return;
  const seen = { orgId, id: input.id, seenAt: input.seenAt, now: ctx.now() };
  const batch = {
    hastened: changed.includes('url') ? dueDeliveries(hastenDeliveries(input.id, seen.now)) : undefined,
    subscription: store.updateTarget(seen, to),
    audit: recordAudit(ctx, {
      orgId,
      action: 'subscription.updated',
      entityId: input.id,
      fields: wireNames(subscriptionsFields, changed),
    }),
  };
  const refused = async () =>
    changedOr(ctx, input, (await refusalOfTarget(ctx, { orgId, host, shopIds })) ?? unknownShop());
  await commit(ctx, batch, { refused });
}

/**
 * Returns the error of a change that was refused: `subscription_changed` if the form showed an older version, otherwise
 * `other`.
 */
async function changedOr(ctx: Context, { id, seenAt }: ExpectedVersion, other: AppError): Promise<AppError> {
  const { updatedAt } = await getSubscription(ctx, id);
  return updatedAt === seenAt ? other : changedMeanwhile();
}

/** Whether two lists have the same members. Neither may have a member twice. */
function haveSame(some: readonly string[] | null, others: readonly string[] | null): boolean {
  if (some === null || others === null) return some === others;
  return some.length === others.length && new Set([...some, ...others]).size === some.length;
}

/**
 * Replaces the signing secret of a subscription. The previous secret also signs for `overlapMs`. If `overlapMs` is 0,
 * the previous secret ends at once.
 * @returns the new secret. It is returned only here, and stored encrypted
 * @throws AppError `secret_overlap_running` for an overlap while the last rotation's overlap lasts;
 *   `subscription_changed`, `subscription_not_found`
 */
export async function rotateSecret(
  ctx: Context,
  input: ExpectedVersion & { overlapMs: number },
): Promise<{ signingSecret: string }> {
  const { orgId } = requireRole(ctx, ['owner']);
  const signingSecret = newSigningSecret();
  const ciphertext = await encrypt(ctx.config.roots, 'signing secret', signingSecret, input.id);
  const seen = { orgId, ...input, now: ctx.now() };
  const batch = {
    subscription: store.updateSecret(seen, ciphertext, input.overlapMs),
    audit: recordAudit(ctx, {
      orgId,
      action: 'subscription.secret_rotated',
      entityId: input.id,
      fields: ['secret'],
      reasonCode: input.overlapMs > 0 ? 'with_overlap' : 'at_once',
    }),
  };
  await commit(ctx, batch, { refused: () => changedOr(ctx, input, overlapRunning()) });
  return { signingSecret };
}

/** The most signing secrets that one run rewrites. */
const PAGE = 500;

/**
 * Reads the signing secrets that are encrypted under an old root secret, and encrypts them under the current one.
 * @param rootId the old root secret
 */
export async function rewriteSigningSecrets(ctx: Context, rootId: string): Promise<void> {
  requireSystem(ctx);
  const { roots } = ctx.config;
  for (const column of ['secretCiphertext', 'previousSecretCiphertext'] as const) {
    const page = await ctx.db.rows(store.selectSecretsUnder(column, rootId, PAGE));
    const anew = page.map(async ({ id, ciphertext: from }) => {
      const secret = await decrypt(roots, 'signing secret', from ?? '', id);
      // The statement is in a list, because awaiting the statement itself would run it.
      return [store.replaceSecret(column, { id, from, to: await encrypt(roots, 'signing secret', secret, id) })];
    });
    // A secret that cannot be decrypted stays; its subscription is on hold.
    await ctx.db.batch((await Promise.allSettled(anew)).flatMap((each) => ('value' in each ? each.value : [])));
  }
}

function overlapRunning(): AppError {
  return new AppError(
    'secret_overlap_running',
    'The secret before the last rotation is still valid. End it first, or end all earlier ones at once.',
  );
}

/** Ends the previous secret before the end of its overlap. Safe to repeat. @throws AppError `subscription_not_found` */
export async function endOverlap(ctx: Context, id: string): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const ended = await tryCommit(ctx, {
    subscription: store.dropPreviousSecret({ orgId, id, now: ctx.now() }),
    audit: recordAudit(ctx, { orgId, action: 'subscription.secret_overlap_ended', entityId: id, fields: ['secret'] }),
  });
  if (!ended) await getSubscription(ctx, id);
}

/** The settings of a new subscription. A missing filter means all shops, or all platforms. */
interface NewSubscription extends Settings {
  orgId: string;
}

/**
 * Subscribes an address to event types.
 * @returns the id of the subscription and its signing secret, which is returned only here and stored encrypted
 * @throws AppError `validation_failed` for an address that may not be called, or for another organization's shop;
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
  /** The integration's id (`apiKeys.familyId`). */
  integrationId: string;
  url: string;
  /** SQL that holds as long as the integration has a key. */
  isThere: Condition;
}

/**
 * Creates the callback of an integration. It gets events about the order requests that the keys of the integration have
 * sent.
 * @returns as `createSubscription`
 * @throws AppError `validation_failed` for an address that may not be called; `callback_limit_reached`;
 *   `subscription_changed` if the integration already has a callback
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
    secretCiphertext: await encrypt(ctx.config.roots, 'signing secret', signingSecret, id),
    createdAt: ctx.now(),
  };
  await commit(
    ctx,
    {
      subscription: store.insertSubscription(row, isThere),
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

/** Returns the error if the host belongs to a shop, or if the filter has an unknown shop. Otherwise null. */
async function refusalOfTarget(ctx: Context, { orgId, host, shopIds }: Target): Promise<AppError | null> {
  const { own, shops } = await ctx.db.run({
    own: store.selectIsShopHost(host),
    shops: store.selectAreShops(orgId, shopIds),
  });
  if (own.length > 0) return refusedUrl('own_host');
  return shops[0]?.areShops === 0 ? unknownShop() : null;
}
