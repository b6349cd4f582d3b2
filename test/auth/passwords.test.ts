import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { hashPassword, isPasswordOf, newRecipe } from '../../src/auth/staff/passwords/hash';
import { readConfig } from '../../src/platform/config';
import { AFTER, configured } from '../support/roots';

const ctx = { config: readConfig(env) };
const recipe = await newRecipe(ctx, 'person@example.com');

test('a password is known again by its hash, and another one is not', async () => {
  const stored = await hashPassword('drei Löwen am Markt', recipe);
  expect(await isPasswordOf('drei Löwen am Markt', stored)).toBe(true);
  expect(await isPasswordOf('drei Löwen am Markt ', stored)).toBe(false);
  expect(await isPasswordOf('', stored)).toBe(false);
});

test('the same password has the same hash for one address, and another one for every other address and root', async () => {
  const hash = await hashPassword('drei Löwen am Markt', recipe);
  expect(await hashPassword('drei Löwen am Markt', await newRecipe(ctx, 'person@example.com'))).toBe(hash);
  const others = [await newRecipe(ctx, 'other@example.com'), await newRecipe(configured(AFTER), 'person@example.com')];
  for (const other of others) expect(await hashPassword('drei Löwen am Markt', other)).not.toBe(hash);
});

test('the same letters as other code points are the same password', async () => {
  const stored = await hashPassword('Lo\u0308wen am Markt', recipe);
  expect(await isPasswordOf('L\u00f6wen am Markt', stored)).toBe(true);
});

test('a hash of another cost still counts: the cost stands in it', async () => {
  // RFC 7914 §12, second vector, cut to 32 bytes: N = 1024, r = 8, p = 16.
  const stored = 'scrypt$1024$8$16$TmFDbA==$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWI=';
  expect(await isPasswordOf('password', stored)).toBe(true);
});

test.each(['', 'scrypt$', 'scrypt$1$2', 'plain', 'scrypt$32768$8$1$AAAA$'])(
  'a hash that is none (%s) fits nothing',
  async (stored) => {
    expect(await isPasswordOf('', stored)).toBe(false);
  },
);

test('the cost is what production allows: at least 2^14, 32 MiB, N·r·p up to 2^20', async () => {
  const [, n, r, p] = (await hashPassword('x', recipe)).split('$').map(Number);
  const [N = 0, R = 0, P = 0] = [n, r, p];
  expect(N).toBeGreaterThanOrEqual(2 ** 14);
  expect(N * R * P).toBeLessThanOrEqual(2 ** 20);
  expect(128 * N * R).toBeLessThanOrEqual(32 * 1024 * 1024);
});
