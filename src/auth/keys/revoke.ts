import { recordAudit } from '../../audit/record';
import { noting } from '../../audit/service';
import { requireOperator, requireOwnerOrOperator } from '../../platform/access';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { notFound } from '../../platform/errors';
import { endingCallback, selectCallbackOf } from '../../webhooks/service';
import { familyOf, hasNoActiveKey, retireKey, revokeApiKeyRow, selectApiKey } from './store';

/**
 * Revokes a key at once; its tokens stop working within 30 s. With the last one of an integration its callback ends, and what
 * waited for that is not sent any more. Safe to repeat. @throws AppError `api_key_not_found`
 */
export async function revokeApiKey(ctx: Context, { orgId, keyId }: { orgId: string; keyId: string }): Promise<void> {
  requireOwnerOrOperator(ctx, orgId);
  const at = ctx.now();
  await noting(ctx, { orgId, kind: 'api_key', id: keyId, at, until: at }, () => revoke(ctx, orgId, keyId));
}

/** Ends a key again after a restore of the database: it is usable until a time at most. */
export async function endKeyAgain(ctx: Context, key: { orgId: string; keyId: string; until: number }): Promise<void> {
  requireOperator(ctx);
  const { orgId, keyId, until } = key;
  const now = ctx.now();
  if (until > now) {
    await commit(ctx, { key: retireKey({ orgId, keyId, now, overlapMs: until - now }) });
    return;
  }
  const [found] = await ctx.db.rows(selectApiKey({ id: keyId }));
  if (found?.orgId === orgId && found.revokedAt === null) await revoke(ctx, orgId, keyId);
}

async function revoke(ctx: Context, orgId: string, keyId: string): Promise<void> {
  const now = ctx.now();
  const integrationId = familyOf(orgId, keyId);
  const isLast = hasNoActiveKey({ orgId, familyId: integrationId, now });
  await retryOnConflict(ctx, async () => {
    const { keys, callbacks } = await ctx.db.run({
      keys: selectApiKey({ id: keyId }),
      callbacks: selectCallbackOf(orgId, integrationId),
    });
    if (keys[0]?.orgId !== orgId) throw notFound('api_key_not_found', 'There is no such API key.');
    await commit(ctx, {
      key: revokeApiKeyRow(orgId, keyId, now),
      audit: recordAudit(ctx, { orgId, action: 'api_key.revoked', entityId: keyId }),
      callback: endingCallback(ctx, { orgId, integrationId, seen: callbacks[0]?.id }, isLast),
    });
  });
}
