import { isAPIError } from 'better-auth/api';
import { recordAudit } from '../audit/record';
import { ROLES, type Role } from '../platform/access';
import { type Actor, actingAs, type Context } from '../platform/context';
import { isGuardFailure, mustHold, type Statement } from '../platform/db';
import { AppError } from '../platform/errors';
import { assertWithinLimit } from '../platform/rate-limit';
import { askStaffAuth } from './staff';
import type { Cookies } from './staff-account';
import type { Alongside, Seen } from './staff-adapter';
import { CODE, claimCode } from './staff-code';
import { PASSWORD_LENGTH_MAX } from './staff-password';
import { isPasswordStill } from './store-resets';
import type { StaffRow } from './store-staff';

export interface StaffSession {
  actor: Extract<Actor, { kind: 'staff' }>;
  email: string;
  name: string;
  role: Role;
  organizationName: string;
  hasSecondFactor: boolean;
}

/**
 * Who a session's cookie speaks for, read anew at each request: one round trip, and none without a cookie that we
 * signed. Null for whoever is not signed in, was revoked, or whose session ran out or was ended.
 * @param alongside read in the same round trip
 */
export async function findSession(ctx: Context, headers: Headers, alongside?: Alongside): Promise<StaffSession | null> {
  const found = await askStaffAuth(ctx, (api) => api.getSession({ headers }), { alongside });
  if (!found) return null;
  const { id, email, name, orgId, role, organizationName, twoFactorEnabled } = found.user;
  if (!isRole(role)) throw new Error('no such role');
  return {
    actor: { kind: 'staff', memberId: id, orgId, role },
    email,
    name,
    role,
    organizationName,
    hasSecondFactor: twoFactorEnabled === true,
  };
}

export type SignIn =
  | { outcome: 'signed_in' | 'second_factor'; cookies: Cookies }
  /** Unknown address, wrong password, revoked, not accepted yet: one answer, after the same work. */
  | { outcome: 'refused' };

/**
 * Signs in by password; with a second factor that is half the way. Counted before the password is hashed: hashing is
 * what an attacker would make us do.
 * @throws AppError `rate_limited`
 */
export async function signIn(
  ctx: Context,
  input: { headers: Headers; email: string; password: string; address: string },
): Promise<SignIn> {
  await assertWithinLimit(ctx.limits.signIn, `address ${input.address}`);
  await assertWithinLimit(ctx.limits.signIn, `email ${input.email.toLowerCase()}`);
  // A hash of any length of text is work: what cannot be a password is refused without it, for every address alike.
  if (input.password.length > PASSWORD_LENGTH_MAX) return { outcome: 'refused' };
  try {
    const { headers, response } = await askStaffAuth(
      ctx,
      (api) =>
        api.signInEmail({
          headers: input.headers,
          body: { email: input.email, password: input.password },
          returnHeaders: true,
        }),
      { withSession: async (seen) => unlessChanged(ctx, seen) },
    );
    const outcome = 'twoFactorRedirect' in response ? 'second_factor' : 'signed_in';
    return { outcome, cookies: headers.getSetCookie() };
  } catch (error) {
    if (isAPIError(error) || isGuardFailure(error)) return { outcome: 'refused' };
    throw error;
  }
}

/** No session by a password that was changed while it was checked. Half a sign-in is none yet, so it is not recorded. */
function unlessChanged(ctx: Context, seen: Seen): Statement[] {
  const { memberId } = whoOf(seen);
  // SAFETY: better-auth reads the person with the account, and a session is made by its password.
  const [account] = (seen.user?.account ?? []) as StaffRow[];
  const guard = mustHold(ctx.db, isPasswordStill(memberId, String(account?.password)));
  return seen.user?.twoFactorEnabled ? [guard] : [guard, recordSignIn(ctx, seen)];
}

function recordSignIn(ctx: Context, seen: Seen, reasonCode?: string): Statement {
  return record(ctx, seen, 'member.signed_in', reasonCode);
}

function record(ctx: Context, seen: Seen, action: string, reasonCode?: string): Statement {
  const { orgId, memberId, role } = whoOf(seen);
  const acting = actingAs(ctx, { kind: 'staff', orgId, memberId, role });
  return recordAudit(acting, { orgId, action, entityId: memberId, reasonCode });
}

function whoOf({ user }: Seen): { orgId: string; memberId: string; role: Role } {
  if (!user || !isRole(user.role)) throw new Error('no person was read');
  return { orgId: String(user.orgId), memberId: String(user.id), role: user.role };
}

/**
 * The second half of a sign-in: a code of the app, or one of the recovery codes.
 * @returns null when the code is wrong or was used before, or the first half is too long ago
 * @throws AppError `rate_limited`, also after ten wrong codes in a row for this person
 */
export async function verifySecondFactor(
  ctx: Context,
  input: { headers: Headers; code: string; address: string },
): Promise<Cookies | null> {
  await assertWithinLimit(ctx.limits.signIn, `address ${input.address}`);
  const asked = { headers: input.headers, body: { code: input.code }, returnHeaders: true } as const;
  try {
    const isCode = CODE.test(input.code);
    const { headers } = await askStaffAuth(
      ctx,
      (api) => (isCode ? api.verifyTOTP(asked) : api.verifyBackupCode(asked)),
      {
        withSession: async (seen) =>
          isCode
            ? [...(await claimCode(ctx, seen.twoFactor, input.code)), recordSignIn(ctx, seen, 'second_factor')]
            : [recordSignIn(ctx, seen, 'recovery_code')],
        withLock: (seen) => [record(ctx, seen, 'member.second_factor_locked')],
      },
    );
    return headers.getSetCookie();
  } catch (error) {
    if (isGuardFailure(error)) return null;
    if (!isAPIError(error)) throw error;
    if (error.body?.code === 'ACCOUNT_TEMPORARILY_LOCKED') throw locked();
    return null;
  }
}

/** Ends the session of the cookie. @returns cookies that take it away */
export async function signOut(ctx: Context, headers: Headers): Promise<Cookies> {
  const answer = await askStaffAuth(ctx, (api) => api.signOut({ headers, returnHeaders: true }));
  return answer.headers.getSetCookie();
}

const LOCKED_SECONDS = 900;

function locked(): AppError {
  return new AppError('rate_limited', 'rate_limited', 'Too many wrong codes. Wait a quarter of an hour.', {
    headers: { 'Retry-After': String(LOCKED_SECONDS) },
  });
}

function isRole(role: unknown): role is Role {
  return ROLES.some((known) => known === role);
}
