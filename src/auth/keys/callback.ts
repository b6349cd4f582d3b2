import { requireRole } from '../../platform/access';
import type { Context } from '../../platform/context';
import { notFound } from '../../platform/errors';
import { createCallback } from '../../webhooks/service';
import { isActiveKey } from './rules';
import { hasActiveKey, selectApiKey } from './store';

interface NewCallback {
  /** An integration key. */
  keyId: string;
  url: string;
}

/**
 * Sets where the platform that uses an integration key is told what becomes of the order requests that it sent with this key, or
 * with one that replaces it. Ends with the last of these keys.
 * @returns the subscription, and the signing secret, which is returned only here
 * @throws AppError `api_key_not_found` for a key that is no valid integration key, and as `createCallback`
 */
export async function setCallback(ctx: Context, { keyId, url }: NewCallback) {
  const { orgId } = requireRole(ctx, ['owner']);
  const now = ctx.now();
  const [key] = await ctx.db.rows(selectApiKey({ id: keyId }));
  const isTheirs = key?.orgId === orgId && key.scopes.includes('external_orders.submit');
  if (!isTheirs || !isActiveKey(key, now)) throw notFound('api_key_not_found', 'There is no such integration key.');
  const { familyId } = key;
  return createCallback(ctx, { integrationId: familyId, url, isThere: hasActiveKey({ orgId, familyId, now }) });
}
