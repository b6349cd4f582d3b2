import * as z from 'zod';

/**
 * Replaces modules of better-auth that this service never uses (wrangler.toml, `alias`); they would be a tenth of the
 * bundle. A name that better-auth calls while it starts answers "there is none"; every other one throws, so that a path
 * that reaches one after all fails at once instead of half working.
 */
function notUsed(): never {
  throw new Error('a part of better-auth that this service does not have');
}

// Sign-in through other companies, and the linking of such accounts.
export const socialProviders = {};
export const SocialProviderListEnum = z.never();
export const additionalAuthorizationParamsSchema = z.never();
export const supportsIdTokenSignIn = notUsed;
export const verifyProviderIdToken = notUsed;
export const applyUpdateUserInfoOnLink = notUsed;
export const handleOAuthUserInfo = notUsed;
export const linkOAuthAccount = notUsed;
export const generateIdTokenNonce = notUsed;
export const generateState = notUsed;
export const parseState = notUsed;

// Usage statistics, and a check of the tables that only its own adapters register.
export const createTelemetry = async () => ({ publish: async () => undefined });
export const schemaCheckFor = () => undefined;
export const runtimeSchemaCheckFor = () => undefined;
export class SchemaMismatchError extends Error {}

/** Called only when better-auth has no database; better-auth.ts always passes one. */
export const memoryAdapter = notUsed;

// Deletes and increments for an adapter that has none, and the colors of a log that is off.
export const createAtomicFallbacks = () => ({ consumeOne: notUsed, incrementOne: notUsed });
export const getColorDepth = () => 1;

// Its HTTP side: only its functions are called, so it needs neither router nor limiter.
export const createRouter = notUsed;
export const onRequestRateLimit = notUsed;

// Its endpoints for what this service does itself or not at all: each is a function that throws. None has a path.
export const error = notUsed;
export const ok = notUsed;
export const accountInfo = notUsed;
export const getAccessToken = notUsed;
export const linkSocialAccount = notUsed;
export const listUserAccounts = notUsed;
export const refreshToken = notUsed;
export const unlinkAccount = notUsed;
export const callbackOAuth = notUsed;
export const createEmailVerificationToken = notUsed;
export const sendVerificationEmail = notUsed;
export const sendVerificationEmailFn = notUsed;
export const verifyEmail = notUsed;
export const requestPasswordReset = notUsed;
export const requestPasswordResetCallback = notUsed;
export const resetPassword = notUsed;
export const verifyPassword = notUsed;
// Its own hashing, instead of which password.ts is passed.
export const hashPassword = notUsed;
export const signUpEmail = () => notUsed;
export const updateSession = () => notUsed;
/** One-time codes by mail; the second factor is an app's code or a backup code. */
export const otp2fa = () => ({ id: 'otp', endpoints: {} });

// Checks of where a form comes from, which pass without a request, and none is passed: http/csrf.ts has checked the form before.
const passes = async () => ({});
export const formCsrfMiddleware = passes;
export const originCheckMiddleware = passes;
export const originCheck = () => passes;

// Sessions and accounts kept in signed or encrypted cookies: ours are rows.
export const signJWT = notUsed;
export const verifyJWT = notUsed;
export const symmetricDecodeJWT = notUsed;
export const symmetricEncodeJWT = notUsed;
export const verifySessionCookieJwtWithJwks = notUsed;
