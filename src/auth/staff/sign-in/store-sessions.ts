import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Role } from '../../../platform/access';
import type { Condition } from '../../../platform/data/db';
import { type Named, orm, prepared } from '../../../platform/data/statements';
import { organizations } from '../../../tenants/tables';
import { members, staffSessions } from '../../tables';
import { isActiveMember } from './store-memberships';

/**
 * A session with its person, expired or not; no row when the person was revoked. Read with every page.
 * @param hashes of its token, under each pepper
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
      // D1 tells columns apart by their names alone.
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

/** Writes the hash of a token under another pepper. */
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

/** @param hashes of the token, under each pepper */
export function deleteSessionByToken(hashes: readonly string[]) {
  return orm.delete(staffSessions).where(inArray(staffSessions.tokenHash, [...hashes]));
}
