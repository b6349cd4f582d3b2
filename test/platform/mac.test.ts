import { expect, test } from 'vitest';
import { isCurrent, isOld, utf8 } from '../../src/platform/crypto/crypto';
import { bytesOf, isMac, mac, macs, macUnder } from '../../src/platform/mac';
import { AFTER, BEFORE, configured, DURING, NEW_ID, OLD_ID } from '../support/roots';

const before = configured(BEFORE);
const during = configured(DURING);
const after = configured(AFTER);

test('a MAC is HMAC-SHA-256 under a key that HKDF-SHA-256 derives for its purpose', async () => {
  // KEY=$(openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt key:'pepper-pepper-pepper-pepper-pepp' \
  //   -kdfopt info:'offizin form token' HKDF | tr -d ':')
  // printf '2:ab3:äöü0:' | openssl dgst -sha256 -mac HMAC -macopt hexkey:$KEY
  const secret = utf8('pepper-pepper-pepper-pepper-pepp');
  expect(await macUnder(secret, 'form token', 'ab', 'äöü', '')).toBe(
    'd2e148b9f026f2c6c6d481424a53505674e965bb04e888396c9a24afebbd67fb',
  );
});

test('neither another purpose nor the same text in other parts gives the same MAC', async () => {
  const of = (...parts: string[]) => mac(before, 'form origin', ...parts);
  const made = [
    await of('ab', 'c'),
    await of('a', 'bc'),
    await of('abc'),
    await of('abc', ''),
    await of('', 'abc'),
    await of('2:ab1:c'),
    await of(),
    await mac(before, 'form token', 'ab', 'c'),
    await mac(before, 'device', 'ab', 'c'),
    await mac(after, 'form origin', 'ab', 'c'),
  ];
  expect(new Set(made.map((each) => each.split('.')[1])).size).toBe(made.length);
  for (const each of made) expect(each).toMatch(/^r[12]\.[0-9a-f]{64}$/);
});

test('the first root makes MACs, all of them verify, and one that is gone verifies none', async () => {
  const old = await mac(before, 'device', 'a');
  const made = await mac(during, 'device', 'a');
  expect(await macs(during, 'device', 'a')).toEqual([made, old]);
  expect(await macs(before, 'device', 'a')).toEqual([old]);
  expect(made).toBe(await mac(after, 'device', 'a'));
  for (const [ctx, text, isValid] of [
    [before, old, true],
    [during, old, true],
    [after, old, false],
    [before, made, false],
    [during, made, true],
    [after, made, true],
    [during, old.replace(OLD_ID, NEW_ID), false],
    [during, '', false],
    [during, `${NEW_ID}.`, false],
    [during, 'constructor.x', false],
  ] as const) {
    expect([text, await isMac(ctx, text, 'device', 'a')]).toEqual([text, isValid]);
    expect(await isMac(ctx, text, 'device', 'b')).toBe(false);
  }
});

test('what is under an old root is told from what is under the first, and from what is under none of them', async () => {
  const old = await mac(before, 'device', 'a');
  expect([isCurrent(before.config.roots, old), isOld(before.config.roots, old)]).toEqual([true, false]);
  expect([isCurrent(during.config.roots, old), isOld(during.config.roots, old)]).toEqual([false, true]);
  expect([isCurrent(after.config.roots, old), isOld(after.config.roots, old)]).toEqual([false, false]);
  expect(bytesOf(old)).toHaveLength(32);
});

test('keys are derived once for each secret and purpose', async () => {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const derive = crypto.subtle.deriveKey.bind(crypto.subtle);
  let derived = 0;
  crypto.subtle.deriveKey = (...args: Parameters<typeof derive>) => {
    derived += 1;
    return derive(...args);
  };
  try {
    for (const part of ['a', 'b', 'c']) await macUnder(secret, 'device', part);
    expect(derived).toBe(1);
    await macUnder(secret, 'form token', 'a');
    expect(derived).toBe(2);
  } finally {
    crypto.subtle.deriveKey = derive;
  }
});
