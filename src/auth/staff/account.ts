import { type AuditAction, recordAudit } from '../../audit/record';
import { ROLES, requireRole } from '../../platform/access';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { assertInBatch, type Statement } from '../../platform/db';
import { AppError, invalidInput } from '../../platform/errors';
import { assertWithinLimit } from '../../platform/rate-limit';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../limits';
import { isAPIError, isRefusal, withBetterAuth } from './better-auth';
import { claimCode } from './code';
import { type About, weaknessOf } from './password-rules';
import { RECIPE_TRIES_MAX, recipeFor } from './people';
import { deleteSessionsOf } from './store-members';
import { selectPasswordElsewhere, sharesRecipe } from './store-memberships';
import { deleteResetOf } from './store-resets';

/** Cookies for the browser, as `Set-Cookie` values. */
export type Cookies = string[];

export interface NewPassword {
  headers: Headers;
  current: string;
  next: string;
  /** The person whose password this is: their name and address must not be part of it. */
  about: About;
}

/**
 * Changes the password of this membership. Passwords of other memberships of the same address do not change. Every
 * session except the current one ends, and the current one gets a new token; an open link to reset the password ends
 * too.
 * @throws AppError `wrong_password`, `validation_failed`, `rate_limited`
 */
export async function changePassword(ctx: Context, input: NewPassword): Promise<Cookies> {
  const { memberId } = requireRole(ctx, ROLES);
  assertGoodPassword(input.next, input.about, '/next');
  await assertWithinLimit(ctx.limits.signIn, `member ${memberId}`);
  return retryOnConflict(ctx, () => changeOnce(ctx, memberId, input), RECIPE_TRIES_MAX);
}

async function changeOnce(ctx: Context, memberId: string, { headers, current, next, about }: NewPassword) {
  const { elsewhere } = await ctx.db.run({ elsewhere: selectPasswordElsewhere(memberId) });
  const recipe = await recipeFor(ctx, about.email, elsewhere[0]?.password ?? null);
  const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true };
  const work = {
    recipe,
    withPassword: () => [assertInBatch(sharesRecipe(about.email, memberId, recipe))],
    withSession: async () => [recordOwn(ctx, 'member.password_changed'), deleteResetOf(memberId)],
  };
  const answer = withBetterAuth(ctx, (api) => api.changePassword({ headers, body, returnHeaders: true }), work);
  return (await unlessWrongPassword(answer, '/current')).headers.getSetCookie();
}

/** Ends every session of the person, including this one. */
export async function signOutEverywhere(ctx: Context): Promise<void> {
  const { orgId, memberId } = requireRole(ctx, ROLES);
  await commit(ctx, {
    sessions: deleteSessionsOf(memberId),
    audit: recordAudit(ctx, { orgId, action: 'member.signed_out_everywhere', entityId: memberId }),
  });
}

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
  input: { headers: Headers; password: string },
): Promise<SecondFactorStart> {
  const actor = requireRole(ctx, ROLES);
  await assertWithinLimit(ctx.limits.signIn, `member ${actor.memberId}`);
  const { headers, password } = input;
  const ask = () => withBetterAuth(ctx, (api) => api.enableTwoFactor({ headers, body: { password } }));
  // When two requests start at the same moment, one fails because the other's row exists already. Trying again replaces
  // that row.
  const asked = retryOnConflict(ctx, ask, RECIPE_TRIES_MAX);
  const started = await unlessWrongPassword(asked, '/password').catch((error) => {
    throw isOnAlready(error) ? secondFactorOn() : error;
  });
  if (started.method !== 'totp') throw new Error('not the method that was asked for');
  const secret = new URL(started.totpURI).searchParams.get('secret') ?? '';
  return { uri: started.totpURI, secret, recoveryCodes: started.backupCodes };
}

/** @throws AppError `wrong_code` */
export async function confirmSecondFactor(ctx: Context, input: { headers: Headers; code: string }): Promise<Cookies> {
  const actor = requireRole(ctx, ROLES);
  await assertWithinLimit(ctx.limits.signIn, `member ${actor.memberId}`);
  try {
    const { headers } = await withBetterAuth(
      ctx,
      (api) => api.verifyTOTP({ headers: input.headers, body: { code: input.code }, returnHeaders: true }),
      {
        withSession: async (seen) => [
          ...(await claimCode(ctx, seen.twoFactor, input.code)),
          recordOwn(ctx, 'member.second_factor_enabled'),
        ],
      },
    );
    return headers.getSetCookie();
  } catch (error) {
    throw isRefusal(error) ? fault('/code', 'wrong_code', 'This code is wrong or too old.') : error;
  }
}

/** @throws AppError `wrong_password` */
export async function disableSecondFactor(
  ctx: Context,
  input: { headers: Headers; password: string },
): Promise<Cookies> {
  const actor = requireRole(ctx, ROLES);
  await assertWithinLimit(ctx.limits.signIn, `member ${actor.memberId}`);
  const { headers } = await unlessWrongPassword(
    withBetterAuth(
      ctx,
      (api) =>
        api.disableTwoFactor({ headers: input.headers, body: { password: input.password }, returnHeaders: true }),
      { withSession: async () => [recordOwn(ctx, 'member.second_factor_disabled')] },
    ),
    '/password',
  );
  return headers.getSetCookie();
}

/** @throws AppError that points to the field and has the kind of weakness as its code (password-rules.ts) */
export function assertGoodPassword(password: string, about: About, pointer = '/password'): void {
  const length = [...password].length;
  if (length < PASSWORD_LENGTH_MIN) throw fault(pointer, 'password_too_short', `At least ${PASSWORD_LENGTH_MIN}.`);
  if (password.length > PASSWORD_LENGTH_MAX)
    throw fault(pointer, 'password_too_long', `At most ${PASSWORD_LENGTH_MAX}.`);
  const weakness = weaknessOf(password, about);
  if (weakness)
    throw fault(pointer, weakness, 'Too easy to guess. Use several words that have nothing to do with you.');
}

function isOnAlready(error: unknown): boolean {
  return isAPIError(error) && error.body?.code === 'TOTP_ALREADY_ENABLED';
}

function secondFactorOn(): AppError {
  return new AppError('second_factor_on', 'The second factor is already on. Turn it off first.');
}

function fault(pointer: string, code: string, message: string) {
  return invalidInput([{ pointer, code, message }]);
}

/** A password that nobody can have is as wrong as any other. New ones are checked before (`assertGoodPassword`). */
const WRONG_PASSWORD = ['INVALID_PASSWORD', 'PASSWORD_TOO_LONG'];

async function unlessWrongPassword<T>(answer: Promise<T>, pointer: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (isAPIError(error) && WRONG_PASSWORD.includes(error.body?.code ?? '')) {
      throw fault(pointer, 'wrong_password', 'This is not your password.');
    }
    throw error;
  }
}

/** Each of these actions creates a new session, so the audit row is written in the batch that inserts the session. */
function recordOwn(ctx: Context, action: AuditAction): Statement {
  const { orgId, memberId } = requireRole(ctx, ROLES);
  return recordAudit(ctx, { orgId, action, entityId: memberId });
}
