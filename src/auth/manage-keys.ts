import { recordAudit } from '../audit/record';
import { requireRole } from '../platform/access';
import type { Context } from '../platform/context';
import { isGuardFailure, mustChangeOne } from '../platform/db';
import { notFound } from '../platform/errors';
import { selectApiKeys, updateSubmittedEvents } from './store';

/** Revoked keys stay in the list as far as it reaches. */
const LISTED_MAX = 200;

export type ApiKey = Awaited<ReturnType<typeof listApiKeys>>[number];

/** The organization's keys, revoked ones last. */
export async function listApiKeys(ctx: Context) {
  const { orgId } = requireRole(ctx, ['owner']);
  const { keys } = await ctx.db.run({ keys: selectApiKeys(ctx.db, orgId, LISTED_MAX) });
  return keys;
}

/**
 * Whether submissions by an integration key send `order_request_submitted`; off, the event is kept for the pull feed
 * alone. @throws AppError `api_key_not_found`
 */
export async function setSubmittedEvents(ctx: Context, input: { keyId: string; isOn: boolean }): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  try {
    await ctx.db.run({
      key: updateSubmittedEvents(ctx.db, orgId, input.keyId, input.isOn),
      guard: mustChangeOne(ctx.db),
      audit: recordAudit(ctx, {
        orgId,
        action: input.isOn ? 'api_key.submitted_events_on' : 'api_key.submitted_events_off',
        entityId: input.keyId,
        fields: ['sends_submitted_events'],
      }),
    });
  } catch (error) {
    if (isGuardFailure(error)) throw notFound('api_key_not_found', 'There is no such integration key.');
    throw error;
  }
}
