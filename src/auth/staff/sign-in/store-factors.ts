import { and, eq, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { mustChangeOneRow, updateOneRow } from '../../../platform/data/db';
import { orm } from '../../../platform/data/statements';
import { staffSecondFactors } from '../../tables';

const { failures, id, lastStep, lockedUntil, memberId, secret, backupCodes } = staffSecondFactors;

/** Encrypted columns (second-factor.ts). */
export type SealedFactor = Pick<typeof staffSecondFactors.$inferSelect, 'secret' | 'backupCodes'>;
export type StoredFactor = Pick<typeof staffSecondFactors.$inferSelect, 'id' | 'memberId' | keyof SealedFactor>;

const STORED = { id, memberId, secret, backupCodes, verified: staffSecondFactors.verified, failures };

export function selectSecondFactor(ofMember: string) {
  return orm.select(STORED).from(staffSecondFactors).where(eq(memberId, ofMember));
}

/** Replaces one that was never confirmed; the batch is undone if there is one that was. */
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
  /** Each time so many codes in a row were wrong, the second factor is locked. */
  eachLocks: number;
  /** So long at first, and twice as long each further time. */
  lockMs: number;
  /** So many in a row lock it until `forGood`. */
  lastLocks: number;
  forGood: number;
}

/**
 * Counts a code as wrong before anybody knows whether it is, so that no more than `eachLocks` are tried at the same moment. The
 * count goes on when a lock has ended; a right code takes it back (`claimCodeRow`).
 * @param whose the member; null counts nothing
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

/** Takes a count back when the service could not tell whether the code was wrong. */
export function giveFailureBack(factorId: string) {
  return orm
    .update(staffSecondFactors)
    .set({ failures: sql`max(${failures} - 1, 0)`, lockedUntil: null })
    .where(eq(id, factorId));
}

/**
 * Marks a code as used, and the second factor as in use. The batch is undone if the code was used already: the time step of
 * a code, or a later one; a recovery code by a change of the list.
 * @param step of a code of the app
 * @param to the columns that change with it
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
