import { and, eq, gt, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { mustChangeOneRow } from '../../../platform/data/db';
import { orm } from '../../../platform/data/statements';
import { members, staffSecondFactors, staffVerifications } from '../../tables';
import { isActiveMember } from './store-memberships';

const { expiresAt, identifier, tries, value } = staffVerifications;

/** Stores a sign-in that waits, and deletes expired ones. */
export function insertWaiting(row: { id: string; identifier: string; value: string; expiresAt: number }, now: number) {
  return [
    orm.delete(staffVerifications).where(lt(expiresAt, now)),
    orm.insert(staffVerifications).values({ ...row, createdAt: now }),
  ];
}

export function selectWaiting(identifiers: string[], now: number) {
  return orm.select({ value }).from(staffVerifications).where(isOpen(identifiers, now));
}

/** Marks it as used; the batch is undone unless it is open. */
export function useWaitingRow(identifiers: string[], now: number) {
  return mustChangeOneRow(orm.delete(staffVerifications).where(isOpen(identifiers, now)));
}

/** The member of a sign-in that waits for a second factor and may still try a code; a subquery. */
export function memberTrying(identifiers: string[], now: number, triesMax: number): SQL {
  return sql`select ${value} from ${staffVerifications} where ${and(isOpen(identifiers, now), lt(tries, triesMax))}`;
}

export function countTry(identifiers: string[], now: number, triesMax: number) {
  return orm
    .update(staffVerifications)
    .set({ tries: sql`${tries} + 1` })
    .where(and(isOpen(identifiers, now), lt(tries, triesMax)));
}

export function giveTryBack(identifiers: string[]) {
  return orm
    .update(staffVerifications)
    .set({ tries: sql`max(${tries} - 1, 0)` })
    .where(inArray(identifier, identifiers));
}

/** The person of a sign-in that waits for a second factor. */
export function selectTrying(identifiers: string[], now: number) {
  return orm
    .select({
      memberId: members.id,
      orgId: members.orgId,
      role: members.role,
      email: members.email,
      lockedUntil: staffSecondFactors.lockedUntil,
    })
    .from(staffVerifications)
    .innerJoin(members, and(eq(members.id, value), isActiveMember))
    .innerJoin(staffSecondFactors, eq(staffSecondFactors.memberId, members.id))
    .where(isOpen(identifiers, now));
}

/** Deletes the sign-ins of a person that wait for the second factor. */
export function deleteHalfSignInsOf(memberId: string) {
  return orm.delete(staffVerifications).where(eq(value, memberId));
}

function isOpen(identifiers: string[], now: number): SQL | undefined {
  return and(inArray(identifier, identifiers), gt(expiresAt, now));
}
