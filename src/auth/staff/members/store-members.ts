import { and, asc, eq, gt, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Role } from '../../../platform/access';
import { unset } from '../../../platform/data/columns';
import { inList, insertSelect, mustChangeOneRow, updateOneRow } from '../../../platform/data/db';
import { orm } from '../../../platform/data/statements';
import { organizations } from '../../../tenants/tables';
import { MEMBERS_MAX } from '../../limits';
import { members, staffAccounts, staffResets } from '../../tables';
import { passwordElsewhere } from '../sign-in/store-memberships';

type Invitation = Pick<
  typeof members.$inferInsert,
  'id' | 'orgId' | 'email' | 'role' | 'invitationHash' | 'invitationExpiresAt' | 'invitedAt'
>;

/** The person of a link, and another password of the address, by whose recipe the new one is hashed. */
export const linkedPerson = {
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
    .where(
      and(eq(members.orgId, orgId), eq(members.email, email), isNull(members.acceptedAt), isNull(members.revokedAt)),
    );
}

/**
 * The batch is undone when the address already belongs to a member of this organization, or when the organization has
 * reached its limit. Memberships of the address in other organizations are not read.
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

/** The invitation of an open link. */
export function selectInvitation(hashes: string[], now: number) {
  return orm.select(linkedPerson).from(members).where(isOpenInvitation(hashes, now));
}

/** Marks the invitation as used; the batch is undone unless it is open. */
export function acceptInvitationRow(hashes: string[], name: string, now: number) {
  const accepted = { ...NO_INVITATION, name, acceptedAt: now, updatedAt: now };
  return updateOneRow(members, accepted, isOpenInvitation(hashes, now));
}

export function selectMembers(orgId: string) {
  return orm
    .select({
      id: members.id,
      email: members.email,
      name: members.name,
      role: members.role,
      hasSecondFactor: members.twoFactorEnabled,
      invitationExpiresAt: members.invitationExpiresAt,
      invitedAt: members.invitedAt,
      acceptedAt: members.acceptedAt,
      resetExpiresAt: resetExpiresAt.as('reset_expires_at'),
      hasPassword: hasPassword.as('has_password'),
    })
    .from(members)
    .where(and(eq(members.orgId, orgId), isNull(members.revokedAt)))
    .orderBy(isNull(members.acceptedAt), asc(members.acceptedAt), asc(members.id));
}

/** The addresses of memberships that are not revoked. */
export function selectEmails(orgIds: readonly string[]) {
  return orm
    .select({ orgId: members.orgId, email: members.email })
    .from(members)
    .where(and(sql`${members.orgId} in ${inList(orgIds)}`, isNull(members.revokedAt)));
}

/** The batch is undone when the organization would have no owner left. */
export function revokeMemberRow(orgId: string, id: string, now: number) {
  const revoked = { ...NO_INVITATION, revokedAt: now, updatedAt: now };
  return updateOneRow(members, revoked, and(isTheirs(orgId, id), keepsAnOwner(orgId, id)));
}

/** The batch is undone when the organization would have no owner left. */
export function updateRoleRow(orgId: string, id: string, role: Role, now: number) {
  const isAllowed = role === 'owner' ? undefined : keepsAnOwner(orgId, id);
  return updateOneRow(members, { role, updatedAt: now }, and(isTheirs(orgId, id), isAllowed));
}

export function selectMember(orgId: string, id: string) {
  return orm.select({ id: members.id, email: members.email }).from(members).where(isTheirs(orgId, id));
}

/** When an open link for a new password expires. */
const resetExpiresAt = sql<
  number | null
>`(select ${staffResets.expiresAt} from ${staffResets} where ${staffResets.memberId} = members.id)`;

/** Not so of an owner who came into a test organization from the live one. */
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
  return and(eq(members.orgId, orgId), eq(members.id, id), isNull(members.revokedAt));
}

/** Only accepted invitations count as owners. */
function keepsAnOwner(orgId: string, id: string): SQL {
  const other = and(isNotNull(sql`other.accepted_at`), isNull(sql`other.revoked_at`));
  return sql`(${members.role} <> 'owner' or ${members.acceptedAt} is null or exists (select 1 from ${members} as other
    where other.org_id = ${orgId} and other.id <> ${id} and other.role = 'owner' and ${other}))`;
}
