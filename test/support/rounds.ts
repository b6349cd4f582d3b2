import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    isProof: boolean;
  }
}

/** How often something is tried: `few` times by `npm test`, `many` times by `npm run proof`. */
export function rounds<T>(few: T, many: T): T {
  return inject('isProof') ? many : few;
}
