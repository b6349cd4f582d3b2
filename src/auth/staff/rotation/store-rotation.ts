import { and, eq, gt, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { textsUnder } from '../../../platform/crypto';
import { orm } from '../../../platform/data/statements';
import { isSettled } from '../../../tenants/tables';
import { members, staffResets, staffSecondFactors, staffSessions } from '../../tables';
import type { SealedFactor, StoredFactor } from '../sign-in/store-factors';

const left = { left: sql<number>`count(*)`.as('left_under') };

/** How many sessions, invitations and reset links have not ended and have their hash under a pepper. */
export function countStaffUnder(pepperId: string, now: number) {
  const isUnder = (hash: SQLiteColumn, expiresAt: SQLiteColumn) => and(isTextUnder(pepperId, hash), gt(expiresAt, now));
  return {
    sessions: orm.select(left).from(staffSessions).where(isUnder(staffSessions.tokenHash, staffSessions.expiresAt)),
    invitations: orm.select(left).from(members).where(isUnder(members.invitationHash, members.invitationExpiresAt)),
    resets: orm.select(left).from(staffResets).where(isUnder(staffResets.hash, staffResets.expiresAt)),
  };
}

/** How many second factors are encrypted under a secret of AUTH_SECRETS. */
export function countSecondFactorsUnder(secretId: string) {
  return orm.select(left).from(staffSecondFactors).where(isTextUnder(secretId, staffSecondFactors.secret));
}

/** Leaves organizations alone that move to another database: there it is rewritten after the move. */
export function selectSecondFactorsUnder(secretId: string, limit: number) {
  const { id, memberId, secret, backupCodes } = staffSecondFactors;
  return orm
    .select({ id, memberId, secret, backupCodes })
    .from(staffSecondFactors)
    .innerJoin(members, and(eq(members.id, memberId), isSettled(members.orgId)))
    .where(isTextUnder(secretId, secret))
    .orderBy(id)
    .limit(limit);
}

/** Changes nothing unless the columns are still as they were read. */
export function updateSealed({ id, ...from }: StoredFactor, to: SealedFactor) {
  const { secret, backupCodes } = staffSecondFactors;
  return orm
    .update(staffSecondFactors)
    .set(to)
    .where(and(eq(staffSecondFactors.id, id), eq(secret, from.secret), eq(backupCodes, from.backupCodes)));
}

function isTextUnder(keyId: string, column: SQLiteColumn): SQL | undefined {
  const { from, to } = textsUnder(keyId);
  return and(gte(column, from), lt(column, to));
}
