import * as z from 'zod';

/**
 * Stands in for what better-auth takes in whole and this service never uses: signing in through thirty-five other
 * companies, linking accounts of theirs, a page for errors of that, sending usage figures, and keeping rows in memory.
 * It would be a twentieth of the bundle (wrangler.toml, `alias`).
 */
export const socialProviders = {};
export const SocialProviderListEnum = z.never();

export async function createTelemetry() {
  return { publish: async () => undefined };
}

/** Would keep rows in memory, had staff.ts not given a database. */
export const memoryAdapter = notUsed;
export const applyUpdateUserInfoOnLink = notUsed;
export const handleOAuthUserInfo = notUsed;
export const linkOAuthAccount = notUsed;
/** Has no path, so no router finds it. */
export const error = notUsed;

function notUsed(): never {
  throw new Error('a part of better-auth that this service does not have');
}
