import { inOrganization } from '../../../directory/service';
import { requireRole } from '../../../platform/access';
import { commit } from '../../../platform/commit';
import { retryOnConflict } from '../../../platform/conflict';
import type { Context } from '../../../platform/context';
import { assertInBatch } from '../../../platform/data/db';
import { notFound } from '../../../platform/errors';
import { newId } from '../../../platform/ids';
import { testOrganizationOf } from '../../../tenants/service';
import { newSession, recordOwn, type StaffSession } from './session';
import { isOwnerOf, selectMemberWithEmail, upsertTestOwner } from './store-memberships';

/**
 * Signs the owner of a live organization in to its test organization, where they become an owner too. That membership has no
 * password: it is entered from here alone, and at a sign-in there is nothing to choose. The session of the live organization goes on.
 * @returns the value of the session cookie
 * @throws AppError `organization_not_found` where there is no test organization
 */
export async function signInToTest(ctx: Context, person: Pick<StaffSession, 'email' | 'name'>): Promise<string> {
  const { orgId: liveId } = requireRole(ctx, ['owner']);
  const orgId = await testOrganizationOf(ctx, liveId);
  const at = orgId === null ? null : await inOrganization(ctx, orgId);
  if (orgId === null || !at) throw notFound('organization_not_found', 'There is no test organization.');
  return retryOnConflict(at, () => enterOnce(at, orgId, person));
}

async function enterOnce(
  ctx: Context,
  orgId: string,
  { email, name }: Pick<StaffSession, 'email' | 'name'>,
): Promise<string> {
  const [member] = await ctx.db.rows(selectMemberWithEmail(orgId, email));
  const memberId = member?.id ?? newId();
  const session = await newSession(ctx, { orgId, memberId }, undefined);
  await commit(ctx, {
    member: upsertTestOwner({ id: memberId, orgId, email, name }, ctx.now()),
    // Another request may have made them a member since.
    isThem: assertInBatch(isOwnerOf(orgId, memberId)),
    session: session.writes,
    audit: recordOwn(ctx, { orgId, memberId, role: 'owner' }, { action: 'member.signed_in', reasonCode: 'from_live' }),
  });
  return session.cookie;
}
