import type { Context } from '../../platform/context';
import { isGuardFailure } from '../../platform/db';
import { newId } from '../../platform/ids';
import { HOUR_SECONDS } from '../../platform/time';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../limits';
import { type StaffWork, staffAdapter } from './adapter';
import { hashPassword, isPasswordOf } from './password';

/** better-auth, evaluated on its first use in the isolate. */
const openLibrary = () => import('./better-auth-library');
type Library = Awaited<ReturnType<typeof openLibrary>>;

/** A working day; after that everybody signs in again. */
const SESSION_SECONDS = 12 * HOUR_SECONDS;
const SECOND_FACTOR_SECONDS = 10 * 60;

/**
 * better-auth for one request: it holds objects of the request, which must not outlive it. It serves no routes: only
 * its API is called.
 */
function openStaffAuth({ betterAuth, twoFactor, createAdapterFactory }: Library, ctx: Context, work?: StaffWork) {
  const { isDevelopment, baseUrl, authSecret } = ctx.config;
  return betterAuth({
    appName: 'Offizin',
    baseURL: baseUrl,
    secret: authSecret,
    database: staffAdapter(createAdapterFactory, ctx, work),
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
      // The `__Host-` prefix (RFC 6265bis §4.1.3.2) prevents subdomains from setting the cookie; browsers accept it
      // only over https.
      useSecureCookies: false,
      cookiePrefix: cookiePrefix(isDevelopment),
      defaultCookieAttributes: { secure: !isDevelopment, httpOnly: true, sameSite: 'lax', path: '/' },
      database: { generateId: newId, joins: true },
      ipAddress: { disableIpTracking: true },
    },
  });
}

export type StaffApi = ReturnType<typeof openStaffAuth>['api'];

/**
 * Calls better-auth. It converts or ignores errors of the database, so that a database that cannot be reached would
 * look like a wrong password. Therefore the first such error is kept, and thrown unchanged.
 */
export async function withBetterAuth<T>(
  ctx: Context,
  ask: (api: StaffApi) => Promise<T>,
  work?: StaffWork,
): Promise<T> {
  let failure: unknown;
  // After an error nothing is sent any more: a session must not come of what was read in part.
  const keeping = async <R>(send: () => Promise<R>): Promise<R> => {
    if (failure !== undefined) throw failure;
    try {
      return await send();
    } catch (error) {
      failure ??= error;
      throw error;
    }
  };
  const { db } = ctx;
  const watched: Context['db'] = {
    ...db,
    run: (statements) => keeping(() => db.run(statements)),
    batch: (statements) => keeping(() => db.batch(statements)),
  };
  try {
    const library = await openLibrary();
    const answer = await ask(openStaffAuth(library, { ...ctx, db: watched }, work).api);
    if (failure !== undefined) throw failure;
    return answer;
  } catch (error) {
    throw failure ?? error;
  }
}

/** Whether this is how better-auth refuses. It gives all these errors this name; its own check would need the library. */
export function isAPIError(error: unknown): error is Error & { body?: { code?: string } } {
  return error instanceof Error && error.name === 'APIError';
}

/** Whether better-auth refused, or its batch was undone by a condition that this service added to it. */
export function isRefusal(error: unknown): boolean {
  return isAPIError(error) || isGuardFailure(error);
}

/** What better-auth has encrypted with the deployment's secret. */
export async function decryptSecret(ctx: Context, data: string): Promise<string> {
  const { symmetricDecrypt } = await openLibrary();
  return symmetricDecrypt({ key: ctx.config.authSecret, data });
}

/** The name of the cookie that holds a session. */
export function sessionCookieName(config: { isDevelopment: boolean }): string {
  return `${cookiePrefix(config.isDevelopment)}.session_token`;
}

function cookiePrefix(isDevelopment: boolean): string {
  return isDevelopment ? 'offizin' : '__Host-offizin';
}
