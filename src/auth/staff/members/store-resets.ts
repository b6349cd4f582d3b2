import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import { insertSelect, mustChangeOneRow } from '../../../platform/data/db';
import { orm } from '../../../platform/data/statements';
import { members, staffAccounts, staffResets } from '../../tables';
import { isActiveMember } from '../sign-in/store-memberships';
import { linkedPerson } from './store-members';

/**
 * Replaces an earlier link; the batch is undone unless the person is a member who has a password. Owners of a live organization have
 * none in its test organization (sign-in/test-session.ts).
 */
export function insertReset({ orgId, ...row }: typeof staffResets.$inferInsert & { orgId: string }) {
  const hasPassword = sql`exists (select 1 from ${staffAccounts} where ${staffAccounts.memberId} = ${members.id})`;
  const theirs = and(eq(members.orgId, orgId), eq(members.id, row.memberId), isActiveMember, hasPassword);
  const write = insertSelect(staffResets, row, sql`from ${members} where ${theirs}`).onConflictDoUpdate({
    target: staffResets.memberId,
    set: {
      hash: sql`excluded.token_hash`,
      expiresAt: sql`excluded.expires_at`,
      endsSecondFactor: sql`excluded.ends_second_factor`,
    },
  });
  return mustChangeOneRow(write);
}

/** The person of an open link. */
export function selectReset(hashes: string[], now: number) {
  return orm
    .select({
      ...linkedPerson,
      name: members.name,
      hasSecondFactor: members.twoFactorEnabled,
      endsSecondFactor: staffResets.endsSecondFactor,
    })
    .from(staffResets)
    .innerJoin(members, eq(members.id, staffResets.memberId))
    .where(and(inArray(staffResets.hash, hashes), gt(staffResets.expiresAt, now), isActiveMember));
}

/** Marks the link as used; the batch is undone unless it is open. */
export function useResetRow(hashes: string[], now: number) {
  const member = sql`exists (select 1 from ${members} where ${members.id} = ${staffResets.memberId} and ${isActiveMember})`;
  const write = orm
    .delete(staffResets)
    .where(and(inArray(staffResets.hash, hashes), gt(staffResets.expiresAt, now), member));
  return mustChangeOneRow(write);
}

export function deleteResetOf(memberId: string) {
  return orm.delete(staffResets).where(eq(staffResets.memberId, memberId));
}

/** The member with an address who may sign in. */
export function selectMemberByEmail(orgId: string, email: string) {
  return orm
    .select({ id: members.id })
    .from(members)
    .where(and(eq(members.orgId, orgId), eq(members.email, email), isActiveMember));
}
