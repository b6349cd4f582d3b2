import { recordAudit } from '../../audit/record';
import { requireRole } from '../../platform/access';
import type { Context } from '../../platform/context';
import { encrypt } from '../../platform/crypto';
import { assertOneRowChanged, isGuardFailure } from '../../platform/db';
import { AppError } from '../../platform/errors';
import type { EventType } from '../events';
import { newSigningSecret } from '../signing/sign';
import { hostToSubscribe, refusedUrl } from './address';
import { getSubscription, unlessUnchanged } from './manage';
import { dropPreviousSecret, updateSecret, updateTarget } from './store';

interface Seen {
  id: string;
  /** `updatedAt` of the subscription as the form showed it: who saw an older state is asked to look again. */
  seenAt: number;
}

/**
 * Changes where a subscription posts and what: what is not posted yet goes to the new address, and events are matched
 * by the new types from now on. Log and secret stay.
 * @throws AppError `validation_failed` for an address that may not be called, `subscription_changed`,
 *   `subscription_not_found`
 */
export async function updateSubscription(
  ctx: Context,
  input: Seen & { url: string; eventTypes: EventType[] },
): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const host = hostToSubscribe(ctx, input.url);
  const eventTypes = [...new Set(input.eventTypes)];
  const before = await getSubscription(ctx, input.id);
  const fields = [
    ...(before.url === input.url ? [] : ['url']),
    ...(new Set([...before.eventTypes, ...eventTypes]).size === eventTypes.length &&
    before.eventTypes.length === eventTypes.length
      ? []
      : ['event_types']),
  ];
  if (before.updatedAt !== input.seenAt) throw changedMeanwhile();
  if (fields.length === 0) return;
  const seen = { orgId, ...input, now: ctx.now() };
  try {
    await ctx.db.run({
      subscription: updateTarget(ctx.db, seen, { url: input.url, host, eventTypes }),
      guard: assertOneRowChanged(ctx.db),
      audit: recordAudit(ctx, { orgId, action: 'subscription.updated', entityId: input.id, fields }),
    });
  } catch (error) {
    if (!isGuardFailure(error)) throw error;
    const now = await getSubscription(ctx, input.id);
    throw now.updatedAt === input.seenAt ? refusedUrl('own_host') : changedMeanwhile();
  }
}

/**
 * Makes a new signing secret. The one before goes on signing for `overlapMs`, or ends at once.
 * @returns the secret, which is shown this once and stored encrypted
 * @throws AppError `secret_overlap_running` while the last rotation's overlap lasts, unless both earlier secrets are to
 *   end at once; `subscription_changed`, `subscription_not_found`
 */
export async function rotateSecret(
  ctx: Context,
  input: Seen & { overlapMs: number },
): Promise<{ signingSecret: string }> {
  const { orgId } = requireRole(ctx, ['owner']);
  const signingSecret = newSigningSecret();
  const ciphertext = await encrypt(ctx.config.encryptionKeys, signingSecret, input.id);
  const seen = { orgId, ...input, now: ctx.now() };
  try {
    await ctx.db.run({
      subscription: updateSecret(ctx.db, seen, ciphertext, input.overlapMs),
      guard: assertOneRowChanged(ctx.db),
      audit: recordAudit(ctx, {
        orgId,
        action: 'subscription.secret_rotated',
        entityId: input.id,
        fields: ['secret'],
        reasonCode: input.overlapMs > 0 ? 'with_overlap' : 'at_once',
      }),
    });
    return { signingSecret };
  } catch (error) {
    if (!isGuardFailure(error)) throw error;
    const { updatedAt } = await getSubscription(ctx, input.id);
    if (updatedAt !== input.seenAt) throw changedMeanwhile();
    throw new AppError(
      'secret_overlap_running',
      'The secret before the last rotation is still valid. End it first, or end all earlier ones at once.',
    );
  }
}

/** Ends the previous secret before its time. Safe to repeat. @throws AppError `subscription_not_found` */
export async function endOverlap(ctx: Context, id: string): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  await unlessUnchanged(
    ctx,
    id,
    ctx.db.run({
      subscription: dropPreviousSecret(ctx.db, { orgId, id, now: ctx.now() }),
      guard: assertOneRowChanged(ctx.db),
      audit: recordAudit(ctx, { orgId, action: 'subscription.secret_overlap_ended', entityId: id, fields: ['secret'] }),
    }),
  );
}

function changedMeanwhile(): AppError {
  return new AppError('subscription_changed', 'Somebody changed the subscription meanwhile. Look again.');
}
