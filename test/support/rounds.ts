import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    isProof: boolean;
    isAll: boolean;
  }
}

/** How often something is tried: `few` times by `npm test`, `many` times by `npm run proof`, `most` times by `npm run proof -- --all`. */
export function rounds<T>(few: T, many: T, most: T = many): T {
  if (inject('isAll')) return most;
  return inject('isProof') ? many : few;
}
