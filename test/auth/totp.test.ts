import { expect, test } from 'vitest';
import { stepOf, toBase32, uriOf } from '../../src/auth/staff/sign-in/totp';
import { utf8 } from '../../src/platform/crypto/crypto';

const SECRET = utf8('12345678901234567890');

// RFC 6238, appendix B, SHA-1: the last six of eight digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %i s the code is %s, and is good for a step before and after', async (seconds, code) => {
  const step = Math.floor(seconds / 30);
  for (const off of [-30, 0, 30]) expect(await stepOf(SECRET, code, (seconds + off) * 1000)).toBe(step);
  for (const off of [-60, 60]) expect(await stepOf(SECRET, code, (seconds + off) * 1000)).toBeNull();
  expect(await stepOf(utf8('another secret'), code, seconds * 1000)).toBeNull();
});

// RFC 4648, section 10.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('%s is %s in Base32, without padding', (text, encoded) => {
  expect(toBase32(utf8(text))).toBe(encoded);
});

test('the address for the app names service and person', () => {
  expect(uriOf(SECRET, 'ada+rx@example.com')).toBe(
    'otpauth://totp/Offizin:ada%2Brx%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Offizin&digits=6&period=30',
  );
});
