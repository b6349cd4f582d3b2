import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Role } from '../../platform/access';
import { has, isUnder, pick, unset } from '../../platform/data/columns';
import { inList, insertSelect, mustChangeOneRow, updateOneRow } from '../../platform/data/db';
import { orm } from '../../platform/data/statements';
import { organizations } from '../../platform/tables';
import { isSettled } from '../../tenants/tables';
import { MEMBERS_MAX, REVOKED_ADDRESS_KEPT_MS, REVOKED_NAME_KEPT_MS } from '../limits';
import { members, staffAccounts, staffPageData, staffResets, staffSecondFactors } from '../tables';
import { isActiveMember, passwordElsewhere } from './sign-in/store-memberships';
import type { SealedFactor, StoredFactor } from './sign-in/store-sessions';

type Invitation = Pick<
  typeof members.$inferInsert,
  'id' | 'orgId' | 'email' | 'role' | 'invitationHash' | 'invitationExpiresAt' | 'invitedAt'
>;

/**
 * The columns that a page needs about the person of a link. `passwordElsewhere` is the password of another membership
 * of the same address. The new password is hashed with the recipe (cost and salt) of that password.
 */
const linkedPerson = {
  memberId: members.id,
  orgId: members.orgId,
  email: members.email,
  role: members.role,
  organizationName:
    sql<string>`(select ${organizations.name} from ${organizations} where ${organizations.id} = ${members.orgId})`.as(
      'organization_name',
    ),
  passwordElsewhere: passwordElsewhere().as('password_elsewhere'),
};

const NO_INVITATION = { invitationHash: null, invitationExpiresAt: null };

/** Withdraws an open invitation that a new one replaces. */
export function withdrawInvitation(orgId: string, email: string, now: number) {
  return orm
    .update(members)
    .set({ ...NO_INVITATION, revokedAt: now, updatedAt: now })
    .where(has(members, { orgId, email, acceptedAt: null, revokedAt: null }));
}

/**
 * Inserts an invitation. The batch is undone if the address already belongs to a member of this organization, or if the
 * organization has the most members allowed. Memberships of the address in other organizations are not read.
 */
export function insertInvitation(invitation: Invitation) {
  const { orgId, email, invitedAt } = invitation;
  const write = insertSelect(
    members,
    { ...unset(members), ...invitation, twoFactorEnabled: false, updatedAt: invitedAt },
    sql`where not exists (select 1 from ${members} where ${members.orgId} = ${orgId} and ${members.email} = ${email}
            and ${members.acceptedAt} is not null and ${members.revokedAt} is null)
          and (select count(*) from ${members}
            where ${members.orgId} = ${orgId} and ${members.revokedAt} is null) < ${MEMBERS_MAX}`,
  );
  return mustChangeOneRow(write);
}

/** Selects the invitation of a link, if it is still open. */
export function selectInvitation(hashes: string[], now: number) {
  return orm.select(linkedPerson).from(members).where(isOpenInvitation(hashes, now));
}

/**
 * Marks the invitation of a link as used. The batch is undone if the invitation was already used or withdrawn, or has
 * expired.
 */
export function acceptInvitationRow(hashes: string[], name: string, now: number) {
  const accepted = { ...NO_INVITATION, name, acceptedAt: now, updatedAt: now };
  return updateOneRow(members, accepted, isOpenInvitation(hashes, now));
}

export function selectMembers(orgId: string) {
  return orm
    .select({
      ...pick(members, ['id', 'email', 'name', 'role', 'invitationExpiresAt', 'invitedAt', 'acceptedAt']),
      hasSecondFactor: members.twoFactorEnabled,
      resetExpiresAt: resetExpiresAt.as('reset_expires_at'),
      hasPassword: hasPassword.as('has_password'),
    })
    .from(members)
    .where(has(members, { orgId, revokedAt: null }))
    .orderBy(isNull(members.acceptedAt), asc(members.acceptedAt), asc(members.id));
}

/** Selects the addresses of memberships that are not revoked. */
export function selectEmails(orgIds: readonly string[]) {
  return orm
    .select({ orgId: members.orgId, email: members.email })
    .from(members)
    .where(and(sql`${members.orgId} in ${inList(orgIds)}`, isNull(members.revokedAt)));
}

/**
 * Deletes the addresses of members 90 days after they were revoked, and their names after three years. Names are kept
 * longer, because the audit log shows them.
 */
export function forgetRevoked(orgId: string, now: number) {
  const isUnnamed = sql`revoked_at < ${now - REVOKED_NAME_KEPT_MS}`;
  return orm
    .update(members)
    .set({ email: '', name: sql`iif(${isUnnamed}, null, name)` })
    .where(
      and(
        eq(members.orgId, orgId),
        gt(members.id, ''),
        lt(members.revokedAt, now - REVOKED_ADDRESS_KEPT_MS),
        sql`(email <> '' or (${isUnnamed} and name is not null))`,
      ),
    );
}

/**
 * Revokes a member. The batch is undone if there is no such member, or if the organization would have no owner left.
 */
export function revokeMemberRow(orgId: string, id: string, now: number) {
  const revoked = { ...NO_INVITATION, revokedAt: now, updatedAt: now };
  return updateOneRow(members, revoked, and(isTheirs(orgId, id), keepsAnOwner(orgId, id)));
}

/**
 * Changes the role of a member. The batch is undone if there is no such member, or if the organization would have no
 * owner left.
 */
export function updateRoleRow(orgId: string, id: string, role: Role, now: number) {
  const isAllowed = role === 'owner' ? undefined : keepsAnOwner(orgId, id);
  return updateOneRow(members, { role, updatedAt: now }, and(isTheirs(orgId, id), isAllowed));
}

export function selectMember(orgId: string, id: string) {
  return orm.select({ id: members.id, email: members.email }).from(members).where(isTheirs(orgId, id));
}

/** SQL of the time (epoch ms) at which the member's link for a new password expires; null without a link. */
const resetExpiresAt = sql<
  number | null
>`(select ${staffResets.expiresAt} from ${staffResets} where ${staffResets.memberId} = members.id)`;

/** 1 if the member has a password, else 0. An owner who came into a test organization from the live one has none. */
const hasPassword = sql<number>`exists (select 1 from ${staffAccounts} where ${staffAccounts.memberId} = members.id)`;

function isOpenInvitation(hashes: string[], now: number): SQL | undefined {
  return and(
    inArray(members.invitationHash, hashes),
    gt(members.invitationExpiresAt, now),
    isNull(members.acceptedAt),
    isNull(members.revokedAt),
  );
}

function isTheirs(orgId: string, id: string): SQL | undefined {
  return has(members, { orgId, id, revokedAt: null });
}

/** Condition: the member is no owner, or the organization has another owner. Invited owners do not count. */
function keepsAnOwner(orgId: string, id: string): SQL {
  const other = and(isNotNull(sql`other.accepted_at`), isNull(sql`other.revoked_at`));
  return sql`(${members.role} <> 'owner' or ${members.acceptedAt} is null or exists (select 1 from ${members} as other indexed by members_one_invitation
    where other.org_id = ${orgId} and other.id <> ${id} and other.role = 'owner' and ${other}))`;
}

interface Of {
  orgId: string;
  memberId: string;
  /** When the command was given, epoch ms. Changed rows get this time. */
  at: number;
}

export function revokeAgain({ orgId, memberId, at }: Of) {
  return orm
    .update(members)
    .set({ invitationHash: null, invitationExpiresAt: null, revokedAt: at, updatedAt: at })
    .where(has(members, { orgId, id: memberId, revokedAt: null }));
}

export function changeRoleAgain({ orgId, memberId, at }: Of, role: Role) {
  const isTheirs = has(members, { orgId, id: memberId, revokedAt: null });
  return orm
    .update(members)
    .set({ role, updatedAt: at })
    .where(and(isTheirs, lt(members.updatedAt, at), sql`role <> ${role}`));
}

/**
 * Selects the person if they have no second factor and their row has not changed since `at`, the time of the command.
 */
export function selectWithoutFactor({ orgId, memberId, at }: Of) {
  const isTheirs = has(members, { orgId, id: memberId, revokedAt: null });
  return orm
    .select({ id: members.id })
    .from(members)
    .where(and(isTheirs, eq(members.twoFactorEnabled, false), lt(members.updatedAt, at)));
}

export function turnFactorOff({ orgId, memberId, at }: Of) {
  return orm
    .update(members)
    .set({ twoFactorEnabled: false, updatedAt: at })
    .where(
      and(has(members, { orgId, id: memberId }), and(eq(members.twoFactorEnabled, true), lt(members.updatedAt, at))),
    );
}

/** Deletes the second factor that `turnFactorOff` has turned off. Put `turnFactorOff` before it in the batch. */
export function deleteFactorTurnedOff({ orgId, memberId, at }: Of) {
  const isOff = sql`${staffSecondFactors.memberId} in (select id from ${members} where id = ${memberId} and org_id = ${orgId}
    and two_factor_enabled = 0 and updated_at = ${at})`;
  return orm.delete(staffSecondFactors).where(isOff);
}

/**
 * Replaces a password that was set before `at`, the time of the command. Changes nothing if the password has changed
 * since it was read.
 * @param password the stored text as it was read
 */
export function endPasswordOf({ orgId, memberId, at }: Of, password: string, replaced: string) {
  const isTheirs = sql`${staffAccounts.memberId} in (select id from ${members} where id = ${memberId} and org_id = ${orgId})`;
  return orm
    .update(staffAccounts)
    .set({ password: replaced, updatedAt: at })
    .where(and(isTheirs, eq(staffAccounts.password, password), lt(staffAccounts.updatedAt, at)));
}

/**
 * Stores a link for a new password, which replaces an earlier link of the member. The batch is undone unless the person
 * may sign in and has a password. Owners of a live organization have no password in its test organization
 * (sign-in/session.ts).
 */
export function insertReset({ orgId, ...row }: typeof staffResets.$inferInsert & { orgId: string }) {
  const hasPassword = sql`exists (select 1 from ${staffAccounts} where ${staffAccounts.memberId} = ${members.id})`;
  const theirs = and(has(members, { orgId, id: row.memberId }), isActiveMember, hasPassword);
  const write = insertSelect(staffResets, row, sql`from ${members} where ${theirs}`).onConflictDoUpdate({
    target: staffResets.memberId,
    set: {
      hash: sql`excluded.token_hash`,
      expiresAt: sql`excluded.expires_at`,
      endsSecondFactor: sql`excluded.ends_second_factor`,
    },
  });
  return mustChangeOneRow(write);
}

/** Selects the person of a link for a new password, if the link is still open. */
export function selectReset(hashes: string[], now: number) {
  return orm
    .select({
      ...linkedPerson,
      name: members.name,
      hasSecondFactor: members.twoFactorEnabled,
      endsSecondFactor: staffResets.endsSecondFactor,
    })
    .from(staffResets)
    .innerJoin(members, eq(members.id, staffResets.memberId))
    .where(and(inArray(staffResets.hash, hashes), gt(staffResets.expiresAt, now), isActiveMember));
}

/**
 * Deletes a link for a new password, because it is used. The batch is undone if the link was already used or has
 * expired.
 */
export function useResetRow(hashes: string[], now: number) {
  const member = sql`exists (select 1 from ${members} where ${members.id} = ${staffResets.memberId} and ${isActiveMember})`;
  const write = orm
    .delete(staffResets)
    .where(and(inArray(staffResets.hash, hashes), gt(staffResets.expiresAt, now), member));
  return mustChangeOneRow(write);
}

export function deleteResetOf(memberId: string) {
  return orm.delete(staffResets).where(eq(staffResets.memberId, memberId));
}

/** Selects the member who has this address and may sign in. */
export function selectMemberByEmail(orgId: string, email: string) {
  return orm
    .select({ id: members.id })
    .from(members)
    .where(and(has(members, { orgId, email }), isActiveMember));
}

interface Key {
  id: string;
  memberId: string;
  now: number;
}

export function deleteExpiredPageData(now: number) {
  return orm.delete(staffPageData).where(lt(staffPageData.expiresAt, now));
}

/** Stores the encrypted data of a page. It replaces data that the same person stored under the same id. */
export function putPageData(row: typeof staffPageData.$inferInsert) {
  const { memberId, sealed, expiresAt } = row;
  return orm
    .insert(staffPageData)
    .values(row)
    .onConflictDoUpdate({
      target: staffPageData.id,
      set: { sealed, expiresAt },
      setWhere: eq(staffPageData.memberId, memberId),
    });
}

export function selectPageData(key: Key) {
  return orm.select({ sealed: staffPageData.sealed }).from(staffPageData).where(isOf(key));
}

/** Deletes the data of a page and returns it: of two requests at the same moment only one gets it. */
export function takePageData(key: Key) {
  return orm.delete(staffPageData).where(isOf(key)).returning({ sealed: staffPageData.sealed });
}

function isOf({ id, memberId, now }: Key) {
  return and(has(staffPageData, { id, memberId }), gt(staffPageData.expiresAt, now));
}

/**
 * Selects second factors that are encrypted under a root secret. It leaves out organizations that are moving to another
 * database: their second factors are rewritten there after the move.
 */
export function selectSecondFactorsUnder(rootId: string, limit: number) {
  const { id, memberId, secret, backupCodes } = staffSecondFactors;
  return orm
    .select({ id, memberId, secret, backupCodes })
    .from(staffSecondFactors)
    .innerJoin(members, and(eq(members.id, memberId), isSettled(members.orgId)))
    .where(isUnder(secret, rootId))
    .orderBy(id)
    .limit(limit);
}

/** Replaces the encrypted columns of a second factor. It changes nothing if they have changed since they were read. */
export function updateSealed({ id, ...from }: StoredFactor, to: SealedFactor) {
  const { secret, backupCodes } = staffSecondFactors;
  return orm
    .update(staffSecondFactors)
    .set(to)
    .where(and(eq(staffSecondFactors.id, id), eq(secret, from.secret), eq(backupCodes, from.backupCodes)));
}
