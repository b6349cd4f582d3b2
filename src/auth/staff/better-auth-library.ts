/**
 * What this service takes from better-auth. Imported by `import()` alone: evaluating better-auth is a fifth of what an isolate
 * does before its first request, and most requests need nothing of it (test/node/bundle.test.ts).
 */
export { createAdapterFactory } from 'better-auth/adapters';
export { symmetricDecrypt } from 'better-auth/crypto';
export { betterAuth } from 'better-auth/minimal';
export { twoFactor } from 'better-auth/plugins/two-factor';
