import { and, eq, gt, inArray, isNotNull, isNull, lt, ne, type SQL, sql } from 'drizzle-orm';
import { type Condition, inList, mustChangeOneRow } from '../../platform/db';
import { orm } from '../../platform/statements';
import { members, staffAccounts, staffSessions, staffVerifications } from '../tables';

/** Accepted and not revoked: only these members may sign in. */
export const isActiveMember: SQL | undefined = and(isNotNull(members.acceptedAt), isNull(members.revokedAt));

export function withEmail(email: string): Condition {
  return eq(members.email, email);
}

export function withIds(ids: readonly string[]): Condition {
  return sql`${members.id} in ${inList(ids)}`;
}

/**
 * The passwords of the memberships that match a condition; the members themselves come from `selectPeople`
 * (store-staff.ts).
 */
export function selectAccounts(who: Condition) {
  const theirs = orm.select({ id: members.id }).from(members).where(and(who, isActiveMember));
  return orm.select().from(staffAccounts).where(sql`${staffAccounts.userId} in ${theirs}`);
}

/** The password of another membership of the same address, for its recipe; a subquery of a select from `members`. */
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
 * Whether another membership of the address on this database, if there is one, has a password by the same recipe, so that one
 * hash can still be compared with all of them. All of them do, unless an organization with a recipe of its own has moved here.
 */
export function sharesRecipe(email: string, memberId: string, recipe: string): Condition {
  const begin = `${recipe}$`;
  const isSame = sql`substr(${staffAccounts.password}, 1, ${begin.length}) = ${begin}`;
  return sql`(select coalesce(max(${isSame}), 1) from ${members}
    join ${staffAccounts} on ${staffAccounts.userId} = ${members.id}
    where ${and(eq(members.email, email), ne(members.id, memberId), isActiveMember)})`;
}

/** @param hashes of the token, under each pepper */
export function deleteSessionByToken(hashes: readonly string[]) {
  return orm.delete(staffSessions).where(inArray(staffSessions.token, [...hashes]));
}

export interface ChoiceRow {
  id: string;
  /** By which the row is found; contains a hash. */
  identifier: string;
  value: string;
  expiresAt: number;
  now: number;
}

/** Stores a sign-in that waits until a pharmacy is chosen, and deletes expired ones. */
export function insertChoice({ now, ...row }: ChoiceRow) {
  return [
    orm.delete(staffVerifications).where(lt(staffVerifications.expiresAt, now)),
    orm.insert(staffVerifications).values({ ...row, createdAt: now, updatedAt: now }),
  ];
}

export function selectChoice(identifiers: string[], now: number) {
  return orm.select({ value: staffVerifications.value }).from(staffVerifications).where(isOpen(identifiers, now));
}

/** Marks the choice as used; the batch is undone unless it is open. */
export function useChoiceRow(identifiers: string[], now: number) {
  return mustChangeOneRow(orm.delete(staffVerifications).where(isOpen(identifiers, now)));
}

function isOpen(identifiers: string[], now: number): SQL | undefined {
  return and(inArray(staffVerifications.identifier, identifiers), gt(staffVerifications.expiresAt, now));
}
