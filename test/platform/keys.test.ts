import { expect, test } from 'vitest';
import { hashKey, idOfKey, isKeyOf, newApiKey } from '../../src/auth/keys/format';
import { isSameMac, isSameSecret, randomBase62, toBase62, utf8 } from '../../src/platform/crypto/crypto';
import { AFTER, configured } from '../support/roots';

const FORM = /^ofz_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/;

test('new keys have the form, carry their id, and never repeat', () => {
  const made = Array.from({ length: 200 }, newApiKey);
  for (const { id, key } of made) {
    expect(key).toMatch(FORM);
    expect(idOfKey(key)).toBe(id);
  }
  expect(new Set(made.map(({ key }) => key)).size).toBe(200);
  expect(new Set(made.map(({ id }) => id)).size).toBe(200);
});

test('a change of any one character is seen before anything is read', () => {
  const { key } = newApiKey();
  for (let at = 0; at < key.length; at += 1) {
    const other = key[at] === 'x' ? 'y' : 'x';
    expect(idOfKey(key.slice(0, at) + other + key.slice(at + 1))).toBeNull();
  }
});

test('two characters in each other’s place are seen', () => {
  const { key } = newApiKey();
  const at = [...key].findIndex((char, index) => index > 20 && char !== key[index + 1]);
  const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
  expect(swapped).not.toBe(key);
  expect(idOfKey(swapped)).toBeNull();
});

test.each([
  ['nothing', () => ''],
  ['the prefix alone', () => 'ofz_'],
  ['a key cut by one', (key: string) => key.slice(0, -1)],
  ['a key with one more', (key: string) => `${key}0`],
  ['a key with a line break', (key: string) => `${key}\n`],
  ['a key with a space', (key: string) => ` ${key}`],
  ['another prefix', (key: string) => key.replace('ofz_', 'ofy_')],
  ['a key in capitals', (key: string) => key.toUpperCase()],
  ['two keys', (key: string) => key + key],
  ['a key without its checksum', (key: string) => key.slice(0, -6)],
])('%s is no key', (_, spoil) => {
  expect(idOfKey(spoil(newApiKey().key))).toBeNull();
});

test('the checksum is CRC-32 in base62, so that keys given out stay good', () => {
  expect(crcOf('123456789')).toBe(0xcbf43926);
  const unchecked = `ofz_abcdefghijkl_${'0'.repeat(43)}`;
  expect(idOfKey(unchecked + toBase62(crcOf(unchecked), 6))).toBe('abcdefghijkl');
});

/** CRC-32 by table, as a second opinion on the bitwise one. */
function crcOf(text: string): number {
  const table = Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value >>> 0;
  });
  let crc = 0xffffffff;
  for (const byte of utf8(text)) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}

test('a key is its own row’s under its own root alone', async () => {
  const [ctx, { key }, other] = [configured(), newApiKey(), newApiKey().key];
  const hash = await hashKey(ctx, key);
  expect(hash).toMatch(/^r1\.[0-9a-f]{64}$/);
  expect(await isKeyOf(ctx, key, hash)).toBe(true);
  // The second time it is remembered.
  expect(await isKeyOf(ctx, key, hash)).toBe(true);
  expect(await isKeyOf(ctx, other, hash)).toBe(false);
  expect(await isKeyOf(ctx, key, await hashKey(ctx, other))).toBe(false);
  expect(await isKeyOf(configured(AFTER), key, hash)).toBe(false);
});

test.each([
  ['a', 'a', true],
  ['', '', true],
  ['a', 'b', false],
  ['a', 'aa', false],
  ['a', '', false],
  ['\u00e4', 'a\u0308', false],
  ['secret\u0000', 'secret', false],
])('%j and %j are the same secret: %s', async (left, right, isSame) => {
  expect(await isSameSecret(left, right)).toBe(isSame);
  expect(isSameMac(left, right)).toBe(isSame);
});

test.each([
  [0, 1, '0'],
  [0, 6, '000000'],
  [61, 1, 'z'],
  [62, 2, '10'],
  [0xffffffff, 6, '4gfFC3'],
])('%i in base62 is %s places: %s', (value, length, text) => {
  expect(toBase62(value, length)).toBe(text);
});

test('random texts use every character of the alphabet about equally', () => {
  const text = randomBase62(62_000);
  expect(text).toMatch(/^[0-9A-Za-z]{62000}$/);
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  expect(counts.size).toBe(62);
  // Six standard deviations around 1,000.
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(190);
});
