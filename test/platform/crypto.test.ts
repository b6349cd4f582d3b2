import { expect, test } from 'vitest';
import {
  decrypt,
  encrypt,
  fromBase64,
  hmac,
  importHmacKey,
  type Roots,
  sha256,
  toHex,
  utf8,
} from '../../src/platform/crypto/crypto';

const rawKey = (fill: number) => new Uint8Array(32).fill(fill);
const OLD: Roots = { currentId: 'r1', current: rawKey(1), byId: new Map([['r1', rawKey(1)]]) };
const ROTATED: Roots = {
  currentId: 'r2',
  current: rawKey(2),
  byId: new Map([
    ['r2', rawKey(2)],
    ['r1', rawKey(1)],
  ]),
};

test.each(['', 'whsec_c2VjcmV0', 'äöü😀', 'x'.repeat(10_000)])('a text of %s comes back', async (text) => {
  expect(await decrypt(OLD, 'page data', await encrypt(OLD, 'page data', text, 'row-1'), 'row-1')).toBe(text);
});

test('a text is sealed anew each time, under the current root’s id', async () => {
  const [one, two] = [
    await encrypt(ROTATED, 'page data', 'secret', 'row'),
    await encrypt(ROTATED, 'page data', 'secret', 'row'),
  ];
  expect(one).not.toBe(two);
  expect(one).toMatch(/^r2\.[A-Za-z0-9+/]+=*$/);
  expect(one).not.toContain(btoa('secret'));
});

test('after a rotation old texts open, and new ones do not open under the old root', async () => {
  const old = await encrypt(OLD, 'page data', 'secret', 'row');
  expect(await decrypt(ROTATED, 'page data', old, 'row')).toBe('secret');
  const fresh = await encrypt(ROTATED, 'page data', 'secret', 'row');
  await expect(decrypt(OLD, 'page data', fresh, 'row')).rejects.toThrow('unknown root id');
});

test.each<[string, (sealed: string) => string, string]>([
  ['another row', (sealed) => sealed, 'row-2'],
  ['no row', (sealed) => sealed, ''],
  ['another root’s id', (sealed) => sealed.replace('r1.', 'r2.'), 'row-1'],
  ['a changed last byte', (sealed) => changed(sealed, -1), 'row-1'],
  ['a changed first byte', (sealed) => changed(sealed, 0), 'row-1'],
  ['a changed middle', (sealed) => changed(sealed, 14), 'row-1'],
  ['a cut', (sealed) => `r1.${fromBase64(sealed.slice(3)).slice(0, -4).toBase64()}`, 'row-1'],
  ['nothing', () => '', 'row-1'],
  ['no root’s id', (sealed) => sealed.slice(3), 'row-1'],
])('a text does not open with %s', async (_, spoil, context) => {
  const sealed = await encrypt(OLD, 'page data', 'secret', 'row-1');
  await expect(decrypt(ROTATED, 'page data', spoil(sealed), context)).rejects.toThrow();
});

function changed(sealed: string, at: number): string {
  const bytes = fromBase64(sealed.slice(3));
  const index = at < 0 ? bytes.length + at : at;
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  return `r1.${bytes.toBase64()}`;
}

test('a text does not open for another purpose', async () => {
  const sealed = await encrypt(OLD, 'page data', 'secret', 'row');
  await expect(decrypt(OLD, 'kept answer', sealed, 'row')).rejects.toThrow();
});

test('HMAC-SHA-256 is that of RFC 4231, test case 2', async () => {
  const mac = await hmac(await importHmacKey(utf8('Jefe')), 'what do ya want for nothing?');
  expect(toHex(mac)).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
});

test('SHA-256 is that of FIPS 180-2', async () => {
  expect(toHex(await sha256(utf8('abc')))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test.each(['YQ', 'YQ=', 'Y', 'YR==', 'Y-Q=', '====', 'YQ==YQ=='])('%s is not base64', (text) => {
  expect(() => fromBase64(text)).toThrow(SyntaxError);
});
