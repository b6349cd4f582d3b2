import { recordAudit } from '../../audit/record';
import { type Role, requireOwnerOrOperator, requireRole } from '../../platform/access';
import type { Context } from '../../platform/context';
import { asOrganizationNotFound, assertOneRowChanged, isGuardFailure } from '../../platform/db';
import { AppError, notFound } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { DAY_MS } from '../../platform/time';
import { INVITATION_DAYS, MEMBERS_MAX } from '../limits';
import { newLink } from './links';
import {
  deletePasswordOf,
  deleteSecondFactorOf,
  deleteSessionsOf,
  insertInvitation,
  revokeMemberRow,
  selectMember,
  selectMembers,
  updateRoleRow,
  withdrawInvitation,
} from './store-members';
import { deleteResetOf } from './store-resets';

/**
 * Invites a person; an earlier invitation that was not accepted is taken back. Who the address works for elsewhere
 * makes no difference and is told nobody.
 * @returns the token of the link, which is shown this once and stored as a hash
 * @throws AppError `organization_not_found`, `member_exists`, `member_limit_reached`
 */
export async function inviteMember(
  ctx: Context,
  input: { orgId: string; email: string; role: Role },
): Promise<{ invitationUrl: string }> {
  requireOwnerOrOperator(ctx, input.orgId);
  const { orgId } = input;
  const { token, hash } = await newLink(ctx);
  const id = newId();
  const now = ctx.now();
  const invitation = {
    id,
    orgId,
    email: input.email.toLowerCase(),
    role: input.role,
    hash,
    expiresAt: now + INVITATION_DAYS * DAY_MS,
    now,
  };
  try {
    await ctx.db.run({
      earlier: withdrawInvitation(ctx.db, orgId, invitation.email, now),
      member: insertInvitation(ctx.db, invitation),
      guard: assertOneRowChanged(ctx.db),
      audit: recordAudit(ctx, { orgId, action: 'member.invited', entityId: id, fields: ['role'] }),
    });
  } catch (error) {
    if (isGuardFailure(error)) throw await whyNotInvited(ctx, orgId);
    throw asOrganizationNotFound(error);
  }
  return { invitationUrl: `${ctx.config.baseUrl}/manage/invitation/${token}` };
}

async function whyNotInvited(ctx: Context, orgId: string): Promise<AppError> {
  const { members } = await ctx.db.run({ members: selectMembers(ctx.db, orgId) });
  if (members.length >= MEMBERS_MAX) {
    return new AppError(
      'member_limit_reached',
      `An organization has at most ${MEMBERS_MAX} members. Revoke one first.`,
    );
  }
  return new AppError('member_exists', 'This person is already a member of the organization.');
}

export type Member = Awaited<ReturnType<typeof listMembers>>[number];

/** Everybody who works for the organization or is invited. */
export async function listMembers(ctx: Context) {
  const { orgId } = requireRole(ctx, ['owner']);
  const { members } = await ctx.db.run({ members: selectMembers(ctx.db, orgId) });
  return members;
}

/**
 * Ends a person's access at once, or takes an invitation back.
 * @throws AppError `member_not_found`, `last_owner`
 */
export async function revokeMember(ctx: Context, memberId: string): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  await unlessLastOwner(
    ctx,
    { orgId, memberId },
    ctx.db.run({
      member: revokeMemberRow(ctx.db, orgId, memberId, ctx.now()),
      guard: assertOneRowChanged(ctx.db),
      sessions: deleteSessionsOf(ctx.db, memberId),
      secondFactor: deleteSecondFactorOf(ctx.db, memberId),
      password: deletePasswordOf(ctx.db, memberId),
      reset: deleteResetOf(ctx.db, memberId),
      audit: recordAudit(ctx, { orgId, action: 'member.revoked', entityId: memberId }),
    }),
  );
}

/** @throws AppError `member_not_found`, `last_owner` */
export async function changeRole(ctx: Context, input: { memberId: string; role: Role }): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const { memberId, role } = input;
  await unlessLastOwner(
    ctx,
    { orgId, memberId },
    ctx.db.run({
      member: updateRoleRow(ctx.db, orgId, memberId, role, ctx.now()),
      guard: assertOneRowChanged(ctx.db),
      audit: recordAudit(ctx, { orgId, action: 'member.role_changed', entityId: memberId, fields: ['role'] }),
    }),
  );
}

async function unlessLastOwner(
  ctx: Context,
  { orgId, memberId }: { orgId: string; memberId: string },
  batch: Promise<unknown>,
): Promise<void> {
  try {
    await batch;
  } catch (error) {
    if (!isGuardFailure(error)) throw error;
    const { member } = await ctx.db.run({ member: selectMember(ctx.db, orgId, memberId) });
    if (member.length === 0) throw notFound('member_not_found', 'There is no such member.');
    throw new AppError('last_owner', 'An organization needs at least one owner. Make somebody else an owner first.');
  }
}
