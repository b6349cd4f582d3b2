import { and, gt, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Database } from '../../platform/db';
import { macsUnder } from '../../platform/mac';
import { members, staffResets, staffSessions } from '../tables';

/** How many sessions, invitations and reset links have not ended and have their hash under a pepper. */
export function countStaffUnder(db: Database, pepperId: string, now: number) {
  const isUnder = (hash: SQLiteColumn, expiresAt: SQLiteColumn): SQL | undefined => {
    const { from, to } = macsUnder(pepperId);
    return and(gte(hash, from), lt(hash, to), gt(expiresAt, now));
  };
  const left = { left: sql<number>`count(*)`.as('left_hashes') };
  return {
    sessions: db.orm.select(left).from(staffSessions).where(isUnder(staffSessions.token, staffSessions.expiresAt)),
    invitations: db.orm.select(left).from(members).where(isUnder(members.invitationHash, members.invitationExpiresAt)),
    resets: db.orm.select(left).from(staffResets).where(isUnder(staffResets.hash, staffResets.expiresAt)),
  };
}
