import { recordAudit } from '../../../audit/record';
import { noting } from '../../../audit/service';
import { emailKey, reserve } from '../../../directory/service';
import { type Role, requireOwnerOrOperator, requireRole } from '../../../platform/access';
import { commit, organizationMustExist } from '../../../platform/commit';
import type { Context } from '../../../platform/context';
import { assertInBatch } from '../../../platform/data/db';
import { AppError, notFound } from '../../../platform/errors';
import { newId } from '../../../platform/ids';
import { DAY_MS } from '../../../platform/time';
import { isTestOrganization } from '../../../tenants/service';
import { isNoTest } from '../../../tenants/tables';
import { INVITATION_DAYS, MEMBERS_MAX } from '../../limits';
import { newLink } from '../sign-in/links';
import { deleteSecondFactorOf } from '../sign-in/store-factors';
import { deletePasswordOf } from '../sign-in/store-memberships';
import { deleteSessionsOf } from '../sign-in/store-sessions';
import {
  insertInvitation,
  revokeMemberRow,
  selectMember,
  selectMembers,
  updateRoleRow,
  withdrawInvitation,
} from './store-members';
import { deleteResetOf } from './store-resets';

/**
 * Invites a person. An earlier invitation that was not accepted is withdrawn. Memberships that the address has in other
 * organizations make no difference and are not disclosed.
 * @returns the token of the link: this is the only time it can be shown, because only its hash is stored
 * @throws AppError `organization_not_found`, `member_exists`, `member_limit_reached`
 */
export async function inviteMember(
  ctx: Context,
  input: { orgId: string; email: string; role: Role },
): Promise<{ invitationUrl: string }> {
  requireOwnerOrOperator(ctx, input.orgId);
  const { orgId } = input;
  const { token, hash } = await newLink(ctx, 'invitation', orgId);
  const id = newId();
  const now = ctx.now();
  const invitation = {
    id,
    orgId,
    email: input.email.toLowerCase(),
    role: input.role,
    invitationHash: hash,
    invitationExpiresAt: now + INVITATION_DAYS * DAY_MS,
    invitedAt: now,
  };
  const batch = {
    directory: await reserve(ctx, { kind: 'email', key: await emailKey(ctx, invitation.email), orgId }),
    earlier: withdrawInvitation(orgId, invitation.email, now),
    live: assertInBatch(isNoTest(orgId)),
    member: insertInvitation(invitation),
    audit: recordAudit(ctx, { orgId, action: 'member.invited', entityId: id, fields: ['role'] }),
  };
  await commit(ctx, batch, { refused: () => whyNotInvited(ctx, orgId), constraints: organizationMustExist });
  return { invitationUrl: `${ctx.config.baseUrl}/manage/invitation/${token}` };
}

async function whyNotInvited(ctx: Context, orgId: string): Promise<AppError> {
  if (await isTestOrganization(ctx, orgId)) {
    return new AppError('conflict', 'A test organization has no members of its own: owners of the live one enter it.');
  }
  const members = await ctx.db.rows(selectMembers(orgId));
  if (members.length >= MEMBERS_MAX) {
    return new AppError(
      'member_limit_reached',
      `An organization has at most ${MEMBERS_MAX} members. Revoke one first.`,
    );
  }
  return new AppError('member_exists', 'This person is already a member of the organization.');
}

export type Member = Awaited<ReturnType<typeof listMembers>>[number];

/** All members of the organization, including invited people. */
export async function listMembers(ctx: Context) {
  const { orgId } = requireRole(ctx, ['owner']);
  return ctx.db.rows(selectMembers(orgId));
}

/** Ends a person's access at once, or withdraws an invitation. @throws AppError `member_not_found`, `last_owner` */
export async function revokeMember(ctx: Context, memberId: string): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const batch = {
    member: revokeMemberRow(orgId, memberId, ctx.now()),
    sessions: deleteSessionsOf(memberId),
    secondFactor: deleteSecondFactorOf(memberId),
    password: deletePasswordOf(memberId),
    reset: deleteResetOf(memberId),
    audit: recordAudit(ctx, { orgId, action: 'member.revoked', entityId: memberId }),
  };
  await noting(ctx, { orgId, kind: 'member', id: memberId, at: ctx.now() }, () =>
    commit(ctx, batch, { refused: () => whyNotChanged(ctx, orgId, memberId) }),
  );
}

/** @throws AppError `member_not_found`, `last_owner` */
export async function changeRole(ctx: Context, input: { memberId: string; role: Role }): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const { memberId, role } = input;
  const at = ctx.now();
  const batch = {
    member: updateRoleRow(orgId, memberId, role, at),
    audit: recordAudit(ctx, { orgId, action: 'member.role_changed', entityId: memberId, fields: ['role'] }),
  };
  await noting(ctx, { orgId, kind: 'role', id: memberId, at, role }, () =>
    commit(ctx, batch, { refused: () => whyNotChanged(ctx, orgId, memberId) }),
  );
}

async function whyNotChanged(ctx: Context, orgId: string, memberId: string): Promise<AppError> {
  const member = await ctx.db.rows(selectMember(orgId, memberId));
  return member.length === 0
    ? notFound('member_not_found', 'There is no such member.')
    : new AppError('last_owner', 'An organization needs at least one owner. Make somebody else an owner first.');
}
