import { noting } from '../../audit/journal';
import { recordAudit } from '../../audit/record';
import { emailKey, emailKeys, rewriteEmailEntries as rewriteEntries } from '../../directory/emails';
import { type Entry, reserve, sweepEntries } from '../../directory/reserve';
import { ROLES, type Role, requireOperator, requireOwnerOrOperator, requireRole } from '../../platform/access';
import { commit, organizationMustExist } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { assertInBatch, type Database, ifChanged } from '../../platform/data/db';
import { AppError, notFound } from '../../platform/errors/errors';
import { newId } from '../../platform/ids';
import { DAY_MS } from '../../platform/time';
import { isTestOrganization } from '../../tenants/shops';
import { isNoTest } from '../../tenants/tables';
import { INVITATION_DAYS, MEMBERS_MAX } from '../limits';
import { randomHashUnder } from './passwords/hash';
import { newLink } from './sign-in/links';
import { deletePasswordOf, selectPassword } from './sign-in/store-memberships';
import { deleteSecondFactorOf, deleteSessionsOf } from './sign-in/store-sessions';
import * as store from './store';

/**
 * Invites a person. An earlier invitation that was not accepted is withdrawn. Memberships that the address has in other
 * organizations make no difference and are not disclosed.
 * @returns the link to the invitation. It can be shown only now, because only its hash is stored
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
    earlier: store.withdrawInvitation(orgId, invitation.email, now),
    live: assertInBatch(isNoTest(orgId)),
    member: store.insertInvitation(invitation),
    audit: recordAudit(ctx, { orgId, action: 'member.invited', entityId: id, fields: ['role'] }),
  };
  await commit(ctx, batch, { refused: () => whyNotInvited(ctx, orgId), constraints: organizationMustExist });
  return { invitationUrl: `${ctx.config.baseUrl}/manage/invitation/${token}` };
}

async function whyNotInvited(ctx: Context, orgId: string): Promise<AppError> {
  if (await isTestOrganization(ctx, orgId)) {
    return new AppError('conflict', 'A test organization has no members of its own: owners of the live one enter it.');
  }
  const members = await ctx.db.rows(store.selectMembers(orgId));
  if (members.length >= MEMBERS_MAX) {
    return new AppError(
      'member_limit_reached',
      `An organization has at most ${MEMBERS_MAX} members. Revoke one first.`,
    );
  }
  return new AppError('member_exists', 'This person is already a member of the organization.');
}

export type Member = Awaited<ReturnType<typeof listMembers>>[number];

/** Returns all members of the organization, including invited people. */
export async function listMembers(ctx: Context) {
  const { orgId } = requireRole(ctx, ['owner']);
  return ctx.db.rows(store.selectMembers(orgId));
}

/**
 * Returns the names of the organization's owners. A page shows them to a person whose role does not allow an action.
 */
export async function ownerNames(ctx: Context): Promise<string[]> {
  const { orgId } = requireRole(ctx, ROLES);
  const rows = await ctx.db.rows(store.selectMembers(orgId));
  return rows.flatMap(({ role, name, email, acceptedAt }) =>
    role === 'owner' && acceptedAt !== null ? [name || email] : [],
  );
}

/** Ends a person's access at once, or withdraws an invitation. @throws AppError `member_not_found`, `last_owner` */
export async function revokeMember(ctx: Context, memberId: string): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const batch = {
    member: store.revokeMemberRow(orgId, memberId, ctx.now()),
    sessions: deleteSessionsOf(memberId),
    secondFactor: deleteSecondFactorOf(memberId),
    password: deletePasswordOf(memberId),
    reset: store.deleteResetOf(memberId),
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
    member: store.updateRoleRow(orgId, memberId, role, at),
    audit: recordAudit(ctx, { orgId, action: 'member.role_changed', entityId: memberId, fields: ['role'] }),
  };
  await noting(ctx, { orgId, kind: 'role', id: memberId, at, role }, () =>
    commit(ctx, batch, { refused: () => whyNotChanged(ctx, orgId, memberId) }),
  );
}

async function whyNotChanged(ctx: Context, orgId: string, memberId: string): Promise<AppError> {
  const member = await ctx.db.rows(store.selectMember(orgId, memberId));
  return member.length === 0
    ? notFound('member_not_found')
    : new AppError('last_owner', 'An organization needs at least one owner. Make somebody else an owner first.');
}

/** A command that a restore of the database has undone. */
interface Undone {
  orgId: string;
  memberId: string;
  /** When the command was given, epoch ms. */
  at: number;
}

/**
 * Repeats `revokeMember` after a restore. Stores `at` as the time of the revocation, because a revoked member's address
 * is deleted a fixed time after it. Unlike `revokeMember`, this also revokes the last owner.
 */
export async function revokeMemberAgain(ctx: Context, { orgId, memberId, at }: Undone): Promise<void> {
  requireOperator(ctx);
  await commit(ctx, {
    member: ifChanged(store.revokeAgain({ orgId, memberId, at }), (onlyIf) =>
      recordAudit(ctx, { orgId, action: 'member.revoked', entityId: memberId, onlyIf }),
    ),
    sessions: deleteSessionsOf(memberId),
    secondFactor: deleteSecondFactorOf(memberId),
    password: deletePasswordOf(memberId),
    reset: store.deleteResetOf(memberId),
  });
}

export async function changeRoleBack(
  ctx: Context,
  { orgId, memberId, at, role }: Undone & { role: Role },
): Promise<void> {
  requireOperator(ctx);
  await commit(ctx, {
    member: ifChanged(store.changeRoleAgain({ orgId, memberId, at }, role), (onlyIf) =>
      recordAudit(ctx, { orgId, action: 'member.role_changed', entityId: memberId, fields: ['role'], onlyIf }),
    ),
  });
}

/**
 * Repeats a change of a second factor after a restore. A factor that the person had turned off is turned off again. A
 * factor that the person had turned on cannot be turned on again, because its secret is lost. Instead, the sessions of
 * the person end.
 * @returns whether the person has to set up the second factor again
 */
export async function changeSecondFactorBack(
  ctx: Context,
  { isOn, ...of }: Undone & { isOn: boolean },
): Promise<boolean> {
  requireOperator(ctx);
  const { orgId, memberId } = of;
  if (!isOn) {
    await commit(ctx, {
      member: ifChanged(store.turnFactorOff(of), (onlyIf) =>
        recordAudit(ctx, { orgId, action: 'member.second_factor_disabled', entityId: memberId, onlyIf }),
      ),
      factor: store.deleteFactorTurnedOff(of),
    });
    return false;
  }
  const found = await ctx.db.rows(store.selectWithoutFactor(of));
  if (found.length > 0) await commit(ctx, { sessions: deleteSessionsOf(memberId) });
  return found.length > 0;
}

/**
 * Ends a password that the person had replaced and that a restore brought back. The person needs a reset link, because
 * the new password is lost.
 * @returns whether this call changed the password
 */
export async function endPasswordAgain(ctx: Context, { orgId, memberId, at }: Undone): Promise<boolean> {
  requireOperator(ctx);
  const [stored] = await ctx.db.rows(selectPassword(memberId));
  if (!stored) return false;
  const ended = store.endPasswordOf({ orgId, memberId, at }, stored.password, randomHashUnder(stored.password));
  const { password } = await ctx.db.run({ password: ended, sessions: deleteSessionsOf(memberId) });
  return password.meta.changes === 1;
}

/**
 * Deletes the directory entries of e-mail addresses that no longer belong to a member or an invited person of the
 * organization.
 */
export async function sweepEmailEntries(ctx: Context): Promise<void> {
  await sweepEntries(ctx, 'email', async <E extends Entry>(db: Database, entries: readonly E[]) => {
    const orgIds = entries.map(({ orgId }) => orgId);
    const emails = await emailsOf(db, orgIds);
    const keys = await Promise.all(
      emails.map(async ({ orgId, email }) => (await emailKeys(ctx, email)).map((key) => `${orgId} ${key}`)),
    );
    const kept = new Set(keys.flat());
    return entries.filter(({ orgId, key }) => kept.has(`${orgId} ${key}`));
  });
}

/**
 * Computes keys of the directory's e-mail entries anew under the current root secret. It handles the keys that were
 * made under the old root secret `rootId`.
 */
export function rewriteEmailEntries(ctx: Context, rootId: string): Promise<void> {
  return rewriteEntries(ctx, rootId, emailsOf);
}

async function emailsOf(db: Database, orgIds: readonly string[]) {
  return db.rows(store.selectEmails([...new Set(orgIds)]));
}
