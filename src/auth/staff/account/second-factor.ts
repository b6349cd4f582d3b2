import { recordAudit } from '../../../audit/record';
import { noting } from '../../../audit/service';
import { ROLES, requireRole } from '../../../platform/access';
import { commit, tryCommit } from '../../../platform/commit';
import type { Context } from '../../../platform/context';
import { AppError } from '../../../platform/errors';
import { assertWithinLimit } from '../../../platform/http/rate-limit';
import { newId } from '../../../platform/ids';
import { fault } from '../passwords/new-password';
import { claimCode, newSecondFactor, sealFactor } from '../sign-in/second-factor';
import { newSession } from '../sign-in/session';
import { deleteSecondFactorOf, insertSecondFactor, selectSecondFactor } from '../sign-in/store-factors';
import { updateHasSecondFactor } from '../sign-in/store-memberships';
import { CODE, toBase32, uriOf } from '../sign-in/totp';
import { assertOwnPassword } from './password';

export interface SecondFactorStart {
  /** `otpauth://…`, the content of the QR code. */
  uri: string;
  /** The same secret in Base32 (RFC 4648 §6), to type in. */
  secret: string;
  /** Each can be used once instead of a code. They can only be shown now. */
  recoveryCodes: string[];
}

/**
 * Starts to set up a second factor; it takes effect when `confirmSecondFactor` has accepted a code.
 * @throws AppError `wrong_password`; `second_factor_on` when there is one already: it must be turned off first
 */
export async function startSecondFactor(
  ctx: Context,
  { email, password }: { email: string; password: string },
): Promise<SecondFactorStart> {
  const { memberId } = requireRole(ctx, ROLES);
  await assertWithinLimit(ctx.limits.signIn, `member ${memberId}`);
  await assertOwnPassword(ctx, password);
  const factor = newSecondFactor();
  const row = { id: newId(), memberId, ...(await sealFactor(ctx, memberId, factor)) };
  await commit(ctx, { factor: insertSecondFactor(row) }, { refused: secondFactorOn });
  const { secret, recoveryCodes } = factor;
  return { uri: uriOf(secret, email), secret: toBase32(secret), recoveryCodes };
}

function secondFactorOn(): AppError {
  return new AppError('second_factor_on', 'The second factor is already on. Turn it off first.');
}

/**
 * Turns the second factor on that was started. The session goes on under a new token.
 * @param input.session the session cookie as sent
 * @returns the value of the session cookie; undefined when it was on already
 * @throws AppError `wrong_code`
 */
export async function confirmSecondFactor(
  ctx: Context,
  { session, code }: { session: string | undefined; code: string },
): Promise<string | undefined> {
  const { orgId, memberId } = requireRole(ctx, ROLES);
  await assertWithinLimit(ctx.limits.signIn, `member ${memberId}`);
  const [factor] = await ctx.db.rows(selectSecondFactor(memberId));
  const claim = factor && CODE.test(code) ? await claimCode(ctx, factor, code) : null;
  if (!factor || !claim) throw wrongCode();
  if (factor.verified) return undefined;
  const next = await newSession(ctx, { orgId, memberId }, session);
  const at = ctx.now();
  const batch = {
    claim,
    member: updateHasSecondFactor(memberId, true, at),
    session: next.writes,
    audit: recordAudit(ctx, { orgId, action: 'member.second_factor_enabled', entityId: memberId }),
  };
  const committed = await noting(ctx, { orgId, kind: 'second_factor', id: memberId, at, is_on: true }, () =>
    tryCommit(ctx, batch),
  );
  if (!committed) throw wrongCode();
  return next.cookie;
}

function wrongCode(): AppError {
  return fault('/code', 'wrong_code', 'This code is wrong or too old.');
}

/**
 * Turns the second factor off. The session goes on under a new token.
 * @param input.session the session cookie as sent
 * @returns the value of the session cookie
 * @throws AppError `wrong_password`
 */
export async function disableSecondFactor(
  ctx: Context,
  { session, password }: { session: string | undefined; password: string },
): Promise<string> {
  const { orgId, memberId } = requireRole(ctx, ROLES);
  await assertWithinLimit(ctx.limits.signIn, `member ${memberId}`);
  await assertOwnPassword(ctx, password);
  const next = await newSession(ctx, { orgId, memberId }, session);
  const at = ctx.now();
  const batch = {
    member: updateHasSecondFactor(memberId, false, at),
    factor: deleteSecondFactorOf(memberId),
    session: next.writes,
    audit: recordAudit(ctx, { orgId, action: 'member.second_factor_disabled', entityId: memberId }),
  };
  await noting(ctx, { orgId, kind: 'second_factor', id: memberId, at, is_on: false }, () => commit(ctx, batch));
  return next.cookie;
}
