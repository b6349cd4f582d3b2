import { recordAudit } from '../audit/record';
import { requireOwnerOrOperator, type Scope } from '../platform/access';
import type { Context } from '../platform/context';
import { isGuardFailure, mustChangeOne, orNoOrganization } from '../platform/db';
import { AppError, invalidInput } from '../platform/errors';
import { newId } from '../platform/ids';
import { hashKey, newApiKey } from './keys';
import { API_KEYS_MAX, insertApiKey } from './store';

export { authenticateToken, exchangeKey, revokeApiKey } from './exchange';
export { assertMayTry, countFailedKey } from './failed-keys';
export { actorOfKey, apiKeyById, isUsableKey, noteKeyUse } from './key-use';
export { idOfKey } from './keys';
export { type ApiKey, listApiKeys, rotateApiKey, setSubmittedEvents } from './manage-keys';
export { leavePageData, readPageData, takePageDataOnce } from './page-data';
export { sessionCookieName } from './staff';
export {
  changePassword,
  confirmSecondFactor,
  disableSecondFactor,
  type SecondFactorStart,
  signOutEverywhere,
  startSecondFactor,
} from './staff-account';
export type { Alongside } from './staff-adapter';
export type { Caller } from './staff-attempts';
export { acceptInvitation, getInvitation, type OpenInvitation } from './staff-invitations';
export { changeRole, inviteMember, listMembers, type Member, revokeMember } from './staff-members';
export { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './staff-password';
export { getReset, issueReset, issueResetByEmail, type OpenReset, useReset } from './staff-resets';
export {
  type Choice,
  choicesOf,
  choosePharmacy,
  findSession,
  type SignedIn,
  type SignIn,
  type StaffSession,
  signIn,
  signOut,
  verifySecondFactor,
} from './staff-sign-in';
export { API_KEYS_MAX, type ApiKeyRow } from './store';

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
  requireOwnerOrOperator(ctx, input.orgId);
  const now = ctx.now();
  if (input.expiresAt !== undefined && input.expiresAt <= now) {
    throw invalidInput([{ pointer: '/expires_at', code: 'too_small', message: 'Send a time in the future.' }]);
  }
  const { id, key } = newApiKey();
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
    if (isGuardFailure(error)) {
      throw new AppError(
        'conflict',
        'api_key_limit_reached',
        `An organization has at most ${API_KEYS_MAX} active API keys. Revoke one first.`,
      );
    }
    throw orNoOrganization(error);
  }
  return { keyId: id, apiKey: key };
}
