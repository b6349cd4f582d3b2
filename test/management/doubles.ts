import { PRODUCTION } from '../support/operator';

/** A deployment over https. */
export const PRODUCTION_BASE = { base: 'https://api.offizin.example', env: PRODUCTION };

/** A limiter that decides by key, and keeps the keys that it was asked about. */
export function countingLimiter(isWithin: (key: string) => boolean): { limit: RateLimit; keys: string[] } {
  const keys: string[] = [];
  const limit = {
    limit: async ({ key }: { key: string }) => {
      keys.push(key);
      return { success: isWithin(key) };
    },
  } as unknown as RateLimit;
  return { limit, keys };
}
