import { and, eq, gt, isNotNull, isNull, lt, ne, type SQL, sql } from 'drizzle-orm';
import { type Condition, type Database, inList, mustChangeOneRow } from '../../platform/db';
import { members, staffAccounts, staffSessions, staffVerifications } from '../tables';

/** Accepted and not revoked: nobody else signs in. */
export const isActiveMember: SQL | undefined = and(isNotNull(members.acceptedAt), isNull(members.revokedAt));

export function withEmail(email: string): Condition {
  return eq(members.email, email);
}

export function withIds(ids: readonly string[]): Condition {
  return sql`${members.id} in ${inList(ids)}`;
}

/** The passwords of the memberships that a condition finds; their rows come by `selectPeople` of store-staff.ts. */
export function selectAccounts(db: Database, who: Condition) {
  const theirs = db.orm.select({ id: members.id }).from(members).where(and(who, isActiveMember));
  return db.orm.select().from(staffAccounts).where(sql`${staffAccounts.userId} in ${theirs}`);
}

/** A password of another membership of the same address, for its recipe; beside a row of `members`. */
export function passwordElsewhere(): SQL<string | null> {
  return sql`(select other_password.password_hash from ${members} as other_member
    join ${staffAccounts} as other_password on other_password.member_id = other_member.id
    where other_member.email = ${members}.email and other_member.id <> ${members}.id
      and other_member.accepted_at is not null and other_member.revoked_at is null
    order by other_member.accepted_at, other_member.id limit 1)`;
}

export function selectPasswordElsewhere(db: Database, memberId: string) {
  return db.orm
    .select({ password: passwordElsewhere().as('password_elsewhere') })
    .from(members)
    .where(eq(members.id, memberId));
}

/** Every other membership of the address has its password by the same recipe, so that one hash goes on telling them all. */
export function sharesRecipe(email: string, memberId: string, recipe: string): Condition {
  const begin = `${recipe}$`;
  return sql`not exists (select 1 from ${members} join ${staffAccounts} on ${staffAccounts.userId} = ${members.id}
    where ${and(eq(members.email, email), ne(members.id, memberId), isActiveMember)}
      and substr(${staffAccounts.password}, 1, ${begin.length}) <> ${begin})`;
}

export function deleteSessionByToken(db: Database, tokenHash: string) {
  return db.orm.delete(staffSessions).where(eq(staffSessions.token, tokenHash));
}

export interface ChoiceRow {
  id: string;
  /** How the row is found; holds a hash. */
  identifier: string;
  value: string;
  expiresAt: number;
  now: number;
}

/** A sign-in that waits for a pharmacy to be chosen. Those that ran out go. */
export function insertChoice(db: Database, { now, ...row }: ChoiceRow) {
  return [
    db.orm.delete(staffVerifications).where(lt(staffVerifications.expiresAt, now)),
    db.orm.insert(staffVerifications).values({ ...row, createdAt: now, updatedAt: now }),
  ];
}

export function selectChoice(db: Database, identifier: string, now: number) {
  return db.orm.select({ value: staffVerifications.value }).from(staffVerifications).where(isOpen(identifier, now));
}

/** Uses the choice up; the batch is undone unless it is open. */
export function useChoiceRow(db: Database, identifier: string, now: number) {
  return mustChangeOneRow(db, db.orm.delete(staffVerifications).where(isOpen(identifier, now)));
}

function isOpen(identifier: string, now: number): SQL | undefined {
  return and(eq(staffVerifications.identifier, identifier), gt(staffVerifications.expiresAt, now));
}
