import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Role } from '../../../platform/access';
import { orm } from '../../../platform/data/statements';
import { members, staffAccounts, staffSecondFactors } from '../../tables';

interface Of {
  orgId: string;
  memberId: string;
  /** When the command was given. A row that was changed since is left alone; one that is changed again has this time. */
  at: number;
}

export function revokeAgain(orgId: string, id: string, now: number) {
  return orm
    .update(members)
    .set({ invitationHash: null, invitationExpiresAt: null, revokedAt: now, updatedAt: now })
    .where(and(eq(members.orgId, orgId), eq(members.id, id), isNull(members.revokedAt)));
}

export function changeRoleAgain({ orgId, memberId, at }: Of, role: Role) {
  const isTheirs = and(eq(members.orgId, orgId), eq(members.id, memberId), isNull(members.revokedAt));
  return orm
    .update(members)
    .set({ role, updatedAt: at })
    .where(and(isTheirs, lt(members.updatedAt, at), sql`role <> ${role}`));
}

/** Whether a person has no second factor, and nothing of theirs was changed since. */
export function selectWithoutFactor({ orgId, memberId, at }: Of) {
  const isTheirs = and(eq(members.orgId, orgId), eq(members.id, memberId), isNull(members.revokedAt));
  return orm
    .select({ id: members.id })
    .from(members)
    .where(and(isTheirs, eq(members.twoFactorEnabled, false), lt(members.updatedAt, at)));
}

export function turnFactorOff({ orgId, memberId, at }: Of) {
  return orm
    .update(members)
    .set({ twoFactorEnabled: false, updatedAt: at })
    .where(
      and(
        and(eq(members.orgId, orgId), eq(members.id, memberId)),
        and(eq(members.twoFactorEnabled, true), lt(members.updatedAt, at)),
      ),
    );
}

/** Put `turnFactorOff` before it. */
export function deleteFactorTurnedOff({ orgId, memberId, at }: Of) {
  const isOff = sql`${staffSecondFactors.memberId} in (select id from ${members} where id = ${memberId} and org_id = ${orgId}
    and two_factor_enabled = 0 and updated_at = ${at})`;
  return orm.delete(staffSecondFactors).where(isOff);
}

/** @param password as it was read, and what replaces it */
export function endPasswordOf({ orgId, memberId, at }: Of, password: string, replaced: string) {
  const isTheirs = sql`${staffAccounts.memberId} in (select id from ${members} where id = ${memberId} and org_id = ${orgId})`;
  return orm
    .update(staffAccounts)
    .set({ password: replaced, updatedAt: at })
    .where(and(isTheirs, eq(staffAccounts.password, password), lt(staffAccounts.updatedAt, at)));
}
