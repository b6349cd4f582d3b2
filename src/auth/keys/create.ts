import { recordAudit } from '../../audit/record';
import { requireOwnerOrOperator, type Scope } from '../../platform/access';
import { commit, organizationMustExist } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { AppError, invalidInput } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { isTestOrganization } from '../../tenants/service';
import { API_KEYS_MAX } from '../limits';
import { hashKey, newApiKey } from './format';
import { insertApiKey } from './store';

interface NewApiKey {
  orgId: string;
  name: string;
  scopes: Scope[];
  /** Epoch milliseconds. */
  expiresAt?: number;
}

/**
 * Creates an API key. With the scope `external_orders.submit` it is an integration key.
 * @returns the key itself: this is the only time it can be shown, because only its hash is stored
 * @throws AppError `organization_not_found`, `api_key_limit_reached`
 */
export async function createApiKey(ctx: Context, input: NewApiKey): Promise<{ keyId: string; apiKey: string }> {
  requireOwnerOrOperator(ctx, input.orgId);
  const now = ctx.now();
  if (input.expiresAt !== undefined && input.expiresAt <= now) {
    throw invalidInput([{ pointer: '/expires_at', code: 'too_small', message: 'Send a time in the future.' }]);
  }
  const { id, key } = newApiKey(await isTestOrganization(ctx, input.orgId));
  const row = {
    id,
    orgId: input.orgId,
    familyId: newId(),
    name: input.name,
    scopes: [...new Set(input.scopes)],
    hash: await hashKey(ctx, key),
    sendsSubmittedEvents: true,
    createdAt: now,
    createdBy: ctx.actor.kind,
    expiresAt: input.expiresAt ?? null,
  };
  const batch = {
    key: insertApiKey(row, now),
    audit: recordAudit(ctx, { orgId: input.orgId, action: 'api_key.created', entityId: id }),
  };
  await commit(ctx, batch, { refused: keyLimit, constraints: organizationMustExist });
  return { keyId: id, apiKey: key };
}

function keyLimit(): AppError {
  const detail = `An organization has at most ${API_KEYS_MAX} active API keys. Revoke one first.`;
  return new AppError('api_key_limit_reached', detail);
}
