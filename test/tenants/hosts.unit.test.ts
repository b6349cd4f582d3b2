import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostOf } from '../../src/platform/http/outgoing';
import { normalizeHost } from '../../src/tenants/rules';

const DEVELOPMENT = { baseHost: 'localhost', isDevelopment: true };
const PRODUCTION = { baseHost: 'api.offizin.example', isDevelopment: false };

test.each([
  ['rx.pharmacy.example', 'rx.pharmacy.example'],
  [' RX.Pharmacy.Example. ', 'rx.pharmacy.example'],
  ['xn--mller-kva.example', 'xn--mller-kva.example'],
  ['müller.example', 'xn--mller-kva.example'],
  ['straße.example', 'xn--strae-oqa.example'],
  ['ＲＸ.example', 'rx.example'],
  ['rx。example', 'rx.example'],
  ['1.2.3.4.example', '1.2.3.4.example'],
  [`${'x'.repeat(63)}.example`, `${'x'.repeat(63)}.example`],
])('%j is stored as %s', (written, host) => {
  expect(normalizeHost(written, PRODUCTION)).toEqual({ host });
});

test.each([
  ['rx.localhost', DEVELOPMENT, { host: 'rx.localhost' }],
  ['a.b.LOCALHOST.', DEVELOPMENT, { host: 'a.b.localhost' }],
  ['localhost', DEVELOPMENT, { fault: 'single_label' }],
  ['rx.localhost', PRODUCTION, { fault: 'single_label' }],
  ['api.offizin.example', PRODUCTION, { fault: 'base_host' }],
  ['connect.shops.example', { ...PRODUCTION, shopCnameTarget: 'connect.shops.example' }, { fault: 'base_host' }],
  ['rx.api.offizin.example', PRODUCTION, { fault: 'base_host' }],
  ['xapi.offizin.example', PRODUCTION, { host: 'xapi.offizin.example' }],
  ['offizin.example', PRODUCTION, { host: 'offizin.example' }],
])('%s under %o is %o', (written, rules, expected) => {
  expect(normalizeHost(written, rules)).toEqual(expected);
});

test.each([
  ['localhost', 'single_label'],
  ['intranet', 'single_label'],
  ['intranet.', 'single_label'],
  ['127.0.0.1', 'ip_address'],
  ['127.1', 'ip_address'],
  ['2130706433', 'ip_address'],
  ['0x7f.0.0.1', 'ip_address'],
  ['0177.0.0.1', 'ip_address'],
  ['127.0.0.1.', 'ip_address'],
  ['１２７.0.0.1', 'ip_address'],
  ['[::1]', 'ip_address'],
  ['[::ffff:127.0.0.1]', 'ip_address'],
  ['::1', 'not_a_host'],
  ['', 'not_a_host'],
  [' ', 'not_a_host'],
  ['.', 'not_a_host'],
  ['rx.example.com:8443', 'not_a_host'],
  ['rx.example.com:443', 'not_a_host'],
  ['rx.example.com:', 'not_a_host'],
  ['rx.example.com/shop', 'not_a_host'],
  ['rx.example.com/', 'not_a_host'],
  ['rx.example.com?x=1', 'not_a_host'],
  ['rx.example.com?', 'not_a_host'],
  ['rx.example.com#x', 'not_a_host'],
  ['rx.example.com\\x', 'not_a_host'],
  ['https://rx.example.com', 'not_a_host'],
  ['user@rx.example.com', 'not_a_host'],
  ['@rx.example.com', 'not_a_host'],
  ['user:pass@rx.example.com', 'not_a_host'],
  ['rx..example.com', 'not_a_host'],
  ['.rx.example.com', 'not_a_host'],
  ['rx.example.com..', 'not_a_host'],
  ['*.example.com', 'not_a_host'],
  ['-rx.example.com', 'not_a_host'],
  ['rx_1.example.com', 'not_a_host'],
  ['rx example.com', 'not_a_host'],
  ['rx\texample.com', 'not_a_host'],
  ['rx.example.com, b.example.com', 'not_a_host'],
  [`${'x'.repeat(64)}.example.com`, 'not_a_host'],
  [`${'x.'.repeat(126)}example.com`, 'not_a_host'],
])('%j names no shop: %s', (written, fault) => {
  expect(normalizeHost(written, DEVELOPMENT)).toEqual({ fault });
});

test('whatever passes is a host that a request can name, and stays as it is', () => {
  let passed = 0;
  fc.assert(
    fc.property(fc.oneof(fc.domain(), fc.webAuthority(), fc.string(), fc.ipV4Extended(), fc.ipV6()), (written) => {
      const result = normalizeHost(written, PRODUCTION);
      if ('fault' in result) return;
      passed += 1;
      expect(normalizeHost(result.host, PRODUCTION)).toEqual(result);
      expect(hostOf(new URL(`https://${result.host}:8443/x`))).toBe(result.host);
      expect(result.host).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
    }),
    { numRuns: 2000, seed: 1 },
  );
  expect(passed).toBeGreaterThan(200);
});
