import { expect, test } from 'vitest';
import type { Context } from '../../src/platform/context';
import { AppError } from '../../src/platform/errors/errors';
import {
  assertNotCooling,
  assertWithinLimit,
  callerAddress,
  countAttempt,
  countFailure,
  type Failed,
  type FailureKind,
  isCooling,
  rateLimited,
} from '../../src/platform/http/rate-limit';

const NAMES = ['failedAuth', 'failedAuthNetwork', 'signIn', 'signInNetwork'] as const;

/** A limiter of each name, which counts who calls and lets through as many as it is told. */
function world() {
  const calls: string[] = [];
  const full = new Set<string>();
  const clock = { ms: 1_000_000 };
  const limiter = (name: string): RateLimit => ({
    limit: async ({ key }: { key: string }) => {
      calls.push(`${name} ${key}`);
      return { success: !full.has(`${name} ${key}`) };
    },
  });
  const limits = Object.fromEntries(NAMES.map((name) => [name, limiter(name)]));
  const ctx = { limits, now: () => clock.ms } as unknown as Context;
  const waitOf = async (act: () => unknown): Promise<string | undefined> => {
    try {
      await act();
      return undefined;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      expect([error.kind, error.code]).toEqual(['rate_limited', 'rate_limited']);
      return error.details.headers?.['Retry-After'];
    }
  };
  return { ctx, calls, full, clock, waitOf, limiter };
}

/** Another caller for every test: what failed is remembered by the isolate. */
let callers = 0;
function newCaller(): string {
  callers += 1;
  return `192.0.2.${callers}`;
}

test('a call within the limit passes, one over it is to come back in a minute', async () => {
  const { limiter, full, waitOf, calls } = world();
  full.add('api over');
  expect(await waitOf(() => assertWithinLimit(limiter('api'), 'within'))).toBeUndefined();
  expect(await waitOf(() => assertWithinLimit(limiter('api'), 'over'))).toBe('60');
  expect(calls).toEqual(['api within', 'api over']);
});

test('the answer says how long to wait', () => {
  expect(rateLimited(7).details.headers).toEqual({ 'Retry-After': '7' });
});

test.each([
  [null, 'local'],
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['nowhere', 'unreadable'],
])('a request from %j is counted as %s', (address, caller) => {
  const headers: Record<string, string> = address === null ? {} : { 'CF-Connecting-IP': address };
  expect(callerAddress(new Request('https://shop.example/', { headers }))).toBe(caller);
});

test.each<[FailureKind, Failed, string[]]>([
  ['auth', { address: '192.0.2.200' }, ['failedAuth 192.0.2.200']],
  ['sign_in', { address: '192.0.2.200' }, ['signIn 192.0.2.200']],
  ['auth', { address: '2001:db8:1:2::/64' }, ['failedAuth 2001:db8:1:2::/64', 'failedAuthNetwork 2001:db8:1::/48']],
  [
    'sign_in',
    { address: '2001:db8:1:2::/64', also: ['account a', 'account b'] },
    ['signIn 2001:db8:1:2::/64', 'signIn account a', 'signIn account b', 'signInNetwork 2001:db8:1::/48'],
  ],
  ['sign_in', { also: ['account a'] }, ['signIn account a']],
  ['auth', {}, []],
])('a failure of %s by %j is counted at %j', async (kind, who, counted) => {
  const { ctx, calls } = world();
  await countFailure(ctx, kind, who);
  expect(calls).toEqual(counted);
});

test('failures within the limit cool nobody', async () => {
  const { ctx } = world();
  const address = newCaller();
  await countFailure(ctx, 'auth', { address });
  expect(isCooling(ctx, 'auth', { address })).toBe(false);
});

test('whoever fails too often is refused for ten seconds, for that kind of failure alone', async () => {
  const { ctx, full, clock, waitOf } = world();
  const [address, stranger] = [newCaller(), newCaller()];
  full.add(`failedAuth ${address}`);
  expect(await waitOf(() => countFailure(ctx, 'auth', { address }))).toBe('60');
  expect(isCooling(ctx, 'auth', { address })).toBe(true);
  expect(isCooling(ctx, 'sign_in', { address })).toBe(false);
  expect(isCooling(ctx, 'auth', { address: stranger })).toBe(false);
  expect(await waitOf(() => assertNotCooling(ctx, 'auth', { address: stranger }))).toBeUndefined();
  expect(await waitOf(() => assertNotCooling(ctx, 'auth', { address }))).toBe('10');
  clock.ms += 1;
  expect(await waitOf(() => assertNotCooling(ctx, 'auth', { address }))).toBe('10');
  clock.ms += 8_998;
  expect(await waitOf(() => assertNotCooling(ctx, 'auth', { address }))).toBe('2');
  clock.ms += 1_000;
  expect(await waitOf(() => assertNotCooling(ctx, 'auth', { address }))).toBe('1');
  expect(isCooling(ctx, 'auth', { address })).toBe(true);
  clock.ms += 1;
  expect(await waitOf(() => assertNotCooling(ctx, 'auth', { address }))).toBeUndefined();
  expect(isCooling(ctx, 'auth', { address })).toBe(false);
});

test('whoever fails to sign in too often is refused for a minute', async () => {
  const { ctx, full, clock, waitOf } = world();
  const address = newCaller();
  full.add(`signIn ${address}`);
  await waitOf(() => countFailure(ctx, 'sign_in', { address }));
  expect(await waitOf(() => assertNotCooling(ctx, 'sign_in', { address }))).toBe('60');
  clock.ms += 59_999;
  expect(isCooling(ctx, 'sign_in', { address })).toBe(true);
  clock.ms += 1;
  expect(isCooling(ctx, 'sign_in', { address })).toBe(false);
});

test('one counter over its limit is enough, and only that one cools', async () => {
  const { ctx, full, waitOf } = world();
  const [address, account] = [newCaller(), `account ${newCaller()}`];
  full.add(`signIn ${account}`);
  expect(await waitOf(() => countFailure(ctx, 'sign_in', { address, also: [account] }))).toBe('60');
  expect(isCooling(ctx, 'sign_in', { address })).toBe(false);
  expect(isCooling(ctx, 'sign_in', { also: [account] })).toBe(true);
  expect(isCooling(ctx, 'sign_in', { address, also: [account] })).toBe(true);
});

test('a network over its limit cools every address in it', async () => {
  const { ctx, full, waitOf } = world();
  full.add('signInNetwork 2001:db8:77::/48');
  expect(await waitOf(() => countFailure(ctx, 'sign_in', { address: '2001:db8:77:1::/64' }))).toBe('60');
  expect(isCooling(ctx, 'sign_in', { address: '2001:db8:77:2::/64' })).toBe(true);
  expect(isCooling(ctx, 'sign_in', { address: '2001:db8:78:1::/64' })).toBe(false);
});

test('another failure starts the ten seconds anew', async () => {
  const { ctx, full, clock, waitOf } = world();
  const address = newCaller();
  full.add(`failedAuth ${address}`);
  await waitOf(() => countFailure(ctx, 'auth', { address }));
  clock.ms += 9_000;
  await waitOf(() => countFailure(ctx, 'auth', { address }));
  expect(await waitOf(() => assertNotCooling(ctx, 'auth', { address }))).toBe('10');
});

test('a thousand callers are remembered, and the one that cools the shortest is forgotten for the next', async () => {
  const { ctx, full, waitOf } = world();
  const names = Array.from({ length: 1_000 }, (_, index) => `account ${index} of many`);
  const fail = (also: string[]) => waitOf(() => countFailure(ctx, 'sign_in', { also }));
  const cooling = () => names.filter((name) => isCooling(ctx, 'sign_in', { also: [name] })).length;
  for (const name of [...names, 'account one more']) full.add(`signIn ${name}`);
  await fail(names);
  expect(cooling()).toBe(1_000);
  // Whoever fails again is no further caller, and becomes the youngest.
  await fail(names.slice(5, 6));
  expect(cooling()).toBe(1_000);
  await fail(['account one more']);
  expect(cooling()).toBe(999);
  expect(isCooling(ctx, 'sign_in', { also: ['account one more'] })).toBe(true);
  expect(isCooling(ctx, 'sign_in', { also: names.slice(5, 6) })).toBe(true);
  expect(isCooling(ctx, 'sign_in', { also: names.slice(0, 1) })).toBe(false);
});

test('of fifty attempts at the same moment ten pass, and one more for each that is given back, within the minute', async () => {
  const { ctx, clock } = world();
  const counts = new Map<string, number>();
  const ten = async ({ key }: { key: string }) => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return { success: (counts.get(key) ?? 0) <= 10 };
  };
  Object.assign(ctx.limits.signIn, { limit: ten });
  const who = { address: newCaller(), also: [`account ${newCaller()}`] };
  const start = () => countAttempt(ctx, 'sign_in', who).catch(() => null);
  const passed = (await Promise.all(Array.from({ length: 50 }, start))).filter((giveBack) => giveBack !== null);
  expect(passed).toHaveLength(10);
  expect(isCooling(ctx, 'sign_in', who)).toBe(true);
  passed[0]?.();
  expect(isCooling(ctx, 'sign_in', who)).toBe(false);
  expect(await start()).not.toBeNull();
  expect(await start()).toBeNull();
  // Back for the address alone: the account stays at its limit.
  passed[1]?.({ address: who.address });
  expect(await start()).toBeNull();
  passed[2]?.();
  clock.ms += 60_000;
  expect(await start()).toBeNull();
});

test.each([
  [3, 59_999, 3],
  [3, 60_000, 0],
  [101, 0, 100],
])('of %i attempts given back, after %i ms %i more pass', async (attempts, ms, more) => {
  const { ctx, full, clock } = world();
  const who = { address: newCaller() };
  const giveBacks = await Promise.all(Array.from({ length: attempts }, () => countAttempt(ctx, 'sign_in', who)));
  for (const giveBack of giveBacks) giveBack();
  full.add(`signIn ${who.address}`);
  clock.ms += ms;
  const passed = await Promise.all(
    giveBacks.map(() =>
      countAttempt(ctx, 'sign_in', who).then(
        () => true,
        () => false,
      ),
    ),
  );
  expect(passed.filter(Boolean)).toHaveLength(more);
});
