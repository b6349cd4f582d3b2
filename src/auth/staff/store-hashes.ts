import { and, gt, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { macsUnder } from '../../platform/mac';
import { orm } from '../../platform/statements';
import { members, staffResets, staffSessions } from '../tables';

/** How many sessions, invitations and reset links have not ended and have their hash under a pepper. */
export function countStaffUnder(pepperId: string, now: number) {
  const isUnder = (hash: SQLiteColumn, expiresAt: SQLiteColumn): SQL | undefined => {
    const { from, to } = macsUnder(pepperId);
    return and(gte(hash, from), lt(hash, to), gt(expiresAt, now));
  };
  const left = { left: sql<number>`count(*)`.as('left_hashes') };
  return {
    sessions: orm.select(left).from(staffSessions).where(isUnder(staffSessions.token, staffSessions.expiresAt)),
    invitations: orm.select(left).from(members).where(isUnder(members.invitationHash, members.invitationExpiresAt)),
    resets: orm.select(left).from(staffResets).where(isUnder(staffResets.hash, staffResets.expiresAt)),
  };
}
