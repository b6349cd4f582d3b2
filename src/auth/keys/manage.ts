import { recordAudit } from '../../audit/record';
import { requireRole } from '../../platform/access';
import { commit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { AppError, invalidInput, notFound } from '../../platform/errors';
import { isTestOrganization } from '../../tenants/service';
import { selectCallbacks } from '../../webhooks/service';
import { hashKey, newApiKey } from './format';
import { isActiveKey } from './rules';
import {
  insertRotatedKey,
  type Rotation,
  retireKey,
  selectApiKey,
  selectApiKeys,
  updateSubmittedEvents,
} from './store';

/** The list includes revoked keys, so it needs a limit. */
const LISTED_MAX = 200;

export type ApiKey = Awaited<ReturnType<typeof listApiKeys>>[number];

/** The organization's keys, revoked ones last, each with the callback of its integration if that has one. */
export async function listApiKeys(ctx: Context) {
  const { orgId } = requireRole(ctx, ['owner']);
  const { keys, callbacks } = await ctx.db.run({
    keys: selectApiKeys(orgId, LISTED_MAX),
    callbacks: selectCallbacks(orgId),
  });
  return keys.map((key) => ({
    ...key,
    callback: callbacks.find(({ integrationId }) => integrationId === key.familyId) ?? null,
  }));
}

/**
 * Sets whether submissions with an integration key send `order_request_submitted` to webhooks. When off, the event is
 * available only in the event feed. @throws AppError `api_key_not_found`
 */
export async function setSubmittedEvents(ctx: Context, input: { keyId: string; isOn: boolean }): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const batch = {
    key: updateSubmittedEvents(orgId, input.keyId, input.isOn),
    audit: recordAudit(ctx, {
      orgId,
      action: input.isOn ? 'api_key.submitted_events_on' : 'api_key.submitted_events_off',
      entityId: input.keyId,
      fields: ['sends_submitted_events'],
    }),
  };
  await commit(ctx, batch, { refused: () => notFound('api_key_not_found', 'There is no such integration key.') });
}

export interface KeyRotation {
  keyId: string;
  /** How long the old key stays valid together with the new one, in ms; 0 revokes it at once. */
  overlapMs: number;
  /** When the new key expires, epoch ms; null for never. */
  expiresAt: number | null;
}

/**
 * Creates a new key with the rights of an active one, for the same integration, so that a submission that is repeated
 * with the new key is recognized.
 * @returns the key itself: this is the only time it can be shown, because only its hash is stored
 * @throws AppError `api_key_not_found`; `api_key_not_rotatable` for a key that is revoked, expired or already replaced;
 *   `key_overlap_running` while an earlier key of the integration is still valid, unless `overlapMs` is 0
 */
export async function rotateApiKey(ctx: Context, input: KeyRotation): Promise<{ keyId: string; apiKey: string }> {
  const { orgId } = requireRole(ctx, ['owner']);
  const now = ctx.now();
  const { keyId, overlapMs, expiresAt } = input;
  if (expiresAt !== null && expiresAt <= now) {
    throw invalidInput([{ pointer: '/expires_at', code: 'too_small', message: 'Send a time in the future.' }]);
  }
  const { id, key } = newApiKey(await isTestOrganization(ctx, orgId));
  const hash = await hashKey(ctx, key);
  const rotation = { orgId, keyId, now, overlapMs };
  const reasonCode = overlapMs > 0 ? 'with_overlap' : 'at_once';
  const batch = {
    key: insertRotatedKey(rotation, { id, hash, createdBy: ctx.actor.kind, expiresAt }),
    old: retireKey(rotation),
    rotated: recordAudit(ctx, { orgId, action: 'api_key.rotated', entityId: keyId, reasonCode }),
    created: recordAudit(ctx, { orgId, action: 'api_key.created', entityId: id }),
  };
  await commit(ctx, batch, { refused: () => whyNotRotated(ctx, rotation) });
  return { keyId: id, apiKey: key };
}

async function whyNotRotated(ctx: Context, { orgId, keyId, now }: Rotation): Promise<AppError> {
  const [key] = await ctx.db.rows(selectApiKey({ id: keyId }));
  if (key?.orgId !== orgId) return notFound('api_key_not_found', 'There is no such API key.');
  return isActiveKey(key, now)
    ? new AppError('key_overlap_running', 'Another key of this integration is still valid. Revoke it first.')
    : new AppError('api_key_not_rotatable', 'This key is no longer valid. Create a new one.');
}
