import { and, eq, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm';
import { has, pick, unset } from '../../../platform/data/columns';
import { inList, insertSelect, mustChangeOneRow, updateOneRow } from '../../../platform/data/db';
import { type Condition, orm } from '../../../platform/data/statements';
import { organizations } from '../../../platform/tables';
import { members, staffAccounts } from '../../tables';

/** Condition: the member has accepted the invitation and is not revoked. Only these members may sign in. */
export const isActiveMember: SQL | undefined = and(isNotNull(members.acceptedAt), isNull(members.revokedAt));

export function withEmail(email: string): Condition {
  return eq(members.email, email);
}

export function withIds(ids: readonly string[]): Condition {
  return sql`${members.id} in ${inList(ids)}`;
}

/**
 * Selects the people who match a condition and may sign in. It leaves out members of organizations that have moved to
 * another database.
 */
export function selectPeople(who: Condition) {
  return orm
    .select({
      ...pick(members, ['id', 'orgId', 'email', 'role', 'acceptedAt']),
      hasSecondFactor: members.twoFactorEnabled,
      password: staffAccounts.password,
      organizationName: organizations.name,
      organizationState: organizations.state,
    })
    .from(members)
    .innerJoin(staffAccounts, eq(staffAccounts.memberId, members.id))
    .innerJoin(organizations, eq(organizations.id, members.orgId))
    .where(and(who, isActiveMember, ne(organizations.state, 'gone')));
}

export function selectPassword(memberId: string) {
  return orm
    .select({ password: staffAccounts.password })
    .from(staffAccounts)
    .where(eq(staffAccounts.memberId, memberId));
}

export function insertPassword({ now, ...row }: { id: string; memberId: string; password: string; now: number }) {
  return orm.insert(staffAccounts).values({ ...row, createdAt: now, updatedAt: now });
}

/** Replaces a person's password. The batch is undone if the person has no password. */
export function updatePassword(memberId: string, password: string, now: number) {
  return updateOneRow(staffAccounts, { password, updatedAt: now }, eq(staffAccounts.memberId, memberId));
}

export function deletePasswordOf(memberId: string) {
  return orm.delete(staffAccounts).where(eq(staffAccounts.memberId, memberId));
}

/**
 * Condition: the stored password is still the one that was read. A sign-in with an older password must not create a
 * session.
 */
export function isPasswordStill(memberId: string, password: string): Condition {
  return sql`exists (select 1 from ${staffAccounts} where ${has(staffAccounts, { memberId, password })})`;
}

export function updateHasSecondFactor(memberId: string, hasSecondFactor: boolean, now: number) {
  return orm.update(members).set({ twoFactorEnabled: hasSecondFactor, updatedAt: now }).where(eq(members.id, memberId));
}

/** Selects the member, or the invited person, who has this address in the organization. */
export function selectMemberWithEmail(orgId: string, email: string) {
  return orm.select({ id: members.id }).from(members).where(isTheirAddress(orgId, email));
}

/**
 * Makes a person an owner of a test organization, without an invitation. An invited person or member with this address
 * becomes the owner.
 */
export function upsertTestOwner(
  person: Pick<typeof members.$inferInsert, 'id' | 'orgId' | 'email' | 'name'>,
  now: number,
) {
  const made = { ...unset(members), ...person, role: 'owner', twoFactorEnabled: false } as const;
  const isTest = sql`exists (select 1 from ${organizations} where ${organizations.id} = ${person.orgId} and is_test = 1)`;
  const times = { invitedAt: now, acceptedAt: now, updatedAt: now };
  const write = insertSelect(members, { ...made, ...times }, sql`where ${isTest}`).onConflictDoUpdate({
    target: [members.orgId, members.email],
    targetWhere: sql`revoked_at is null`,
    set: {
      ...{ role: 'owner', name: sql`excluded.name`, acceptedAt: sql`coalesce(accepted_at, excluded.accepted_at)` },
      ...{ invitationHash: null, invitationExpiresAt: null, updatedAt: now },
    },
  });
  return mustChangeOneRow(write);
}

/** Condition: the membership with this id belongs to an owner who may sign in. */
export function isOwnerOf(orgId: string, memberId: string): Condition {
  return sql`exists (select 1 from ${members} where ${and(has(members, { orgId, id: memberId, role: 'owner' }), isActiveMember)})`;
}

function isTheirAddress(orgId: string, email: string): SQL | undefined {
  return has(members, { orgId, email, revokedAt: null });
}

/**
 * Returns a subquery for a select from `members`: the password of another membership of the same address. A new
 * password is hashed with the recipe of that password.
 */
export function passwordElsewhere(): SQL<string | null> {
  return sql`(select other_password.password_hash from ${members} as other_member
    join ${staffAccounts} as other_password on other_password.member_id = other_member.id
    where other_member.email = ${members}.email and other_member.id <> ${members}.id
      and other_member.accepted_at is not null and other_member.revoked_at is null
    order by other_member.accepted_at, other_member.id limit 1)`;
}

export function selectPasswordElsewhere(memberId: string) {
  return orm
    .select({ password: passwordElsewhere().as('password_elsewhere') })
    .from(members)
    .where(eq(members.id, memberId));
}

/**
 * Condition: another password of this address on this database was hashed by this recipe, or the address has no other
 * password there. One hash can then be compared with all passwords of the address.
 */
export function sharesRecipe(email: string, memberId: string, recipe: string): Condition {
  const begin = `${recipe}$`;
  const isSame = sql`substr(${staffAccounts.password}, 1, ${begin.length}) = ${begin}`;
  return sql`(select coalesce(max(${isSame}), 1) from ${members}
    join ${staffAccounts} on ${staffAccounts.memberId} = ${members.id}
    where ${and(eq(members.email, email), ne(members.id, memberId), isActiveMember)})`;
}
