import { and, eq, gt, inArray, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Role } from '../../../platform/access';
import { pick } from '../../../platform/data/columns';
import { mustChangeOneRow, updateOneRow } from '../../../platform/data/db';
import { type Condition, type Named, orm, prepared } from '../../../platform/data/statements';
import { organizations } from '../../../platform/tables';
import { members, staffSecondFactors, staffSessions, staffVerifications } from '../../tables';
import { isActiveMember } from './store-memberships';

/**
 * Selects a session with its person, also if the session has expired. There is no row if the person was revoked. Every
 * page reads this.
 * @param hashes the hashes of the session's token, one under each root secret
 */
export function selectSession(hashes: readonly [string, ...string[]]) {
  const [hash, ...others] = hashes;
  return others.length === 0 ? selectByHash({ hash }) : sessionWith(inArray(staffSessions.tokenHash, [...hashes]));
}

const selectByHash = prepared(({ hash }: Named<{ hash: string }>) => sessionWith(eq(staffSessions.tokenHash, hash)));

function sessionWith(token: Condition) {
  return orm
    .select({
      tokenHash: sql<string>`${staffSessions.tokenHash}`.as('session_token_hash'),
      // D1 distinguishes columns only by their names.
      expiresAt: sql<number>`${staffSessions.expiresAt}`.as('session_expires_at'),
      memberId: sql<string>`${members.id}`.as('member_id'),
      orgId: sql<string>`${members.orgId}`.as('member_org_id'),
      email: sql<string>`${members.email}`.as('member_email'),
      name: sql<string | null>`${members.name}`.as('member_name'),
      role: sql<Role>`${members.role}`.as('member_role'),
      hasSecondFactor: sql<number>`${members.twoFactorEnabled}`.as('member_second_factor'),
      organizationName: sql<string>`${organizations.name}`.as('organization_name'),
      isTest: sql<number>`${organizations.isTest}`.as('organization_is_test'),
      suspendedAt: sql<number | null>`${organizations.suspendedAt}`.as('organization_suspended_at'),
    })
    .from(staffSessions)
    .innerJoin(members, and(eq(members.id, staffSessions.memberId), isActiveMember))
    .innerJoin(organizations, eq(organizations.id, members.orgId))
    .where(token);
}

/** Replaces the hash of a token by its hash under another root secret. */
export function updateSessionHash(from: string, to: string) {
  return orm.update(staffSessions).set({ tokenHash: to }).where(eq(staffSessions.tokenHash, from));
}

export function insertSession(row: typeof staffSessions.$inferInsert) {
  return orm.insert(staffSessions).values(row);
}

export function deleteExpiredSessionsOf(memberId: string, now: number) {
  return orm.delete(staffSessions).where(and(eq(staffSessions.memberId, memberId), lt(staffSessions.expiresAt, now)));
}

export function deleteSessionsOf(memberId: string) {
  return orm.delete(staffSessions).where(eq(staffSessions.memberId, memberId));
}

/** Deletes the session of a token. @param hashes the hashes of the token, one under each root secret */
export function deleteSessionByToken(hashes: readonly string[]) {
  return orm.delete(staffSessions).where(inArray(staffSessions.tokenHash, [...hashes]));
}

const { expiresAt, identifier, tries, value } = staffVerifications;

/** Stores a sign-in that waits for its next step, and deletes the expired ones. */
export function insertWaiting(row: { id: string; identifier: string; value: string; expiresAt: number }, now: number) {
  return [
    orm.delete(staffVerifications).where(lt(expiresAt, now)),
    orm.insert(staffVerifications).values({ ...row, createdAt: now }),
  ];
}

export function selectWaiting(identifiers: string[], now: number) {
  return orm.select({ value }).from(staffVerifications).where(isOpen(identifiers, now));
}

/** Deletes a waiting sign-in, because it is used. The batch is undone if it was already used or has expired. */
export function useWaitingRow(identifiers: string[], now: number) {
  return mustChangeOneRow(orm.delete(staffVerifications).where(isOpen(identifiers, now)));
}

/**
 * Returns a subquery that selects the member of a sign-in that waits for a second factor. It selects nothing if this
 * sign-in may try no more codes.
 */
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

/** Selects the person whose sign-in waits for a second factor. */
export function selectTrying(identifiers: string[], now: number) {
  return orm
    .select({
      memberId: members.id,
      ...pick(members, ['orgId', 'role', 'email']),
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

const { failures, id, lastStep, lockedUntil, memberId, secret, backupCodes } = staffSecondFactors;

/** The encrypted columns (`sealFactor` in second-step.ts). */
export type SealedFactor = Pick<typeof staffSecondFactors.$inferSelect, 'secret' | 'backupCodes'>;
export type StoredFactor = Pick<typeof staffSecondFactors.$inferSelect, 'id' | 'memberId' | keyof SealedFactor>;

const STORED = { id, memberId, secret, backupCodes, verified: staffSecondFactors.verified, failures };

export function selectSecondFactor(ofMember: string) {
  return orm.select(STORED).from(staffSecondFactors).where(eq(memberId, ofMember));
}

/**
 * Inserts a second factor, which replaces one that was never confirmed. The batch is undone if the person has a
 * confirmed one.
 */
export function insertSecondFactor(row: StoredFactor) {
  const write = orm
    .insert(staffSecondFactors)
    .values({ ...row, verified: false, failures: 0 })
    .onConflictDoUpdate({
      target: memberId,
      set: { secret: row.secret, backupCodes: row.backupCodes, lastStep: null },
      setWhere: eq(staffSecondFactors.verified, false),
    });
  return mustChangeOneRow(write);
}

interface Locks {
  now: number;
  /** The second factor is locked each time the number of wrong codes in a row reaches a multiple of this. */
  eachLocks: number;
  /** How long the first lock lasts, in ms. Each further lock lasts twice as long. */
  lockMs: number;
  /** After this many wrong codes in a row, the lock lasts until `forGood` (epoch ms). */
  lastLocks: number;
  forGood: number;
}

/**
 * Counts a code as wrong before it is checked, so that no more than `eachLocks` codes are tried at the same moment.
 * Only a right code resets the count (`claimCodeRow`), not the end of a lock.
 * @param whose a subquery of the member's id. If it selects none, nothing is counted
 * @returns the second factor; no row while it is locked
 */
export function countFailure(whose: SQL, { now, eachLocks, lockMs, lastLocks, forGood }: Locks) {
  const count = sql`${failures} + 1`;
  const until = sql`${now} + (${lockMs} << ((${count}) / ${eachLocks} - 1))`;
  return orm
    .update(staffSecondFactors)
    .set({
      failures: count,
      lockedUntil: sql`case when ${count} >= ${lastLocks} then ${forGood} when (${count}) % ${eachLocks} = 0 then ${until} end`,
    })
    .where(
      and(
        sql`${memberId} = (${whose})`,
        eq(staffSecondFactors.verified, true),
        or(isNull(lockedUntil), lte(lockedUntil, now)),
      ),
    )
    .returning(STORED);
}

/** Takes a counted failure back, because the service does not know whether the code was wrong. */
export function giveFailureBack(factorId: string) {
  return orm
    .update(staffSecondFactors)
    .set({ failures: sql`max(${failures} - 1, 0)`, lockedUntil: null })
    .where(eq(id, factorId));
}

/**
 * Marks a code as used, and the second factor as confirmed. The batch is undone if the code was used already. For a
 * code of the app, this means that its time step or a later one was used. For a recovery code, it means that the list
 * of codes has changed since it was read.
 * @param step the time step of a code of the app; undefined for a recovery code
 * @param to the columns that change with the code
 */
export function claimCodeRow(from: StoredFactor, { step, to }: { step?: number; to?: SealedFactor }) {
  const isUnused = step === undefined ? undefined : or(isNull(lastStep), lt(lastStep, step));
  const isAsRead = to && and(eq(secret, from.secret), eq(backupCodes, from.backupCodes));
  const used = { ...to, verified: true, failures: 0, lockedUntil: null, lastStep: step };
  return updateOneRow(staffSecondFactors, used, and(eq(id, from.id), isUnused, isAsRead));
}

export function deleteSecondFactorOf(ofMember: string) {
  return orm.delete(staffSecondFactors).where(eq(memberId, ofMember));
}
