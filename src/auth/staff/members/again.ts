import { recordAudit } from '../../../audit/record';
import { type Role, requireOperator } from '../../../platform/access';
import { commit } from '../../../platform/commit';
import type { Context } from '../../../platform/context';
import { ifChanged } from '../../../platform/data/db';
import { randomHashUnder } from '../passwords/hash';
import { deleteSecondFactorOf } from '../sign-in/store-factors';
import { deletePasswordOf, selectPassword } from '../sign-in/store-memberships';
import { deleteSessionsOf } from '../sign-in/store-sessions';
import {
  changeRoleAgain,
  deleteFactorTurnedOff,
  endPasswordOf,
  revokeAgain,
  selectWithoutFactor,
  turnFactorOff,
} from './store-again';
import { deleteResetOf } from './store-resets';

/** A command of the time that a restore of the database has undone. */
interface Undone {
  orgId: string;
  memberId: string;
  /** When it was given, epoch ms: what has happened after it stays. */
  at: number;
}

/** Ends a person's access again, even that of the last owner. */
export async function revokeMemberAgain(ctx: Context, { orgId, memberId }: Undone): Promise<void> {
  requireOperator(ctx);
  await commit(ctx, {
    member: ifChanged(revokeAgain(orgId, memberId, ctx.now()), (onlyIf) =>
      recordAudit(ctx, { orgId, action: 'member.revoked', entityId: memberId, onlyIf }),
    ),
    sessions: deleteSessionsOf(memberId),
    secondFactor: deleteSecondFactorOf(memberId),
    password: deletePasswordOf(memberId),
    reset: deleteResetOf(memberId),
  });
}

export async function changeRoleBack(
  ctx: Context,
  { orgId, memberId, at, role }: Undone & { role: Role },
): Promise<void> {
  requireOperator(ctx);
  await commit(ctx, {
    member: ifChanged(changeRoleAgain({ orgId, memberId, at }, role), (onlyIf) =>
      recordAudit(ctx, { orgId, action: 'member.role_changed', entityId: memberId, fields: ['role'], onlyIf }),
    ),
  });
}

/**
 * Turns a second factor off again. One that was turned on is lost with its secret: the person's sessions end.
 * @returns whether the person has to set one up again
 */
export async function changeSecondFactorBack(
  ctx: Context,
  { isOn, ...of }: Undone & { isOn: boolean },
): Promise<boolean> {
  requireOperator(ctx);
  const { orgId, memberId } = of;
  if (!isOn) {
    await commit(ctx, {
      member: ifChanged(turnFactorOff(of), (onlyIf) =>
        recordAudit(ctx, { orgId, action: 'member.second_factor_disabled', entityId: memberId, onlyIf }),
      ),
      factor: deleteFactorTurnedOff(of),
    });
    return false;
  }
  const found = await ctx.db.rows(selectWithoutFactor(of));
  if (found.length > 0) await commit(ctx, { sessions: deleteSessionsOf(memberId) });
  return found.length > 0;
}

/**
 * Nobody signs in with the password that a person has replaced: the new one is lost, so a reset link has to set another one.
 * @returns whether it was ended now
 */
export async function endPasswordAgain(ctx: Context, { orgId, memberId, at }: Undone): Promise<boolean> {
  requireOperator(ctx);
  const [stored] = await ctx.db.rows(selectPassword(memberId));
  if (!stored) return false;
  const ended = endPasswordOf({ orgId, memberId, at }, stored.password, randomHashUnder(stored.password));
  const { password } = await ctx.db.run({ password: ended, sessions: deleteSessionsOf(memberId) });
  return password.meta.changes === 1;
}
