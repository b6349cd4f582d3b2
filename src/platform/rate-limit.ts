import type { Context } from './context';
import { AppError } from './errors';

/** The period of every limiter in wrangler.toml, and so the longest wait. */
const PERIOD_SECONDS = 60;

/**
 * Counts one call against a limiter of the Workers platform. Counters stand per location and are approximate: a
 * brake against abuse, not a lock.
 * @throws AppError `rate_limited` with Retry-After
 */
export async function assertWithinLimit(limiter: RateLimit, key: string): Promise<void> {
  const { success } = await limiter.limit({ key });
  if (!success) throw rateLimited(PERIOD_SECONDS);
}

/**
 * The platform's limiter only counts, and failures are known after the reads they cost. So an address that went over
 * its limit of failures is remembered here for a while and turned away before the next read.
 */
const COOLING_MS = 10_000;
const COOLING_ADDRESSES_MAX = 1_000;
const coolingUntil = new Map<string, number>();

/** Who calls, as the edge saw it; a client cannot set this header there. All local callers are one. */
export function callerAddress(request: Request): string {
  return request.headers.get('CF-Connecting-IP') ?? 'local';
}

/** @throws AppError `rate_limited` while the address has failed too often */
export function assertNotCooling(ctx: Context, address: string): void {
  const until = coolingUntil.get(address) ?? 0;
  if (until > ctx.now()) throw rateLimited(Math.ceil((until - ctx.now()) / 1000));
}

/** Counts a failed authentication of an address. @throws AppError `rate_limited` once there are too many */
export async function countFailedAuth(ctx: Context, address: string): Promise<void> {
  const { success } = await ctx.limits.failedAuth.limit({ key: address });
  if (success) return;
  if (coolingUntil.size >= COOLING_ADDRESSES_MAX) coolingUntil.clear();
  coolingUntil.set(address, ctx.now() + COOLING_MS);
  throw rateLimited(PERIOD_SECONDS);
}

function rateLimited(seconds: number): AppError {
  return new AppError('rate_limited', 'rate_limited', 'Too many requests. Wait as long as Retry-After says.', {
    headers: { 'Retry-After': String(seconds) },
  });
}
