import { recordAudit } from '../audit/record';
import { requireOperator, type Scope } from '../platform/access';
import type { Actor, Context } from '../platform/context';
import { ConstraintError, isGuardFailure, mustChangeOne, type Statement } from '../platform/db';
import { AppError, notFound } from '../platform/errors';
import { newId } from '../platform/ids';
import { hashKey, isKeyOf, newApiKey } from './keys';
import { API_KEYS_MAX, type ApiKeyRow, insertApiKey, selectApiKey, touchApiKey } from './store';

export { idOfKey } from './keys';
export type { ApiKeyRow } from './store';

export interface NewApiKey {
  orgId: string;
  name: string;
  scopes: Scope[];
  /** Epoch milliseconds. */
  expiresAt?: number;
}

/**
 * Makes an API key; with the scope `external_orders.submit` it is an integration key.
 * @returns the key itself, which is shown this once and stored as a hash
 * @throws AppError `organization_not_found`, `api_key_limit_reached`
 */
export async function createApiKey(ctx: Context, input: NewApiKey): Promise<{ keyId: string; apiKey: string }> {
  requireOperator(ctx);
  const { id, key } = newApiKey();
  const now = ctx.now();
  const row = {
    id,
    orgId: input.orgId,
    familyId: newId(),
    name: input.name,
    scopes: [...new Set(input.scopes)],
    hash: await hashKey(ctx.config.keyPepper, key),
    sendsSubmittedEvents: true,
    createdAt: now,
    createdBy: ctx.actor.kind,
    expiresAt: input.expiresAt ?? null,
  };
  try {
    await ctx.db.run({
      key: insertApiKey(ctx.db, row, now),
      guard: mustChangeOne(ctx.db),
      audit: recordAudit(ctx, { orgId: input.orgId, action: 'api_key.created', entityId: id }),
    });
  } catch (error) {
    if (error instanceof ConstraintError && error.kind === 'foreign_key')
      throw notFound('organization_not_found', 'There is no such organization.');
    if (isGuardFailure(error)) {
      throw new AppError(
        'conflict',
        'api_key_limit_reached',
        `An organization has at most ${API_KEYS_MAX} active API keys. Revoke one first.`,
      );
    }
    throw error;
  }
  return { keyId: id, apiKey: key };
}

/** The statement that finds a key by the id that stands in it, for the caller's own batch. */
export function apiKeyById(ctx: Context, id: string) {
  return selectApiKey(ctx.db, id);
}

/** Whether a presented key is this row's, and may still be used. One answer for every way it may not. */
export async function isUsableKey(ctx: Context, presented: string, row: ApiKeyRow | undefined): Promise<boolean> {
  if (!row || !(await isKeyOf(ctx.config.keyPepper, presented, row.hash))) return false;
  return row.revokedAt === null && (row.expiresAt === null || row.expiresAt > ctx.now());
}

export function actorOfKey(row: ApiKeyRow): Extract<Actor, { kind: 'api_key' }> {
  return { kind: 'api_key', keyId: row.id, familyId: row.familyId, orgId: row.orgId, scopes: row.scopes };
}

const LAST_USED_EVERY_MS = 60_000;

/** The statement that notes a key's use, or nothing when that was noted within the last minute. */
export function noteKeyUse(ctx: Context, row: ApiKeyRow): Statement | undefined {
  const now = ctx.now();
  return row.lastUsedAt !== null && now - row.lastUsedAt < LAST_USED_EVERY_MS
    ? undefined
    : touchApiKey(ctx.db, row.id, now);
}
