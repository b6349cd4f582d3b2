import type { KeyLimiter } from '../config';
import type { Context } from '../context';
import { AppError } from '../errors';
import { callerOf, networkOf } from './address';

/** The period of every limiter in wrangler.toml, and so the longest wait. */
const PERIOD_SECONDS = 60;

/**
 * Counts one call against a limiter of the Workers platform. Counters are kept per location and are approximate: they
 * slow abuse down, but are no exact limit.
 * @param policy headers that tell the limit
 * @throws AppError `rate_limited` with Retry-After
 */
export async function assertWithinLimit(
  limiter: RateLimit,
  key: string,
  policy?: Record<string, string>,
): Promise<void> {
  const { success } = await limiter.limit({ key });
  if (!success) throw rateLimited(PERIOD_SECONDS, policy);
}

/** How many calls a key may make in how many seconds, as draft-ietf-httpapi-ratelimit-headers writes it. */
export function policyOf({ config }: Context, name: KeyLimiter): { 'RateLimit-Policy': string } {
  return { 'RateLimit-Policy': `"${name}";q=${config.requestsPerMinute[name]};w=${PERIOD_SECONDS}` };
}

/**
 * The caller's address, as Cloudflare saw it: an IPv4 address or the /64 of an IPv6 address (`platform/http/address.ts`).
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
const COOLING_MS: Readonly<Record<FailureKind, number>> = { auth: 10_000, sign_in: PERIOD_SECONDS * 1000 };
const COOLING_MAX = 1_000;
/** Oldest first: a Map keeps the order of insertion. Values are epoch ms. */
const coolingUntil = new Map<string, number>();

/** Whether one of these counters went over its limit a short time ago, as far as this isolate knows. */
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
  const over = (await count(ctx, kind, who)).filter(({ success }) => !success);
  coolOver(ctx, kind, over);
}

/** @throws AppError `rate_limited` if any counter is over its limit */
function coolOver(ctx: Context, kind: FailureKind, over: readonly { key: string }[]): void {
  for (const { key } of over) remember(coolingUntil, key, ctx.now() + COOLING_MS[kind]);
  if (over.length > 0) throw rateLimited(PERIOD_SECONDS);
}

/**
 * Counts an attempt before it is known how it ends, so that attempts at the same moment are limited too. One that did not fail
 * is given back: the isolate then lets another one pass of what the platform's limiter, which only counts, would refuse.
 * @returns gives it back, for some of the counters or all
 * @throws AppError `rate_limited` when one of the counters is at its limit; they are then cooling
 */
export async function countAttempt(ctx: Context, kind: FailureKind, who: Failed): Promise<(who?: Failed) => void> {
  const until = ctx.now() + PERIOD_SECONDS * 1000;
  const over = (await count(ctx, kind, who)).filter(({ key, success }) => !success && !takeGivenBack(key, ctx.now()));
  coolOver(ctx, kind, over);
  return (some = who) => {
    for (const { key } of countersOf(ctx, kind, some)) giveBack(`${kind} ${key}`, until);
  };
}

/** Asks every limiter, each of which counts. */
function count(ctx: Context, kind: FailureKind, who: Failed): Promise<{ key: string; success: boolean }[]> {
  return Promise.all(
    countersOf(ctx, kind, who).map(async ({ limiter, key }) => {
      return { key: `${kind} ${key}`, ...(await limiter.limit({ key })) };
    }),
  );
}

/** When each of the attempts that were given back leaves the platform's count, epoch ms; oldest key first. */
const givenBack = new Map<string, number[]>();
const GIVEN_BACK_MAX = 100;

function giveBack(key: string, until: number): void {
  const kept = [...(givenBack.get(key) ?? []), until].slice(-GIVEN_BACK_MAX);
  remember(givenBack, key, kept);
  coolingUntil.delete(key);
}

function takeGivenBack(key: string, now: number): boolean {
  const [next, ...left] = (givenBack.get(key) ?? []).filter((until) => until > now);
  if (next === undefined) return false;
  givenBack.set(key, left);
  return true;
}

function countersOf({ limits }: Context, kind: FailureKind, { address, also = [] }: Failed) {
  const [each, network] =
    kind === 'auth' ? [limits.failedAuth, limits.failedAuthNetwork] : [limits.signIn, limits.signInNetwork];
  const around = address === undefined ? null : networkOf(address);
  const keys = address === undefined ? also : [address, ...also];
  const counters = keys.map((key) => ({ limiter: each, key }));
  return around === null ? counters : [...counters, { limiter: network, key: around }];
}

function coolingMs(ctx: Context, kind: FailureKind, who: Failed): number {
  if (coolingUntil.size === 0) return 0;
  const until = countersOf(ctx, kind, who).map(({ key }) => coolingUntil.get(`${kind} ${key}`) ?? 0);
  return Math.max(0, ...until) - ctx.now();
}

/** The memory is bounded: the oldest entry is removed, which is the one that would end first. */
function remember<T>(memory: Map<string, T>, key: string, value: T): void {
  memory.delete(key);
  const [oldest] = memory.keys();
  if (memory.size >= COOLING_MAX && oldest !== undefined) memory.delete(oldest);
  memory.set(key, value);
}

/** @param seconds how long to wait, sent as Retry-After (RFC 9110 §10.2.3) */
export function rateLimited(seconds: number, policy: Record<string, string> = {}): AppError {
  return new AppError('rate_limited', 'Too many requests. Wait as long as Retry-After says.', {
    headers: { 'Retry-After': String(seconds), ...policy },
  });
}
