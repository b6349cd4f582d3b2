import * as z from 'zod';

/**
 * Replaces modules of better-auth that this service never uses: sign-in through 35 other companies, linking of such
 * accounts, its error page, usage statistics and storage in memory. They would be a twentieth of the bundle
 * (wrangler.toml, `alias`).
 */
export const socialProviders = {};
export const SocialProviderListEnum = z.never();

export async function createTelemetry() {
  return { publish: async () => undefined };
}

/** Called only when better-auth has no database; better-auth.ts always passes one. */
export const memoryAdapter = notUsed;
export const applyUpdateUserInfoOnLink = notUsed;
export const handleOAuthUserInfo = notUsed;
export const linkOAuthAccount = notUsed;
/** Without a path, so the router never finds it. */
export const error = notUsed;

function notUsed(): never {
  throw new Error('a part of better-auth that this service does not have');
}
