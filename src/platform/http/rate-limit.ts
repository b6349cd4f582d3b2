import type { KeyLimiter } from '../config';
import type { Context } from '../context';
import { AppError } from '../errors/errors';
import { IsolateCache } from '../isolate-cache';
import { RATE_LIMIT_SECONDS } from '../limits';

/**
 * Counts one call with a limiter of the Workers platform. The counters are kept per location and are approximate. They
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
  if (!success) throw rateLimited(RATE_LIMIT_SECONDS, policy);
}

/**
 * Returns the header that tells how many requests a key may send, and in how many seconds
 * (draft-ietf-httpapi-ratelimit-headers).
 */
export function policyOf({ config }: Context, name: KeyLimiter): { 'RateLimit-Policy': string } {
  return { 'RateLimit-Policy': `"${name}";q=${config.requestsPerMinute[name]};w=${RATE_LIMIT_SECONDS}` };
}

/**
 * Returns the caller's address as Cloudflare saw it: an IPv4 address, or the /64 of an IPv6 address (`callerOf`). It
 * comes from a header that clients cannot set on Cloudflare. Without the header, the caller is local. All local callers
 * have the same address.
 */
export function callerAddress(request: Request): string {
  const address = request.headers.get('CF-Connecting-IP');
  return address === null ? 'local' : (callerOf(address) ?? 'unreadable');
}

/** The kind of failure: an API key or token (`auth`), or a sign-in. Each kind has its own limiters and memory. */
export type FailureKind = 'auth' | 'sign_in';

/** The caller for whom a failure is counted. */
export interface Failed {
  /**
   * The caller's address, as `callerAddress` returns it. Failures of an IPv6 address are also counted for the /48
   * around it. The /48 has eight times the limit.
   */
  address?: string;
  /**
   * The keys of further counters, for example `account <hash> <address>`. Each counter has the same limit as one for an
   * address. The keys are never logged, but they are kept in memory.
   */
  also?: readonly string[];
}

/**
 * For how long a counter is "cooling" after it went over its limit, in ms. Only the work of a call shows whether the
 * call fails. Cloudflare's limiter therefore counts a failure too late to refuse the same call. The caller of this
 * module decides which calls it refuses while a counter is cooling. A valid key or password must never be refused
 * because strangers at the same address failed.
 */
const COOLING_MS: Readonly<Record<FailureKind, number>> = { auth: 10_000, sign_in: RATE_LIMIT_SECONDS * 1000 };
const KEYS_MAX = 1_000;
/** The time until which each counter is cooling, epoch ms. */
const coolingUntil = new IsolateCache<number>(KEYS_MAX);

/** Whether one of the caller's counters is cooling, as far as this isolate knows. */
export function isCooling(ctx: Context, kind: FailureKind, who: Failed): boolean {
  return coolingMs(ctx, kind, who) > 0;
}

/** @throws AppError `rate_limited` while one of the caller's counters is cooling */
export function assertNotCooling(ctx: Context, kind: FailureKind, who: Failed): void {
  const ms = coolingMs(ctx, kind, who);
  if (ms > 0) throw rateLimited(Math.ceil(ms / 1000));
}

/**
 * Counts a failure for an address, the /48 around it and each further key.
 * @throws AppError `rate_limited` once one of these counters is over its limit; this counter is then cooling
 */
export async function countFailure(ctx: Context, kind: FailureKind, who: Failed): Promise<void> {
  const over = (await count(ctx, kind, who)).filter(({ success }) => !success);
  coolOver(ctx, kind, over);
}

/**
 * Marks these counters as cooling, because they are over their limit.
 * @throws AppError `rate_limited` if there is at least one
 */
function coolOver(ctx: Context, kind: FailureKind, over: readonly { key: string }[]): void {
  for (const { key } of over) coolingUntil.set(key, ctx.now() + COOLING_MS[kind]);
  if (over.length > 0) throw rateLimited(RATE_LIMIT_SECONDS);
}

/**
 * Counts an attempt before its outcome is known, so that concurrent attempts are limited, too. If the attempt succeeds,
 * the caller takes it back with the returned function.
 * Cloudflare's limiter cannot count down. Instead, the isolate later allows one more attempt that the limiter would
 * refuse.
 * @returns a function that takes the attempt back, from some counters or all
 * @throws AppError `rate_limited` if one of the counters is over its limit; this counter is then cooling
 */
export async function countAttempt(ctx: Context, kind: FailureKind, who: Failed): Promise<(who?: Failed) => void> {
  const until = ctx.now() + RATE_LIMIT_SECONDS * 1000;
  const over = (await count(ctx, kind, who)).filter(({ key, success }) => !success && !takeGivenBack(key, ctx.now()));
  coolOver(ctx, kind, over);
  return (some = who) => {
    for (const { key } of countersOf(ctx, kind, some)) giveBack(`${kind} ${key}`, until);
  };
}

/** Counts one call in every counter of the caller. `success` is false for a counter over its limit. */
function count(ctx: Context, kind: FailureKind, who: Failed): Promise<{ key: string; success: boolean }[]> {
  return Promise.all(
    countersOf(ctx, kind, who).map(async ({ limiter, key }) => {
      return { key: `${kind} ${key}`, ...(await limiter.limit({ key })) };
    }),
  );
}

/**
 * The attempts that were taken back, by counter. Each attempt is stored as the time (epoch ms) at which Cloudflare's
 * limiter stops counting it.
 */
const givenBack = new IsolateCache<number[]>(KEYS_MAX);
const GIVEN_BACK_MAX = 100;

function giveBack(key: string, until: number): void {
  givenBack.set(key, [...(givenBack.last(key) ?? []), until].slice(-GIVEN_BACK_MAX));
  coolingUntil.delete(key);
}

function takeGivenBack(key: string, now: number): boolean {
  const [next, ...left] = (givenBack.last(key) ?? []).filter((until) => until > now);
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
  if (coolingUntil.isEmpty) return 0;
  const until = countersOf(ctx, kind, who).map(({ key }) => coolingUntil.last(`${kind} ${key}`) ?? 0);
  return Math.max(0, ...until) - ctx.now();
}

/**
 * Returns the error for a caller that sent too many requests.
 * @param seconds how long to wait, sent as Retry-After (RFC 9110 §10.2.3)
 */
export function rateLimited(seconds: number, policy: Record<string, string> = {}): AppError {
  return new AppError('rate_limited', 'Too many requests. Wait as long as Retry-After says.', {
    headers: { 'Retry-After': String(seconds), ...policy },
  });
}

/** Matches an IPv4 address: four numbers up to 255. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|[01]?\d?\d)(?:\.(?!$)|$)){4}$/;

/** The number of 16-bit groups in an IPv6 address. */
const GROUPS = 8;
/**
 * The number of 16-bit groups that identify a caller: a /64. Providers give each connection at least a /64. Therefore
 * all addresses in a /64 count as one caller (RFC 6177, RFC 7421).
 */
const CALLER_GROUPS = 4;
/**
 * The number of 16-bit groups that identify a network: a /48, which is 65,536 networks of /64. Providers commonly give
 * one to a site.
 */
const NETWORK_GROUPS = 3;

/**
 * Returns the caller for whom a network address is counted. An IPv4 address is a caller itself, also if it is written
 * as IPv6 (`::ffff:192.0.2.1`). For any other IPv6 address, the caller is its /64, because whoever has one address of a
 * /64 can use all of them.
 * @returns for example `192.0.2.1` or `2001:db8:1:2::/64`; null if the text is not an address
 */
export function callerOf(address: string): string | null {
  const text = address.trim();
  if (IPV4.test(text)) return text;
  const groups = ipv6Groups(text);
  if (!groups) return null;
  return mappedIpv4(groups) ?? prefixOf(groups, CALLER_GROUPS);
}

/**
 * Returns the /48 around a caller. Failures of the caller also count for the /48, because one site may own all /64s in
 * it.
 * @param caller as `callerOf` returns it
 * @returns for example `2001:db8:1::/48`; null for IPv4
 */
export function networkOf(caller: string): string | null {
  const groups = ipv6Groups(caller.split('/')[0] ?? '');
  return groups && prefixOf(groups, NETWORK_GROUPS);
}

function prefixOf(groups: readonly number[], length: number): string {
  const kept = groups.slice(0, length).map((group) => group.toString(16));
  return `${kept.join(':')}::/${length * 16}`;
}

/** Returns the IPv4 address in an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2); null for any other address. */
function mappedIpv4(groups: readonly number[]): string | null {
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isMapped) return null;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/**
 * Returns the eight groups of an IPv6 address in any of its spellings (RFC 4291 §2.2), without its zone. Null if the
 * text is not an address.
 */
function ipv6Groups(address: string): number[] | null {
  const [text = ''] = address.split('%');
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const [head, tail] = halves.map((half, index) => groupsOf(half, index === halves.length - 1));
  if (!head || tail === null) return null;
  if (tail === undefined) return head.length === GROUPS ? head : null;
  const zeros = GROUPS - head.length - tail.length;
  return zeros < 1 ? null : [...head, ...Array<number>(zeros).fill(0), ...tail];
}

/**
 * Returns the groups in a part of an IPv6 address, before or after `::`. The last group of the whole address may be an
 * IPv4 address. Null if the text between two colons is not a group.
 */
function groupsOf(half: string, isEnd: boolean): number[] | null {
  if (half === '') return [];
  const parts = half.split(':');
  const groups = parts.map((part, index) => {
    if (/^[0-9a-f]{1,4}$/i.test(part)) return [Number.parseInt(part, 16)];
    return isEnd && index === parts.length - 1 ? ipv4Groups(part) : null;
  });
  return groups.includes(null) ? null : (groups as number[][]).flat();
}

/** Returns an IPv4 address as two groups; null if the text is not one. */
function ipv4Groups(text: string): [number, number] | null {
  if (!IPV4.test(text)) return null;
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}
