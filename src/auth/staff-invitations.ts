import { recordAudit } from '../audit/record';
import type { Role } from '../platform/access';
import { actingAs, type Context } from '../platform/context';
import { ConstraintError, isGuardFailure, mustChangeOne } from '../platform/db';
import { AppError, notFound } from '../platform/errors';
import { newId } from '../platform/ids';
import { assertWithinLimit } from '../platform/rate-limit';
import { hashKey } from './keys';
import { assertGoodPassword } from './staff-account';
import { hashOfLink } from './staff-links';
import { hashPassword } from './staff-password';
import { acceptInvitationRow, insertPassword, selectInvitation } from './store-members';

export interface OpenInvitation {
  memberId: string;
  orgId: string;
  email: string;
  role: Role;
  organizationName: string;
}

/**
 * What a link invites to. Open to whoever has the link.
 * @throws AppError `invitation_not_found`: wrong, used up, taken back and expired look alike
 */
export async function getInvitation(ctx: Context, token: string): Promise<OpenInvitation> {
  const hash = await hashOfLink(ctx, token);
  if (!hash) throw notOpen();
  const { invitation } = await ctx.db.run({ invitation: selectInvitation(ctx.db, hash, ctx.now()) });
  const [row] = invitation;
  if (!row) throw notOpen();
  const { id, ...rest } = row;
  return { memberId: id, ...rest };
}

/**
 * Makes the invited person a member. Once only: of two who use the same link, one finds it used up.
 * @throws AppError `invitation_not_found`, `member_exists`, `validation_failed`, `rate_limited`
 */
export async function acceptInvitation(
  ctx: Context,
  input: { token: string; name: string; password: string; address: string },
): Promise<{ email: string }> {
  await assertWithinLimit(ctx.limits.signIn, `address ${input.address}`);
  const { memberId, orgId, email, role } = await getInvitation(ctx, input.token);
  assertGoodPassword(input.password, email);
  const password = await hashPassword(input.password);
  const now = ctx.now();
  const acting = actingAs(ctx, { kind: 'staff', memberId, orgId, role });
  try {
    await ctx.db.run({
      member: acceptInvitationRow(ctx.db, await hashKey(ctx.config.keyPepper, input.token), input.name, now),
      guard: mustChangeOne(ctx.db),
      password: insertPassword(ctx.db, { id: newId(), memberId, password, now }),
      audit: recordAudit(acting, { orgId, action: 'member.accepted', entityId: memberId }),
    });
  } catch (error) {
    if (isGuardFailure(error)) throw notOpen();
    if (error instanceof ConstraintError && error.constraint === 'members.email') {
      throw new AppError('conflict', 'member_exists', 'This person works for an organization already.');
    }
    throw error;
  }
  return { email };
}

function notOpen(): AppError {
  return notFound('invitation_not_found', 'This invitation is used up, taken back or older than 7 days.');
}
