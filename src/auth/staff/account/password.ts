import { recordAudit } from '../../../audit/record';
import { noting } from '../../../audit/service';
import { ROLES, requireRole } from '../../../platform/access';
import { commit } from '../../../platform/commit';
import { retryOnConflict } from '../../../platform/conflict';
import type { Context } from '../../../platform/context';
import { assertInBatch } from '../../../platform/data/db';
import { assertWithinLimit } from '../../../platform/http/rate-limit';
import { PASSWORD_LENGTH_MAX } from '../../limits';
import { deleteResetOf } from '../members/store-resets';
import { hashPassword, isPasswordOf } from '../passwords/hash';
import { assertGoodPassword, fault } from '../passwords/new-password';
import type { About } from '../passwords/rules';
import { RECIPE_TRIES_MAX, recipeFor } from '../sign-in/people';
import { newSession } from '../sign-in/session';
import {
  isPasswordStill,
  selectPassword,
  selectPasswordElsewhere,
  sharesRecipe,
  updatePassword,
} from '../sign-in/store-memberships';
import { deleteSessionsOf } from '../sign-in/store-sessions';
import { deleteHalfSignInsOf } from '../sign-in/store-waiting';

export interface NewPassword {
  current: string;
  next: string;
  /** The person whose password this is: their name and address must not be part of it. */
  about: About;
}

/**
 * Changes the password of this membership. Passwords of other memberships of the same address do not change. Every
 * session except the current one ends, and the current one gets a new token; an open link to reset the password ends
 * too.
 * @returns the value of the session cookie
 * @throws AppError `wrong_password`, `validation_failed`, `rate_limited`
 */
export async function changePassword(ctx: Context, input: NewPassword): Promise<string> {
  const { memberId } = requireRole(ctx, ROLES);
  assertGoodPassword(input.next, input.about, '/next');
  await assertWithinLimit(ctx.limits.signIn, `member ${memberId}`);
  return retryOnConflict(ctx, () => changeOnce(ctx, input), RECIPE_TRIES_MAX);
}

async function changeOnce(ctx: Context, { current, next, about }: NewPassword): Promise<string> {
  const { orgId, memberId } = requireRole(ctx, ROLES);
  const { own, elsewhere } = await ctx.db.run({
    own: selectPassword(memberId),
    elsewhere: selectPasswordElsewhere(memberId),
  });
  const earlier = own[0]?.password ?? '';
  await assertOwn(current, earlier, '/current');
  const recipe = await recipeFor(ctx, about.email, elsewhere[0]?.password ?? null);
  const password = await hashPassword(next, recipe);
  const session = await newSession(ctx, { orgId, memberId }, undefined);
  const at = ctx.now();
  const batch = {
    unchanged: assertInBatch(isPasswordStill(memberId, earlier)),
    shared: assertInBatch(sharesRecipe(about.email, memberId, recipe)),
    password: updatePassword(memberId, password, at),
    sessions: deleteSessionsOf(memberId),
    halves: deleteHalfSignInsOf(memberId),
    session: session.writes,
    reset: deleteResetOf(memberId),
    audit: recordAudit(ctx, { orgId, action: 'member.password_changed', entityId: memberId }),
  };
  await noting(ctx, { orgId, kind: 'password', id: memberId, at }, () => commit(ctx, batch));
  return session.cookie;
}

/** @throws AppError `wrong_password` */
export async function assertOwnPassword(ctx: Context, password: string): Promise<void> {
  const { memberId } = requireRole(ctx, ROLES);
  const own = await ctx.db.rows(selectPassword(memberId));
  await assertOwn(password, own[0]?.password ?? '', '/password');
}

/** A password that nobody can have is as wrong as any other, and is not hashed. */
async function assertOwn(password: string, stored: string, pointer: string): Promise<void> {
  const isOwn = password.length <= PASSWORD_LENGTH_MAX && (await isPasswordOf(password, stored));
  if (!isOwn) throw fault(pointer, 'wrong_password', 'This is not your password.');
}

/** Ends every session of the person, including this one. */
export async function signOutEverywhere(ctx: Context): Promise<void> {
  const { orgId, memberId } = requireRole(ctx, ROLES);
  await commit(ctx, {
    sessions: deleteSessionsOf(memberId),
    halves: deleteHalfSignInsOf(memberId),
    audit: recordAudit(ctx, { orgId, action: 'member.signed_out_everywhere', entityId: memberId }),
  });
}
