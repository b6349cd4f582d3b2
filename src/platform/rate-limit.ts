import { callerOf, networkOf } from './address';
import type { Context } from './context';
import { AppError } from './errors';

/** The period of every limiter in wrangler.toml, and so the longest wait. */
const PERIOD_SECONDS = 60;

/**
 * Counts one call against a limiter of the Workers platform. Counters are kept per location and are approximate: they
 * slow abuse down, but are no exact limit.
 * @throws AppError `rate_limited` with Retry-After
 */
export async function assertWithinLimit(limiter: RateLimit, key: string): Promise<void> {
  const { success } = await limiter.limit({ key });
  if (!success) throw rateLimited(PERIOD_SECONDS);
}

/**
 * The caller's address, as Cloudflare saw it: an IPv4 address or the /64 of an IPv6 address (`platform/address.ts`).
 * Clients cannot set this header there. All local callers count as one.
 */
export function callerAddress(request: Request): string {
  const address = request.headers.get('CF-Connecting-IP');
  return address === null ? 'local' : (callerOf(address) ?? 'unreadable');
}

/** What fails: an API key or token, or a person's sign-in. Each kind has its own limiters and its own memory. */
export type FailureKind = 'auth' | 'sign_in';

/** The caller that a failure is counted for. */
export interface Failed {
  /** As `callerAddress` returns it. For IPv6 the /48 around it is counted too, with eight times the limit. */
  address?: string;
  /**
   * Further counters with the limit of an address, for example `account <hash> <address>`. Never logged, but kept in
   * memory.
   */
  also?: readonly string[];
}

/**
 * The platform's limiter only counts, and a failure is known only after the work was done. So a caller that went over a
 * limit of failures is remembered here for a while ("cooling"). The caller of this module decides what is refused
 * during that time; a valid key or a right password must never be refused because of failures of strangers at the same
 * address.
 */
const COOLING_MS = 10_000;
const COOLING_MAX = 1_000;
/** Oldest first: a Map keeps the order of insertion. Values are epoch ms. */
const coolingUntil = new Map<string, number>();

/** Whether one of these counters went over its limit in the last ten seconds, as far as this isolate knows. */
export function isCooling(ctx: Context, kind: FailureKind, who: Failed): boolean {
  return coolingMs(ctx, kind, who) > 0;
}

/** @throws AppError `rate_limited` while one of these counters is cooling */
export function assertNotCooling(ctx: Context, kind: FailureKind, who: Failed): void {
  const ms = coolingMs(ctx, kind, who);
  if (ms > 0) throw rateLimited(Math.ceil(ms / 1000));
}

/**
 * Counts a failure for an address, the /48 around it and each further key.
 * @throws AppError `rate_limited` once one of them failed too often; they are then cooling
 */
export async function countFailure(ctx: Context, kind: FailureKind, who: Failed): Promise<void> {
  const counted = await Promise.all(
    countersOf(ctx, kind, who).map(async ({ limiter, key }) => ({ key, ...(await limiter.limit({ key })) })),
  );
  const over = counted.filter(({ success }) => !success);
  for (const { key } of over) cool(`${kind} ${key}`, ctx.now() + COOLING_MS);
  if (over.length > 0) throw rateLimited(PERIOD_SECONDS);
}

interface Counter {
  limiter: RateLimit;
  key: string;
}

function countersOf(ctx: Context, kind: FailureKind, { address, also = [] }: Failed): Counter[] {
  const { each, network } = limitersOf(ctx, kind);
  const around = address === undefined ? null : networkOf(address);
  const keys = address === undefined ? also : [address, ...also];
  return [
    ...keys.map((key) => ({ limiter: each, key })),
    ...(around === null ? [] : [{ limiter: network, key: around }]),
  ];
}

function limitersOf({ limits }: Context, kind: FailureKind): { each: RateLimit; network: RateLimit } {
  return kind === 'auth'
    ? { each: limits.failedAuth, network: limits.failedAuthNetwork }
    : { each: limits.signIn, network: limits.signInNetwork };
}

function coolingMs(ctx: Context, kind: FailureKind, who: Failed): number {
  if (coolingUntil.size === 0) return 0;
  const until = countersOf(ctx, kind, who).map(({ key }) => coolingUntil.get(`${kind} ${key}`) ?? 0);
  return Math.max(0, ...until) - ctx.now();
}

/** The memory is bounded: the oldest entry is removed, which is the one that would end first. */
function cool(key: string, until: number): void {
  coolingUntil.delete(key);
  const [oldest] = coolingUntil.keys();
  if (coolingUntil.size >= COOLING_MAX && oldest !== undefined) coolingUntil.delete(oldest);
  coolingUntil.set(key, until);
}

/** @param seconds how long to wait, sent as Retry-After (RFC 9110 §10.2.3) */
export function rateLimited(seconds: number): AppError {
  return new AppError('rate_limited', 'Too many requests. Wait as long as Retry-After says.', {
    headers: { 'Retry-After': String(seconds) },
  });
}
