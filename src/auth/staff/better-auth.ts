import { isAPIError } from 'better-auth/api';
import { betterAuth } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { Context } from '../../platform/context';
import { isGuardFailure } from '../../platform/db';
import { newId } from '../../platform/ids';
import { HOUR_SECONDS } from '../../platform/time';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../limits';
import { type StaffWork, staffAdapter } from './adapter';
import { hashPassword, isPasswordOf } from './password';

/** A working day; then everybody signs in anew. */
const SESSION_SECONDS = 12 * HOUR_SECONDS;
const SECOND_FACTOR_SECONDS = 10 * 60;

/** better-auth for one request: what it holds of a request must not outlive it. Never on the network: only its API is called. */
function openStaffAuth(ctx: Context, work?: StaffWork) {
  const { isDevelopment, baseUrl, authSecret } = ctx.config;
  return betterAuth({
    appName: 'Offizin',
    baseURL: baseUrl,
    secret: authSecret,
    database: staffAdapter(ctx, work),
    logger: { disabled: true },
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH_MIN,
      maxPasswordLength: PASSWORD_LENGTH_MAX,
      password: {
        hash: (password) => hashPassword(password, work?.recipe ?? ''),
        verify: async ({ password, hash }) => work?.proven === hash || isPasswordOf(password, hash),
      },
    },
    session: { expiresIn: SESSION_SECONDS, disableSessionRefresh: true },
    user: {
      fields: { createdAt: 'invitedAt' },
      additionalFields: {
        orgId: { type: 'string', input: false },
        role: { type: 'string', input: false },
        organizationName: { type: 'string', input: false },
      },
    },
    plugins: [twoFactor({ issuer: 'Offizin', twoFactorCookieMaxAge: SECOND_FACTOR_SECONDS })],
    advanced: {
      // `__Host-` (RFC 6265bis §4.1.3.2): no subdomain can set it; a browser takes it over https only.
      useSecureCookies: false,
      cookiePrefix: cookiePrefix(isDevelopment),
      defaultCookieAttributes: { secure: !isDevelopment, httpOnly: true, sameSite: 'lax', path: '/' },
      database: { generateId: newId, joins: true },
      ipAddress: { disableIpTracking: true },
    },
  });
}

type StaffApi = ReturnType<typeof openStaffAuth>['api'];

/**
 * Asks better-auth. It turns what the database throws into errors of its own, or passes over it: a storage that cannot
 * be reached would look like a wrong password. So the first such failure is kept and thrown as it was.
 */
export async function withBetterAuth<T>(
  ctx: Context,
  ask: (api: StaffApi) => Promise<T>,
  work?: StaffWork,
): Promise<T> {
  let failure: unknown;
  const run: Context['db']['run'] = async (statements) => {
    try {
      return await ctx.db.run(statements);
    } catch (error) {
      failure ??= error;
      throw error;
    }
  };
  try {
    const answer = await ask(openStaffAuth({ ...ctx, db: { ...ctx.db, run } }, work).api);
    if (failure !== undefined) throw failure;
    return answer;
  } catch (error) {
    throw failure ?? error;
  }
}

/** better-auth said no, or its batch was undone by a guard of ours in it. */
export function isRefusal(error: unknown): boolean {
  return isAPIError(error) || isGuardFailure(error);
}

/** The name of the cookie that holds a session. */
export function sessionCookieName(config: { isDevelopment: boolean }): string {
  return `${cookiePrefix(config.isDevelopment)}.session_token`;
}

function cookiePrefix(isDevelopment: boolean): string {
  return isDevelopment ? 'offizin' : '__Host-offizin';
}
